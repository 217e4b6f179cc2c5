// SPDX-License-Identifier: Apache-2.0
// tiny: what dies away ends in exact zeros, at the same step by steps and by blocks of any length,
// and nothing subnormal is left. Numbers that do not decay are not touched, however small, and the
// caller's arithmetic is as it was.
#include "blocks_fixture.h"

#include <fenv.h>
#include <float.h>

#include "cfpc/learned.h"
#include "core/numbers.h"

// The definition, once more: below these a state is 0.
#define BORDER ((cfpc_real)(CFPC_REAL_IS_FLOAT ? 0x1.4484cp-100F : 1e-200))
#define BELOW                                                                                      \
    ((cfpc_real)(CFPC_REAL_IS_FLOAT ? nextafterf(0x1.4484cp-100F, 0) : nextafter(1e-200, 0)))
#define LEAST ((cfpc_real)(CFPC_REAL_IS_FLOAT ? FLT_MIN : DBL_MIN)) // that is normal

enum { SYNAPSES = 27, SILENCE = 2400, EVERY = 32 };

static bool is_plus_zero(cfpc_real v)
{
    return v == 0 && !signbit(v);
}

// ---- one number ------------------------------------------------------------------------------

static void the_border_is_exact(void **state)
{
    (void)state;
    assert_true(cfpci_settled(0x1.4484cp-100F) == 0x1.4484cp-100F &&
                cfpci_settled(-0x1.4484cp-100F) == -0x1.4484cp-100F);
    assert_true(cfpci_settled(nextafterf(0x1.4484cp-100F, 0)) == 0);
    assert_true(cfpci_settled(1e-200) == 1e-200 && cfpci_settled(-1e-200) == -1e-200);
    assert_true(cfpci_settled(nextafter(1e-200, 0)) == 0);
    assert_true(is_plus_zero(cfpci_settled(-BELOW)) && is_plus_zero(cfpci_settled(-LEAST / 4)));
    assert_true(is_plus_zero(cfpci_settled((cfpc_real)-0.0)));
    assert_true(isnan(cfpci_settled((cfpc_real)NAN)));
    assert_true(cfpci_settled((cfpc_real)-INFINITY) == (cfpc_real)-INFINITY);
}

// The same of many numbers at once, in every place where a kernel may begin.
static void so_is_that_of_many(void **state)
{
    (void)state;
    static const cfpc_real from[] = {1, -1, 0, 2, -3, 0.5, 100, (cfpc_real)1e30};
    cfpc_real values[SYNAPSES], copied[SYNAPSES];
    for (int shift = 0; shift < 8; shift++) {
        for (int j = 0; j < SYNAPSES; j++)
            values[j] = j % 3 == 0   ? BORDER * from[(j + shift) % 8]
                        : j % 3 == 1 ? BELOW * (cfpc_real)(j % 2 ? 1 : -1)
                                     : (cfpc_real)NAN;
        cfpci_copy_settled(copied, values, SYNAPSES);
        cfpci_settle(values, SYNAPSES);
        for (int j = 0; j < SYNAPSES; j++)
            if (j % 3 == 0)
                assert_true(values[j] ==
                            (from[(j + shift) % 8] == 0.5 ? 0 : BORDER * from[(j + shift) % 8]));
            else
                assert_true(j % 3 == 1 ? is_plus_zero(values[j]) : isnan(values[j]));
        assert_memory_equal(copied, values, sizeof copied);
    }
}

// ---- traces ----------------------------------------------------------------------------------

// Steps with these inputs by blocks of this length (0: by steps), e = 0.
static void run(cell *it, const cfpc_real *x, int steps, int block)
{
    static const cfpc_real silence[DEAD_TIME * SYNAPSES], e[DEAD_TIME];
    cfpc_real o[DEAD_TIME];
    for (int n = 0, some = 1; n < steps; n += some) {
        const bool table = cfpc_model_adjoint(it->model).past == CFPC_PAST_TABLE;
        const cfpc_real *row = table ? NULL : x ? x + (ptrdiff_t)n * it->data->synapses : silence;
        some = steps - n < block ? steps - n : block ? block : 1;
        if (block)
            assert_ok(cfpc_step_block(it->model, it->data, row, e, some, o));
        else
            cfpc_step(it->model, it->data, row, 0);
    }
}

