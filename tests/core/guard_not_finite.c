// SPDX-License-Identifier: Apache-2.0
// guard_not_finite: errors, inputs and weights that are not finite; and whatever else may come.
#include "guard_fixture.h"

// BAD_WATCH: a caller that teaches with another signal reports the error.
typedef enum fault { BAD_ERROR, BAD_INPUT, BAD_WEIGHT, BAD_WATCH, FAULTS } fault;

static const double bad[] = {NAN, INFINITY, -INFINITY};

static void make_fault(loop *l, fault what, double value)
{
    const cfpc_real x[SYNAPSES] = {(cfpc_real)(what == BAD_INPUT ? value : 1), 1};
    if (what == BAD_WEIGHT)
        cfpc_weights(l->it.data)[1] = (cfpc_real)value;
    const cfpc_real o = cfpc_act(l->it.model, l->it.data, x);
    cfpc_teach(l->it.model, l->it.data, (cfpc_real)(what == BAD_ERROR ? value : 0.5));
    cfpc_watch(l->it.model, l->it.data, (cfpc_real)(what == BAD_WATCH ? value : 0.5));
    assert_true(isfinite(o));
}

static void what_is_not_finite_brings_back_the_best_weights_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS * 3 * FAULTS; i++) {
        loop l = known_kind(i % KINDS);
        play_with(&l, 0.75, 5);
        put_share(&l, 0.5);
        play_steps(&l, 5);
        make_fault(&l, (fault)(i / KINDS / 3), bad[i / KINDS % 3]);
        expect_acts(&l, 1, CFPC_GUARD_NOT_FINITE);
        assert_int_equal(cfpc_flags(l.it.data) & ~(uint32_t)CFPC_FLAG_NOT_FINITE,
                         CFPC_FLAG_GUARDED);
        assert_true(has_share(&l, 0.75));
        const cfpc_guard_act last = cfpc_guard_last(l.it.data);
        assert_true(last.with_cell == 0 && last.alone == 0 && !last.world_changed);
        assert_int_equal(last.step, 6 * ROUND + 5);
        assert_int_equal(l.it.data->guard.tries, 1);
        l.o = 0;
        play(&l, 20);
        assert_true(has_share(&l, 0.75));
        assert_true(fabs(l.e) <= 0.25 + TOLERANCE);
        expect_acts(&l, 1, CFPC_GUARD_NOT_FINITE);
        loop_free(&l);
    }
}

// An input that is not finite would stay in the traces and in the response for ever. Nothing is
// learned until the round ends; then everything is as in a cell that begins here.
static void what_is_not_finite_leaves_no_trace(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * 2; i++) {
        static const int32_t delay_steps[] = {5};
        static const cfpc_real matrix[] = {0.5, 1, 0, 1, 0, 0.25, 0.5, 1, 0};
        cfpc_model_def def = still_def(modes[i % 2], 1);
        def.rule.rate = (cfpc_real)0.01;
        def.trace = def.response = (cfpc_lti){1, 1, 1, 1, delay_steps, matrix};
        loop l = known_loop(&def), fresh = known_loop(&def);
        next_trial(&fresh);
        play(&l, 1);
        play_steps(&l, 4);
        make_fault(&l, BAD_ERROR, i < 4 ? 0.5 : INFINITY); // then it comes after an act
        make_fault(&l, BAD_INPUT, bad[i / 2]);
        expect_acts(&l, 1, CFPC_GUARD_NOT_FINITE);
        cfpc_real w[SYNAPSES];
        memcpy(w, cfpc_weights(l.it.data), sizeof w);
        for (int n = 6; n < 2 * ROUND; n++) {
            const cfpc_real x[SYNAPSES] = {1, (cfpc_real)0.5};
            const cfpc_real o = cfpc_step(l.it.model, l.it.data, x, (cfpc_real)0.5);
            cfpc_step(fresh.it.model, fresh.it.data, x, (cfpc_real)0.5);
            assert_memory_equal(cfpc_traces(l.it.data), cfpc_traces(fresh.it.data), sizeof zeros);
            assert_true(isfinite(o) && isfinite(l.it.data->guard.alone));
            if (n == ROUND - 1) {
                next_trial(&l);
                next_trial(&fresh);
                assert_memory_equal(cfpc_weights(l.it.data), w, sizeof w);
            }
        }
        next_trial(&l);
        assert_true(cfpc_weights(l.it.data)[0] > w[0]); // finite
        expect_acts(&l, 1, CFPC_GUARD_NOT_FINITE);
        loop_free(&l);
        loop_free(&fresh);
    }
}

