// SPDX-License-Identifier: Apache-2.0
// guard_innocent: who is never suspected, whatever the error does.
#include "guard_fixture.h"

// Noise whose size changes by up to 1000, at some steps for good, at others for one step.
typedef struct weather {
    dice d;
    double size;
} weather;

static double error_in(weather *it)
{
    const int what = dice_integer(&it->d, 0, 199);
    const double jump = pow(10, dice_between(&it->d, -3, 3));
    if (what == 0)
        it->size = jump;
    return it->size * dice_between(&it->d, -1, 1) * (what == 1 ? jump : 1);
}

// 60 rounds and more, on line of 16 steps, in trials of any length.
static void live_through(loop *l, uint64_t seed, bool own_input)
{
    weather sky = {{seed}, 1};
    for (int n = 0; n < 1000; n++) {
        const cfpc_real e = (cfpc_real)error_in(&sky), x[SYNAPSES] = {own_input ? e : 1, 0};
        cfpc_step(l->it.model, l->it.data, x, e);
        if (l->trials && dice_integer(&sky.d, 0, 9) == 0)
            next_trial(l);
    }
}

static void a_cell_without_output_is_never_suspected(void **state)
{
    (void)state;
    for (int i = 0; i < 50 * 2 * KINDS; i++) {
        cfpc_model_def def = def_of_kind(i % KINDS);
        def.guard.spread = i / KINDS % 2 ? -1 : 0;
        loop l = loop_of(&def);
        live_through(&l, 100u + (uint64_t)i, false);
        expect_calm(&l);
        assert_true(cfpc_baseline(l.it.data) > 0);
        loop_free(&l);
    }
}

// o = w e, and the model says that it takes off as much. The control, of 0.9, is suspected.
static void
a_cell_whose_output_is_far_below_a_thousandth_of_the_error_is_never_suspected(void **state)
{
    (void)state;
    static const double weights[] = {1e-4, -1e-4, 1e-9, -0.9};
    int pauses = 0;
    for (int i = 0; i < 50 * 2 * 4; i++) {
        cfpc_model_def def = still_def(modes[i % 2], 1);
        def.response = cfpc_trace_none();
        def.guard.settle_steps = 0;
        def.guard.spread = i / 8 % 2 ? -1 : 0;
        loop l = known_loop(&def);
        cfpc_weights(l.it.data)[0] = (cfpc_real)weights[i / 2 % 4];
        live_through(&l, 300u + (uint64_t)i, true);
        if (i / 2 % 4 < 3)
            expect_calm(&l);
        else
            pauses += cfpc_guard_pauses(l.it.data);
        loop_free(&l);
    }
    assert_true(pauses > 100);
}

// The error is the same with and without the cell; the model may say anything of it.
static void an_output_that_never_reaches_the_error_is_never_found_guilty(void **state)
{
    (void)state;
    static const double beliefs[] = {0, 1, -1, 0.3};
    for (int i = 0; i < 16; i++) {
        cfpc_model_def def = still_def(modes[i % 2], beliefs[i / 2 % 4]);
        def.rule.rate = (cfpc_real)(i < 8 ? 0.01 : 0.0001);
        loop l = known_loop(&def);
        l.gain = 0;
        play_with(&l, 0.1, 200);
        expect_acts(&l, 0, CFPC_GUARD_NOTHING);
        assert_true(cfpc_guard_pauses(l.it.data) <= 20);
        assert_true(cfpc_weights(l.it.data)[0] > 0.1); // it learns, in vain
        loop_free(&l);
    }
}

// Noise of any size; what is left by the cell is 0.7 of the error that it can take off.
static void chance_is_not_held_against_a_cell_that_helps(void **state)
{
    (void)state;
    int acts = 0, paused = 0;
    for (int i = 0; i < 20 * KINDS; i++) {
        cfpc_model_def def = def_of_kind(i % KINDS);
        def.guard.spread = -1;
        loop l = loop_of(&def);
        l.noise = pow(2, i / KINDS % 5 - 3);
        l.d.state = 500u + (uint64_t)i;
        play(&l, 4);
        play_with(&l, 0.3, 100);
        acts += cfpc_guard_acts(l.it.data);
        paused += (int)cfpc_guard_paused_steps(l.it.data);
        loop_free(&l);
    }
    assert_int_equal(acts, 0);
    assert_true(paused < 20 * KINDS * 100 * ROUND / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_without_output_is_never_suspected),
        cmocka_unit_test(
            a_cell_whose_output_is_far_below_a_thousandth_of_the_error_is_never_suspected),
        cmocka_unit_test(an_output_that_never_reaches_the_error_is_never_found_guilty),
        cmocka_unit_test(chance_is_not_held_against_a_cell_that_helps),
    };
    return cmocka_run_group_tests_name("core.guard_innocent", tests, NULL, NULL);
}