static const cfpc_real *states_of(const cell *it)
{
    const cfpc_bank *bank = cfpci_data_bank(it->data);
    return (const cfpc_real *)((const char *)bank + bank->state_at);
}

// States and lines.
static size_t values_of(const cell *it)
{
    const cfpc_bank *bank = cfpci_data_bank(it->data);
    return (bank->scratch_at - bank->state_at) / sizeof(cfpc_real);
}

static void expect_zeros(const cell *it)
{
    for (size_t k = 0; k < values_of(it); k++)
        assert_true(is_plus_zero(states_of(it)[k]));
}

// A line that feeds itself: the only memory.
static cfpc_lti comb_trace(void)
{
    static const int32_t delay_steps[] = {7};
    static const cfpc_real matrix[] = {0, 1, 1, (cfpc_real)-0.75};
    return (cfpc_lti){0, 1, 1, 1, delay_steps, matrix};
}

// Those that die away: all but small_trace, which grows.
static cfpc_lti dying_trace(int kind)
{
    return kind == 6 ? comb_trace() : trace_of_kind(kind);
}

// A signal a million times as large as the border dies away long before numbers get subnormal.
static void every_trace_ends_in_zeros(void **state)
{
    (void)state;
    enum { WAYS = 5, BEGIN = 20 };
    static const int blocks[WAYS] = {0, 1, 7, 32, DEAD_TIME};
    for (int kind = 0; kind < TRACES; kind++) {
        const cfpc_model_def def = block_def(SYNAPSES, dying_trace(kind));
        cell all[WAYS];
        dice d = {.state = 3};
        cfpc_real x[BEGIN * SYNAPSES];
        draw_reals(&d, BEGIN * SYNAPSES, x);
        for (int k = 0; k < BEGIN * SYNAPSES; k++)
            x[k] *= BORDER * 1000000;
        for (int way = 0; way < WAYS; way++) {
            all[way] = cell_of(&def);
            run(&all[way], x, BEGIN, blocks[way]);
        }
        for (int n = 0; n < SILENCE; n += SILENCE / 20)
            for (int way = 0; way < WAYS; way++) {
                run(&all[way], NULL, SILENCE / 20, blocks[way]);
                assert_same_cells(&all[way], &all[0]);
            }
        expect_zeros(&all[0]);
        for (int way = 0; way < WAYS; way++)
            cell_free(&all[way]);
    }
}

// A state that stays as it is, and one that a line delays: s⁺ = s + x, z = x.
static cfpc_lti lasting_trace(bool has_line)
{
    static const int32_t delay_steps[] = {5};
    static const cfpc_real alone[] = {1, 1, 1, 0}, behind_line[] = {1, 0, 1, 1, 0, 0, 0, 1, 0};
    return (cfpc_lti){
        1, 1, 1, has_line, has_line ? delay_steps : NULL, has_line ? behind_line : alone};
}