// An error that is finite, but not its square; at work, and in the round of the loop alone, which
// is then not taken.
static void an_error_whose_square_is_too_large_is_caught(void **state)
{
    (void)state;
    const cfpc_real large = (cfpc_real)(CFPC_REAL_IS_FLOAT ? 1e30 : 1e200L);
    for (int kind = 0; kind < KINDS; kind++) {
        const cfpc_model_def def = def_of_kind(kind);
        loop l = known_loop(&def), first = loop_of(&def);
        put_share(&l, 0.5);
        play_steps(&l, 4);
        cfpc_watch(l.it.model, l.it.data, large);
        expect_acts(&l, 1, CFPC_GUARD_NOT_FINITE);
        assert_true(has_share(&l, 0));
        cfpc_watch(first.it.model, first.it.data, large);
        play_steps(&first, ROUND - 1);
        if (first.trials)
            next_trial(&first);
        assert_true(cfpc_baseline(first.it.data) == 0);
        first.n = 0;
        play(&first, 1);
        assert_near(cfpc_baseline(first.it.data), MEAN, TOLERANCE);
        loop_free(&l);
        loop_free(&first);
    }
}

// ---- anything --------------------------------------------------------------------------------

static cfpc_model_def draw_def(dice *d)
{
    cfpc_model_def def = def_of_kind(dice_integer(d, 0, KINDS - 1));
    def.rule.rate = (cfpc_real)pow(10, dice_between(d, -3, 1));
    if (!def.adjoint.taps && dice_integer(d, 0, 1)) {
        def.rule.leak = (cfpc_real)0.01;
        def.rule.momentum = (cfpc_real)0.5;
        def.rule.normaliser = (cfpc_real)0.25;
        def.rule.output_penalty = (cfpc_real)0.1;
        def.rule.weight_low = -1;
        def.rule.weight_high = 1;
    }
    def.guard.factor = (cfpc_real)dice_between(d, 1, 3);
    def.guard.spread = (cfpc_real)dice_between(d, -0.5, 0.5);
    def.guard.window_steps = dice_integer(d, 0, 40);
    def.guard.settle_steps = dice_integer(d, -1, 40);
    def.guard.saturated_steps = dice_integer(d, 0, 10);
    def.guard.tries = dice_integer(d, 1, 10);
    def.guard.resume = (cfpc_real)(dice_integer(d, 0, 1) ? dice_between(d, 0, 0.99) : 0);
    return def;
}

static double draw_error(dice *d)
{
    static const double odd[] = {INFINITY, -INFINITY, NAN, 1e30, -1e30, 0};
    return dice_integer(d, 0, 60) == 0 ? odd[dice_integer(d, 0, 5)] : dice_between(d, -2, 2);
}

static void carry(cell *it)
{
    cfpc_data *to = data_of(it->model);
    cfpc_guard_carry(it->data, it->model, to);
    free(it->data);
    it->data = to;
}

static void call_something(cell *it, dice *d)
{
    switch (dice_integer(d, 0, 60)) {
    case 0:
        cfpc_clear_flags(it->data, (uint32_t)dice_integer(d, 0, 7));
        break;
    case 1:
        cfpc_disable(it->data, dice_integer(d, 0, 20));
        break;
    case 2:
        cfpc_enable(it->data, dice_integer(d, 0, 20));
        break;
    case 3:
        cfpc_end_trial(it->model, it->data);
        break;
    case 4:
        carry(it);
        break;
    case 5:
    case 6:
    case 7:
        cfpc_next_trial(it->model, it->data);
        break;
    default:
        cfpc_saturated(it->model, it->data, dice_integer(d, 0, 2) == 0);
    }
}

// Memory is of exactly their size, so that sanitizers see a step outside.
static void whatever_comes_weights_and_outputs_stay_finite(void **state)
{
    (void)state;
    dice d = {790};
    int acts = 0, pauses = 0;
    for (int draw = 0; draw < 600; draw++) {
        const cfpc_model_def def = draw_def(&d);
        cell it = cell_of(&def);
        for (int n = 0; n < 1000; n++) {
            cfpc_real x[SYNAPSES];
            draw_reals(&d, SYNAPSES, x);
            const bool paused = cfpc_guard_paused(it.data);
            const cfpc_real o = cfpc_step(it.model, it.data, x, (cfpc_real)draw_error(&d));
            assert_true(isfinite(o) && (o == 0 || !paused));
            call_something(&it, &d);
            assert_true(isfinite(cfpc_weights(it.data)[0] + cfpc_weights(it.data)[1]));
            assert_true(isfinite(cfpc_baseline(it.data)));
        }
        const cfpc_guard_act last = cfpc_guard_last(it.data);
        assert_true(isfinite(last.with_cell) && isfinite(last.alone));
        assert_in_range(cfpc_guard_paused_steps(it.data), 0, 1000);
        acts += cfpc_guard_acts(it.data);
        pauses += cfpc_guard_pauses(it.data);
        cell_free(&it);
    }
    assert_true(acts > 1000 && pauses > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_finite_brings_back_the_best_weights_at_once),
        cmocka_unit_test(what_is_not_finite_leaves_no_trace),
        cmocka_unit_test(an_error_whose_square_is_too_large_is_caught),
        cmocka_unit_test(whatever_comes_weights_and_outputs_stay_finite),
    };
    return cmocka_run_group_tests_name("core.guard_not_finite", tests, NULL, NULL);
}
