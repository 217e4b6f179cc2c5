// SPDX-License-Identifier: Apache-2.0
// guard_calm: it changes nothing as long as it does not act.
#include "guard_fixture.h"

// Two cells on the same random signals, whose error goes down: the same bits in all they show.
static void expect_twins(const cfpc_model_def *def, const cfpc_model_def *twin_def, uint64_t seed)
{
    cell it = cell_of(def), twin = cell_of(twin_def);
    dice d = {seed};
    for (int k = 0; k < 40; k++) {
        for (int n = 0; n < STEPS; n++) {
            cfpc_real x[SYNAPSES];
            draw_reals(&d, SYNAPSES, x);
            const cfpc_real e = (cfpc_real)(dice_between(&d, 0.9, 1.1) * pow(0.9, k));
            const cfpc_real o = cfpc_step(it.model, it.data, x, e);
            const cfpc_real twin_o = cfpc_step(twin.model, twin.data, x, e);
            assert_memory_equal(&o, &twin_o, sizeof o);
            expect_same_weights(&it, cfpc_weights(twin.data));
        }
        cfpc_next_trial(it.model, it.data);
        cfpc_next_trial(twin.model, twin.data);
        expect_same_weights(&it, cfpc_weights(twin.data));
        assert_memory_equal(cfpc_traces(it.data), cfpc_traces(twin.data), sizeof zeros);
    }
    assert_memory_not_equal(cfpc_weights(it.data), zeros, sizeof zeros);
    expect_calm(&it);
    expect_calm(&twin);
    cell_free(&it);
    cell_free(&twin);
}

static void a_guard_that_is_off_changes_nothing_whatever_its_settings(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cfpc_model_def none = full_def(modes[i % 2], i > 1), off = none;
        none.guard = (cfpc_guard){0};
        off.guard.on = false;
        off.guard.factor = (cfpc_real)NAN;
        off.guard.rounds = -3;
        expect_twins(&off, &none, 710u + (uint64_t)i);
    }
}

static void a_guard_that_does_not_act_changes_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cfpc_model_def on = full_def(modes[i % 2], i > 1), off = on;
        on.guard.drift = 1;
        off.guard.on = false;
        expect_twins(&on, &off, 720u + (uint64_t)i);
    }
}

// Without a guard there is nothing to begin anew: no byte of the data changes.
static void a_new_phase_without_a_guard_changes_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cfpc_model_def def = full_def(modes[i % 2], i > 1);
        def.guard.on = false;
        cell it = cell_of(&def), twin = cell_of(&def);
        trial(&it, 0.5);
        trial(&twin, 0.5);
        take(&it, 0.75);
        take(&twin, 0.75);
        cfpc_new_phase(it.model, it.data);
        expect_same_bytes(it.data, twin.data);
        cell_free(&it);
        cell_free(&twin);
    }
}

// A trial of no steps is no trial, and without a guard there is none to judge: no byte changes.
static void a_trial_that_is_not_there_is_not_judged(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cfpc_model_def def = full_def(modes[i % 2], false);
        def.guard.on = i > 1;
        cell it = cell_of(&def), twin = cell_of(&def);
        if (!def.guard.on) {
            take(&it, 0.5);
            take(&twin, 0.5);
        }
        cfpc_end_trial(it.model, it.data);
        expect_same_bytes(it.data, twin.data);
        cell_free(&it);
        cell_free(&twin);
    }
}

// By the rule itself: w += η Σ h e in batch, w += η h e on line.
static void with_the_guard_on_the_weights_are_those_of_the_rule(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const cfpc_model_def def = learning_def(modes[i]);
        cell it = cell_of(&def);
        double w = 0;
        for (int k = 0; k < 20; k++) {
            const double e = pow(0.875, k);
            trial(&it, e);
            w += STEPS * (double)def.rule.rate * e;
            for (int j = 0; j < SYNAPSES; j++)
                assert_near(cfpc_weights(it.data)[j], w * input[j], 100 * TOLERANCE);
        }
        expect_calm(&it);
        cell_free(&it);
    }
}

// The same noise in every trial, a little less of it each time.
static void noise_without_output_never_lets_it_act_in_batch(void **state)
{
    (void)state;
    cfpc_model_def def = still_def(CFPC_BATCH);
    def.guard.rounds = 1;
    for (int steps = 1; steps < 40; steps++) {
        cell it = cell_of(&def);
        for (int k = 0; k < 20; k++) {
            dice d = {730};
            for (int n = 0; n < steps; n++)
                take(&it, dice_between(&d, -1, 1) * (1 - 0.001 * k));
            cfpc_next_trial(it.model, it.data);
        }
        expect_calm(&it);
        cell_free(&it);
    }
}

// The reactive error is estimated at every fourth step only; the error at all steps, held against
// that, would be too large by chance, or for a window that is no multiple of four.
static void noise_without_output_never_lets_it_act_on_line(void **state)
{
    (void)state;
    static const int32_t windows[] = {7, STEPS, 100, 1023};
    for (int i = 0; i < 4; i++) {
        cfpc_model_def def = still_def(CFPC_ONLINE);
        def.guard.window_steps = windows[i];
        def.guard.rounds = 2;
        def.guard.drift = 5;
        cell it = cell_of(&def);
        dice d = {731};
        for (int n = 0; n < 100 * windows[i]; n++)
            take(&it, 1 + dice_between(&d, -1, 1));
        expect_calm(&it);
        cell_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guard_that_is_off_changes_nothing_whatever_its_settings),
        cmocka_unit_test(a_guard_that_does_not_act_changes_nothing),
        cmocka_unit_test(a_new_phase_without_a_guard_changes_nothing),
        cmocka_unit_test(a_trial_that_is_not_there_is_not_judged),
        cmocka_unit_test(with_the_guard_on_the_weights_are_those_of_the_rule),
        cmocka_unit_test(noise_without_output_never_lets_it_act_in_batch),
        cmocka_unit_test(noise_without_output_never_lets_it_act_on_line),
    };
    return cmocka_run_group_tests_name("core.guard_calm", tests, NULL, NULL);
}