// States are settled after every 32nd step of the trial, a line's input in every step.
static void the_place_is_exact(void **state)
{
    (void)state;
    static const int blocks[] = {0, 1, 3, 31, DEAD_TIME};
    for (int b = 0; b < 5; b++) {
        cfpc_real x[6 * SYNAPSES] = {0};
        for (int j = 0; j < SYNAPSES; j++)
            x[j] = j % 2 ? BELOW : -BORDER;
        const cfpc_model_def def = block_def(SYNAPSES, lasting_trace(false));
        const cfpc_model_def late = block_def(SYNAPSES, lasting_trace(true));
        cell it = cell_of(&def), behind = cell_of(&late);
        run(&it, x, 1, blocks[b]);
        run(&it, NULL, EVERY - 2, blocks[b]);
        for (int j = 0; j < SYNAPSES; j++)
            assert_true(states_of(&it)[j] == x[j]);
        run(&it, NULL, 1, blocks[b]);
        for (int j = 0; j < SYNAPSES; j++)
            assert_true(states_of(&it)[j] == (j % 2 ? 0 : -BORDER));
        run(&behind, x, 6, blocks[b]);
        for (int j = 0; j < SYNAPSES; j++)
            assert_true(states_of(&behind)[j] == (j % 2 ? 0 : -BORDER));
        cell_free(&it);
        cell_free(&behind);
    }
}

// A bank that is run many steps at a time settles the lines as one that steps.
static void so_is_that_of_a_run(void **state)
{
    (void)state;
    const cfpc_lti lti = modal_trace();
    cfpc_bank *banks[2];
    cfpc_real scratch[5 * CFPC_RUN], x[CFPC_RUN] = {0}, y[CFPC_RUN], z;
    assert_int_equal(cfpci_run_scratch(&lti), 5 * CFPC_RUN);
    for (int k = 0; k < 2; k++) {
        const size_t bytes = cfpc_bank_size(&lti, 1);
        assert_ok(cfpc_bank_init(&banks[k], must_calloc(1, bytes), bytes, &lti, 1));
    }
    x[0] = 100 * BORDER;
    x[9] = BELOW;
    for (int n = 0; n < 2000; n += 20, x[0] = x[9] = 0) {
        cfpci_bank_run(&lti, banks[0], scratch, x, y, 20);
        for (int k = 0; k < 20; k++) {
            cfpc_bank_step(&lti, banks[1], x + k, &z);
            assert_memory_equal(&z, y + k, sizeof z);
        }
    }
    const cfpc_real *slots = (const cfpc_real *)((const char *)banks[0] + banks[0]->slot_at);
    for (int k = 0; k < LINE; k++)
        assert_true(is_plus_zero(slots[k]));
    assert_memory_equal(slots, (const char *)banks[1] + banks[1]->slot_at, LINE * sizeof *slots);
    free(banks[0]);
    free(banks[1]);
}

// The response of the guard is settled whenever its steps are counted.
static void so_is_that_of_the_guard(void **state)
{
    (void)state;
    static const cfpc_real matrix[] = {1, 0, 0, 1}; // s⁺ = s, y = x
    cfpc_model_def def = block_def(2, cfpc_trace_none());
    def.guard = cfpc_default_model_def().guard;
    def.guard.window_steps = EVERY;
    def.guard.settle_steps = 1;
    def.response = (cfpc_lti){.states = 1, .inputs = 1, .outputs = 1, .matrix = matrix};
    cell it = cell_of(&def);
    cfpc_bank *bank = cfpci_data_response(it.data);
    cfpc_real *s = (cfpc_real *)((char *)bank + bank->state_at);
    static const cfpc_real x[] = {1, 0};
    for (int n = 0; n < 2 * EVERY; n++) // the loop alone is seen, and then the cell puts out
        cfpc_step(it.model, it.data, x, 1);
    cfpc_weights(it.data)[0] = (cfpc_real)0.01;
    *s = -BORDER;
    for (int n = 0; n < EVERY; n++)
        assert_true(cfpc_step(it.model, it.data, x, 1) != 0);
    assert_true(*s == -BORDER);
    *s = -BELOW;
    for (int n = 0; n < EVERY; n++)
        assert_true(cfpc_step(it.model, it.data, x, 1) != 0);
    assert_true(is_plus_zero(*s));
    cell_free(&it);
}

// ---- weights ---------------------------------------------------------------------------------

enum { FORMS = 5 }; // by traces that are run in two ways, in adjoint form, held, with its past kept

