// SPDX-License-Identifier: Apache-2.0
// fade: starting and stopping at run time; and an output that is looked at before its step.
#include "cell_fixture.h"

enum { SYNAPSES = 5 };

static const int32_t durations[] = {1, 2, 3, 7, 10, 49, 100, 1000};

// A trace with a state and a line of 5 steps that does not grow:
//     s⁺ = s/2 + x,   y = s + v/4,   z = s/2 + x
static cfpc_lti calm_trace(void)
{
    static const int32_t delay_steps[] = {5};
    static const cfpc_real matrix[] = {0.5, 1, 0,    //
                                       1,   0, 0.25, //
                                       0.5, 1, 0};
    return (cfpc_lti){.states = 1,
                      .inputs = 1,
                      .outputs = 1,
                      .lines = 1,
                      .delay_steps = delay_steps,
                      .matrix = matrix};
}

static cfpc_model_def small_def(cfpc_mode mode)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.trace = calm_trace();
    def.rule.rate = (cfpc_real)0.05;
    def.rule.mode = mode;
    def.guard.on = false;
    return def;
}

static cell drawn_cell(dice *d, const cfpc_model_def *def)
{
    cell it = cell_of(def);
    draw_reals(d, SYNAPSES, cfpc_weights(it.data));
    return it;
}

// One step on x with this error: o, and what it is without a fade.
typedef struct step {
    double o, whole;
} step;

static step take(cell *it, dice *d, cfpc_real e)
{
    cfpc_real x[SYNAPSES];
    double whole = 0;
    draw_reals(d, SYNAPSES, x);
    for (int j = 0; j < SYNAPSES; j++)
        whole += (double)x[j] * cfpc_weights(it->data)[j];
    const double fade = cfpc_fade(it->data);
    const double o = cfpc_step(it->model, it->data, x, e);
    assert_near(o, fade * whole, TOLERANCE); // cfpc_fade told it
    return (step){.o = o, .whole = whole};
}

static void expect_share(cell *it, dice *d, double share)
{
    const step s = take(it, d, 0);
    assert_near(s.o, share * s.whole, 2 * TOLERANCE);
}

// ---- out and in ------------------------------------------------------------------------------

static void the_output_fades_out_and_in_linearly_over_the_steps_that_were_set(void **state)
{
    (void)state;
    dice d = {501};
    const cfpc_model_def def = small_def(CFPC_ONLINE);
    for (size_t i = 0; i < sizeof durations / sizeof durations[0]; i++) {
        const int32_t steps = durations[i];
        cell it = drawn_cell(&d, &def);
        cfpc_disable(it.data, steps);
        for (int k = 0; k < steps; k++)
            expect_share(&it, &d, 1 - (double)k / steps);
        for (int k = 0; k < 3; k++)
            assert_true(take(&it, &d, 0).o == 0);
        cfpc_enable(it.data, steps);
        for (int k = 0; k < steps; k++)
            expect_share(&it, &d, (double)k / steps);
        for (int k = 0; k < 3; k++)
            expect_share(&it, &d, 1);
        assert_true(cfpc_fade(it.data) == 1);
        cell_free(&it);
    }
}

// Also in float, whose numbers could not sum up a thousandth so often.
static void a_long_fade_takes_as_many_steps_as_were_set(void **state)
{
    (void)state;
    enum { LONG = 50000 };
    const cfpc_model_def def = small_def(CFPC_ONLINE);
    cell it = cell_of(&def);
    cfpc_disable(it.data, LONG);
    for (int k = 0; k < LONG; k++, cfpc_act(it.model, it.data, NULL))
        assert_true(cfpc_fade(it.data) > 0);
    assert_true(cfpc_fade(it.data) == 0);
    cfpc_enable(it.data, LONG);
    for (int k = 0; k < LONG; k++, cfpc_act(it.model, it.data, NULL))
        assert_true(cfpc_fade(it.data) < 1);
    assert_true(cfpc_fade(it.data) == 1);
    cell_free(&it);
}