static cfpc_model_def leaky_def(int form)
{
    static const cfpc_real taps[] = {1, (cfpc_real)0.5}, basis[SYNAPSES];
    cfpc_model_def def = block_def(SYNAPSES, form == 1 ? two_line_trace() : cfpc_trace_none());
    def.rule.leak = (cfpc_real)0.5;
    if (form > 1)
        def.adjoint = (cfpc_adjoint_form){.taps = taps,
                                          .horizon = 1,
                                          .held = form == 3,
                                          .past = form == 4 ? CFPC_PAST_KEPT : CFPC_PAST_TABLE};
    if (form == 2 || form == 3) {
        def.basis = basis;
        def.steps = 1;
    }
    return def;
}

// After 32 steps that halve it a weight below the border is 0, one at the border is not.
static void leaking_weights_end_in_zeros(void **state)
{
    (void)state;
    static const int blocks[] = {0, 1, 4, DEAD_TIME};
    for (int form = 0; form < FORMS; form++)
        for (int b = 0; b < 4; b++) {
            const cfpc_model_def def = leaky_def(form);
            cell it = cell_of(&def);
            for (int j = 0; j < SYNAPSES; j++)
                cfpc_weights(it.data)[j] = (cfpc_real)0x1p32 * (j % 2 ? BELOW : -BORDER);
            run(&it, NULL, EVERY - 1, blocks[b]);
            for (int j = 0; j < SYNAPSES; j++)
                assert_true(cfpc_weights(it.data)[j] == 2 * (j % 2 ? BELOW : -BORDER));
            run(&it, NULL, 1, blocks[b]);
            for (int j = 0; j < SYNAPSES; j++)
                assert_true(cfpc_weights(it.data)[j] == (j % 2 ? 0 : -BORDER));
            run(&it, NULL, EVERY, blocks[b]);
            for (int j = 0; j < SYNAPSES; j++)
                assert_true(is_plus_zero(cfpc_weights(it.data)[j]));
            cell_free(&it);
        }
}

// In batch it is the end of every trial, of any length.
static void so_do_those_of_trials(void **state)
{
    (void)state;
    cfpc_model_def def = leaky_def(0);
    def.rule.mode = CFPC_BATCH;
    cell it = cell_of(&def);
    for (int j = 0; j < SYNAPSES; j++)
        cfpc_weights(it.data)[j] = 4 * (j % 2 ? BELOW : -BORDER);
    for (int trial = 0; trial < 2; trial++) {
        run(&it, NULL, 7, 0);
        cfpc_next_trial(it.model, it.data);
    }
    for (int j = 0; j < SYNAPSES; j++)
        assert_true(cfpc_weights(it.data)[j] == (j % 2 ? 0 : -BORDER));
    cell_free(&it);
}

static void so_does_momentum(void **state)
{
    (void)state;
    cfpc_model_def def = block_def(SYNAPSES, cfpc_trace_none());
    def.rule.momentum = (cfpc_real)0.5;
    cell it = cell_of(&def);
    cfpc_real *change = cfpci_data_array(it.data, it.data->change_at);
    for (int j = 0; j < SYNAPSES; j++)
        change[j] = (cfpc_real)0x1p32 * (j % 2 ? BELOW : -BORDER);
    run(&it, NULL, EVERY - 1, 0);
    for (int j = 0; j < SYNAPSES; j++)
        assert_true(change[j] == 2 * (j % 2 ? BELOW : -BORDER));
    run(&it, NULL, 1, 0);
    for (int j = 0; j < SYNAPSES; j++)
        assert_true(change[j] == (j % 2 ? 0 : -BORDER));
    cell_free(&it);
}

// What does not decay is not touched: a small weight stays.
static void small_weights_stay(void **state)
{
    (void)state;
    for (int block = 0; block < 40; block += 13) {
        const cfpc_model_def def = block_def(SYNAPSES, modal_trace());
        cell it = cell_of(&def);
        for (int j = 0; j < SYNAPSES; j++)
            cfpc_weights(it.data)[j] = BELOW;
        run(&it, NULL, 100, block);
        for (int j = 0; j < SYNAPSES; j++)
            assert_true(cfpc_weights(it.data)[j] == BELOW);
        cell_free(&it);
    }
}

// ---- signals ---------------------------------------------------------------------------------

// In adjoint form a tiny teaching signal is none: nothing is due.
static void tiny_errors_do_not_teach_late(void **state)
{
    (void)state;
    for (int form = 2; form < FORMS; form++)
        for (int blocks = 0; blocks < 2; blocks++)
            for (int tiny = 0; tiny < 2; tiny++) {
                const cfpc_model_def def = leaky_def(form);
                const cfpc_real zeros[SYNAPSES] = {0}, *x = form == 4 ? zeros : NULL;
                const cfpc_real e = tiny ? BELOW : BORDER;
                cell it = cell_of(&def);
                cfpc_real o;
                if (blocks)
                    assert_ok(cfpc_step_block(it.model, it.data, x, &e, 1, &o));
                else
                    cfpc_step(it.model, it.data, x, e);
                assert_int_equal(cfpc_due(it.data), !tiny);
                cell_free(&it);
            }
}

// x⁺ = x/2 in every synapse of a leaky source.
static void leaky_inputs_end_in_zeros(void **state)
{
    (void)state;
    const cfpc_model_def def = block_def(SYNAPSES, cfpc_trace_none());
    cell it = cell_of(&def);
    static const cfpc_real u[4], e[4];
    cfpc_real decay[SYNAPSES], last[SYNAPSES], o[4];
    for (int j = 0; j < SYNAPSES; j++) {
        decay[j] = (cfpc_real)0.5;
        last[j] = 16 * (j % 2 ? BELOW : -BORDER);
    }
    const cfpc_source source = {.kind = CFPC_LEAKY, .signal = u, .decay = decay, .last = last};
    assert_ok(cfpc_step_block_from(it.model, it.data, &source, e, 4, o));
    for (int j = 0; j < SYNAPSES; j++)
        assert_true(last[j] == (j % 2 ? 0 : -BORDER));
    cell_free(&it);
}

// ---- after a long silence --------------------------------------------------------------------

static bool is_subnormal(cfpc_real v)
{
    return v != 0 && v > -LEAST && v < LEAST;
}

static void expect_none_subnormal(const cfpc_real *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        assert_false(is_subnormal(values[k]));
}

// A cell that has learned from a signal of size 1 and then hears nothing: far more steps than its
// traces, weights and momentum take to be subnormal.
static void nothing_subnormal_is_left(void **state)
{
    (void)state;
    for (int kind = 0; kind < TRACES + 3; kind++) {
        cfpc_model_def def = block_def(SYNAPSES, dying_trace(kind < TRACES ? kind : 0));
        if (kind > TRACES)
            def.rule.momentum = (cfpc_real)0.9;
        def.rule.leak = kind == TRACES || kind == TRACES + 2 ? (cfpc_real)0.01 : 0;
        def.trace = kind == 0 || kind >= TRACES ? lag_trace() : def.trace; // quick
        cell it = cell_of(&def);
        cfpc_real x[SYNAPSES];
        dice d = {.state = 4};
        for (int n = 0; n < 50; n++) {
            draw_reals(&d, SYNAPSES, x);
            cfpc_step(it.model, it.data, x, x[0]);
        }
        run(&it, NULL, (CFPC_REAL_IS_FLOAT ? 10 : 75) * 1000, 0);
        expect_none_subnormal(states_of(&it), values_of(&it));
        expect_none_subnormal(cfpc_weights(it.data), SYNAPSES);
        if (def.rule.momentum != 0)
            expect_none_subnormal(cfpci_data_array(it.data, it.data->change_at), SYNAPSES);
        if (def.rule.leak != 0)
            assert_true(cfpc_weights(it.data)[0] == 0);
        cell_free(&it);
    }
}