static void over_no_steps_it_stops_and_starts_at_once(void **state)
{
    (void)state;
    dice d = {502};
    const cfpc_model_def def = small_def(CFPC_ONLINE);
    const int32_t none[] = {0, -3};
    for (int i = 0; i < 2; i++) {
        cell it = drawn_cell(&d, &def);
        cfpc_disable(it.data, none[i]);
        assert_true(take(&it, &d, 0).o == 0);
        cfpc_enable(it.data, none[i]);
        const step s = take(&it, &d, 0);
        assert_true(s.o != 0);
        assert_near(s.o, s.whole, TOLERANCE);
        cell_free(&it);
    }
}

static void a_cell_that_is_on_stays_on_and_one_that_is_off_stays_off(void **state)
{
    (void)state;
    dice d = {503};
    const cfpc_model_def def = small_def(CFPC_ONLINE);
    cell it = drawn_cell(&d, &def);
    cfpc_enable(it.data, 10);
    for (int k = 0; k < 20; k++)
        expect_share(&it, &d, 1);
    cfpc_disable(it.data, 0);
    cfpc_disable(it.data, 10);
    for (int k = 0; k < 20; k++)
        assert_true(take(&it, &d, 0).o == 0);
    cell_free(&it);
}

// From a fade that is under way, the next begins where it stands: 1 … 0.5, up to 1 in quarters.
static void a_fade_that_is_interrupted_turns_where_it_stands(void **state)
{
    (void)state;
    dice d = {504};
    const cfpc_model_def def = small_def(CFPC_ONLINE);
    cell it = drawn_cell(&d, &def);
    static const double shares[] = {1,    0.9,          0.8, 0.7, 0.6, /* up */ 0.5,
                                    0.75, /* down */ 1, 0.5, 0,   0};
    cfpc_disable(it.data, 10);
    for (int k = 0; k < 11; k++) {
        if (k == 5)
            cfpc_enable(it.data, 4);
        if (k == 7)
            cfpc_disable(it.data, 2);
        expect_share(&it, &d, shares[k]);
    }
    cell_free(&it);
}

static void whatever_is_asked_for_the_share_never_jumps(void **state)
{
    (void)state;
    dice d = {505};
    const cfpc_model_def def = small_def(CFPC_ONLINE);
    cell it = drawn_cell(&d, &def);
    double before = 1, largest = 0;
    for (int k = 0; k < 3000; k++) {
        const int32_t steps = dice_integer(&d, 20, 60);
        if (dice_integer(&d, 0, 12) == 0) {
            if (dice_integer(&d, 0, 1))
                cfpc_enable(it.data, steps);
            else
                cfpc_disable(it.data, steps);
        }
        const double share = cfpc_fade(it.data);
        assert_in_range((long)(share * 1e6), 0, 1000000);
        largest = fmax(largest, fabs(share - before));
        before = share;
        take(&it, &d, 0);
    }
    assert_true(largest > 0.04);
    assert_true(largest < 1.5 / 20 + TOLERANCE); // a last step may be half a step longer
    cell_free(&it);
}

// ---- learning --------------------------------------------------------------------------------

static cfpc_model_def full_def(cfpc_mode mode)
{
    cfpc_model_def def = small_def(mode);
    def.rule.leak = (cfpc_real)0.1;
    def.rule.momentum = (cfpc_real)0.5;
    def.rule.output_penalty = (cfpc_real)0.1;
    def.rule.normaliser = (cfpc_real)0.1;
    return def;
}

static void nothing_is_learned_on_line_until_the_output_is_wholly_there(void **state)
{
    (void)state;
    dice d = {506};
    const cfpc_model_def def = full_def(CFPC_ONLINE);
    for (size_t i = 0; i < sizeof durations / sizeof durations[0]; i++) {
        const int32_t steps = durations[i];
        cell it = drawn_cell(&d, &def);
        cfpc_real w[SYNAPSES];
        cfpc_disable(it.data, steps);
        take(&it, &d, 1); // the last that is whole
        memcpy(w, cfpc_weights(it.data), sizeof w);
        for (int k = 0; k < steps + 5; k++) {
            take(&it, &d, 1);
            assert_memory_equal(cfpc_weights(it.data), w, sizeof w);
        }
        cfpc_enable(it.data, steps);
        for (int k = 0; k < steps; k++) {
            take(&it, &d, 1);
            assert_memory_equal(cfpc_weights(it.data), w, sizeof w);
        }
        take(&it, &d, 1); // the first that is whole
        assert_memory_not_equal(cfpc_weights(it.data), w, sizeof w);
        cell_free(&it);
    }
}

// Neither the sum nor the leak nor the momentum moves a weight.
static void nothing_is_learned_in_batch_from_a_trial_without_the_output(void **state)
{
    (void)state;
    dice d = {507};
    const cfpc_model_def def = full_def(CFPC_BATCH);
    cell it = drawn_cell(&d, &def);
    cfpc_real w[SYNAPSES];
    for (int n = 0; n < 20; n++)
        take(&it, &d, 1);
    cfpc_next_trial(it.model, it.data);
    memcpy(w, cfpc_weights(it.data), sizeof w);
    cfpc_disable(it.data, 0);
    for (int trial = 0; trial < 3; trial++) {
        for (int n = 0; n < 20; n++)
            take(&it, &d, 1);
        cfpc_next_trial(it.model, it.data);
        assert_memory_equal(cfpc_weights(it.data), w, sizeof w);
    }
    cfpc_enable(it.data, 0);
    for (int n = 0; n < 20; n++)
        take(&it, &d, 1);
    cfpc_next_trial(it.model, it.data);
    assert_memory_not_equal(cfpc_weights(it.data), w, sizeof w);
    cell_free(&it);
}

// While o is away the traces run on, so that learning goes on with those it would have had.
static void the_traces_run_on_through_a_fade(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def(CFPC_ONLINE);
    dice d = {508}, twin_d = {508};
    cell it = drawn_cell(&d, &def), twin = drawn_cell(&twin_d, &def);
    cfpc_disable(it.data, 3);
    for (int n = 0; n < 30; n++) {
        if (n == 10)
            cfpc_enable(it.data, 5);
        take(&it, &d, 0);
        take(&twin, &twin_d, 0);
        assert_memory_equal(cfpc_traces(it.data), cfpc_traces(twin.data),
                            SYNAPSES * sizeof(cfpc_real));
    }
    cell_free(&it);
    cell_free(&twin);
}

// ---- saved -----------------------------------------------------------------------------------

static void a_fade_that_was_saved_goes_on_bit_for_bit(void **state)
{
    (void)state;
    for (int at = 0; at < 30; at++) {
        dice d = {509};
        const cfpc_model_def def = full_def(CFPC_ONLINE);
        cell it = drawn_cell(&d, &def);
        cfpc_data *other = data_of(it.model);
        cfpc_disable(it.data, 7);
        for (int n = 0; n < at; n++) {
            if (n == 10)
                cfpc_enable(it.data, 9);
            take(&it, &d, (cfpc_real)0.5);
        }
        cfpc_data_seal(it.data);
        assert_ok(cfpc_data_restore(it.model, other, it.data, cfpc_data_bytes(it.data)));
        cell twin = {.model = it.model, .data = other};
        dice same = d;
        for (int n = at; n < 40; n++) {
            if (n == 10) {
                cfpc_enable(it.data, 9);
                cfpc_enable(twin.data, 9);
            }
            const step a = take(&it, &d, (cfpc_real)0.5), b = take(&twin, &same, (cfpc_real)0.5);
            assert_memory_equal(&a.o, &b.o, sizeof a.o);
        }
        cfpc_data_seal(it.data);
        cfpc_data_seal(other);
        assert_memory_equal(it.data, other, cfpc_data_bytes(it.data));
        free(other);
        cell_free(&it);
    }
}

static void a_reset_cell_is_wholly_there(void **state)
{
    (void)state;
    dice d = {510};
    const cfpc_model_def def = small_def(CFPC_ONLINE);
    cell it = drawn_cell(&d, &def);
    cfpc_disable(it.data, 5);
    for (int n = 0; n < 3; n++)
        take(&it, &d, 0);
    cfpc_next_trial(it.model, it.data);
    assert_near(cfpc_fade(it.data), 0.4, TOLERANCE); // a fade runs on through trials
    cfpc_data_reset(it.model, it.data);
    assert_true(cfpc_fade(it.data) == 1);
    take(&it, &d, 1);
    assert_true(cfpc_fade(it.data) == 1);
    cell_free(&it);
}