// The sums of a learned model, of which those of the last steps are the end of its image.
static void nor_in_a_learned_model(void **state)
{
    (void)state;
    cfpc_learned_def def = cfpc_default_learned_def();
    def.probe_rms = 1;
    def.memory_steps = 50;
    def.dead_time_steps = 20;
    const size_t bytes = cfpc_learned_size(&def);
    cfpc_learned *learned = NULL;
    assert_ok(cfpc_learned_init(&learned, must_calloc(1, bytes), bytes, &def));
    dice d = {.state = 6};
    for (int n = 0; n < 2000; n++)
        cfpc_learned_observe(learned,
                             cfpc_learned_probe(learned) + (cfpc_real)dice_between(&d, -0.1, 0.1));
    const size_t window = (size_t)def.dead_time_steps + 1, taps = (size_t)def.horizon + 1;
    const size_t count =
        (window * (5 + (size_t)def.functions) + 2 * (size_t)def.whitening) + 2 * taps;
    const cfpc_real *end = (const cfpc_real *)((const char *)learned + bytes);
    for (int n = 0; n < (CFPC_REAL_IS_FLOAT ? 10 : 60) * 1000; n++) {
        cfpc_learned_probe(learned);
        cfpc_learned_observe(learned, 0);
        if (n % 97 == 0)
            expect_none_subnormal(end - count, count);
    }
    const cfpc_real *cross = end - 2 * taps - window; // sums that fall with what is taught
    for (size_t k = 0; k < window; k++)
        assert_true(cross[k] == 0 || fabs((double)cross[k]) >= (double)BORDER);
    assert_true(cfpc_learned_share(learned) > 0); // nothing overflowed, and began again
    assert_false(cfpc_learned_ready(learned));
    free(learned);
}

// ---- the caller ------------------------------------------------------------------------------

// No mode of the processor is set, neither for the core nor after it: where nothing decays a number
// too small to be normal is still a number, and rounding is the caller's.
static void arithmetic_is_the_callers(void **state)
{
    (void)state;
    const cfpc_model_def def = block_def(SYNAPSES, cfpc_trace_none());
    cell it = cell_of(&def);
    volatile cfpc_real least = LEAST;
    cfpc_real x[SYNAPSES] = {least / 4}, e = 1, o;
    const int rounding = fegetround();
    cfpc_weights(it.data)[0] = 2;
    assert_true(cfpc_act(it.model, it.data, x) == least / 2);
    assert_true(cfpc_traces(it.data)[0] == least / 4 && least / 4 > 0);
    cfpc_learn(it.model, it.data, e);
    assert_ok(cfpc_step_block(it.model, it.data, x, &e, 1, &o));
    assert_true(o == least / 2 && least / 4 > 0);
    cfpc_next_trial(it.model, it.data);
    assert_true(least / 4 > 0);
    assert_int_equal(fegetround(), rounding);
    cell_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_border_is_exact),
                                       cmocka_unit_test(so_is_that_of_many),
                                       cmocka_unit_test(every_trace_ends_in_zeros),
                                       cmocka_unit_test(the_place_is_exact),
                                       cmocka_unit_test(so_is_that_of_a_run),
                                       cmocka_unit_test(so_is_that_of_the_guard),
                                       cmocka_unit_test(leaking_weights_end_in_zeros),
                                       cmocka_unit_test(so_do_those_of_trials),
                                       cmocka_unit_test(so_does_momentum),
                                       cmocka_unit_test(small_weights_stay),
                                       cmocka_unit_test(tiny_errors_do_not_teach_late),
                                       cmocka_unit_test(leaky_inputs_end_in_zeros),
                                       cmocka_unit_test(nothing_subnormal_is_left),
                                       cmocka_unit_test(nor_in_a_learned_model),
                                       cmocka_unit_test(arithmetic_is_the_callers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