// ---- an output before its step ---------------------------------------------------------------

typedef struct drawn_lti {
    cfpc_lti lti;
    int32_t delay_steps[3];
    cfpc_real matrix[100];
} drawn_lti;

static void draw_lti(dice *d, drawn_lti *it)
{
    it->lti = (cfpc_lti){.states = dice_integer(d, 0, 4),
                         .inputs = dice_integer(d, 1, 3),
                         .outputs = dice_integer(d, 1, 3),
                         .lines = dice_integer(d, 0, 3),
                         .delay_steps = it->delay_steps,
                         .matrix = it->matrix};
    for (int i = 0; i < 3; i++)
        it->delay_steps[i] = dice_integer(d, 1, 6);
    draw_reals(d, 100, it->matrix);
    for (int k = 0; k < 100; k++)
        it->matrix[k] /= 3;
}

static cfpc_bank *bank_of(const cfpc_lti *lti, int32_t width)
{
    const size_t bytes = cfpc_bank_size(lti, width);
    cfpc_bank *bank = NULL;
    assert_ok(cfpc_bank_init(&bank, must_calloc(1, bytes), bytes, lti, width));
    return bank;
}

// Asked for often and with other inputs, the output is what the next step puts out, and the bank
// goes on as one that was never asked.
static void an_output_that_is_asked_for_is_the_next_steps_and_moves_nothing(void **state)
{
    (void)state;
    static const int32_t widths[] = {1, 3, 64, 65, 700};
    static cfpc_real x[3 * 700], other[3 * 700], asked[3 * 700], y[3 * 700], expected[3 * 700];
    dice d = {511};
    for (int draw = 0; draw < 40; draw++) {
        drawn_lti it;
        draw_lti(&d, &it);
        const int32_t width = widths[draw % 5];
        const size_t bytes = (size_t)it.lti.outputs * (size_t)width * sizeof *y;
        cfpc_bank *bank = bank_of(&it.lti, width), *twin = bank_of(&it.lti, width);
        for (int n = 0; n < 15; n++) {
            const bool driven = n % 4 != 3;
            draw_reals(&d, it.lti.inputs * width, x);
            draw_reals(&d, it.lti.inputs * width, other);
            cfpc_bank_output(&it.lti, bank, other, asked);
            cfpc_bank_output(&it.lti, bank, driven ? NULL : other, asked);
            cfpc_bank_output(&it.lti, bank, driven ? x : NULL, asked);
            cfpc_bank_step(&it.lti, bank, driven ? x : NULL, y);
            cfpc_bank_step(&it.lti, twin, driven ? x : NULL, expected);
            assert_memory_equal(asked, y, bytes);
            assert_memory_equal(y, expected, bytes);
        }
        free(bank);
        free(twin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_output_fades_out_and_in_linearly_over_the_steps_that_were_set),
        cmocka_unit_test(a_long_fade_takes_as_many_steps_as_were_set),
        cmocka_unit_test(over_no_steps_it_stops_and_starts_at_once),
        cmocka_unit_test(a_cell_that_is_on_stays_on_and_one_that_is_off_stays_off),
        cmocka_unit_test(a_fade_that_is_interrupted_turns_where_it_stands),
        cmocka_unit_test(whatever_is_asked_for_the_share_never_jumps),
        cmocka_unit_test(nothing_is_learned_on_line_until_the_output_is_wholly_there),
        cmocka_unit_test(nothing_is_learned_in_batch_from_a_trial_without_the_output),
        cmocka_unit_test(the_traces_run_on_through_a_fade),
        cmocka_unit_test(a_fade_that_was_saved_goes_on_bit_for_bit),
        cmocka_unit_test(a_reset_cell_is_wholly_there),
        cmocka_unit_test(an_output_that_is_asked_for_is_the_next_steps_and_moves_nothing),
    };
    return cmocka_run_group_tests_name("core.fade", tests, NULL, NULL);
}
