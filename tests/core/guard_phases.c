// SPDX-License-Identifier: Apache-2.0
// guard_phases: new phases, and flags that are lowered.
#include "guard_fixture.h"

static void a_new_phase_is_measured_anew(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        def.guard.drift = 1;
        cell it = cell_of(&def);
        trial(&it, 1);
        trial_with(&it, 1, 0.5);
        cfpc_new_phase(it.model, it.data);
        assert_true(cfpc_baseline(it.data) == 0);
        cfpc_disable(it.data, 0);
        trial(&it, 4); // far above what was
        cfpc_enable(it.data, 0);
        assert_true(cfpc_baseline(it.data) == 16 * STEPS);
        expect_weights(&it, 1);
        for (int k = 0; k < 8; k++)
            trial(&it, 2.75);
        expect_calm(&it);
        trial(&it, 7);
        expect_acts(&it, 1, CFPC_GUARD_ROUND);
        expect_weights(&it, 1); // they proved good in this phase
        cell_free(&it);
    }
}

static void what_was_best_in_a_phase_is_not_in_the_next(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        def.guard.estimates = false;
        cell it = known_cell(&def);
        settle_with(&it, 1, 0.25);
        cfpc_new_phase(it.model, it.data);
        cfpc_disable(it.data, 0);
        trial(&it, 1);
        cfpc_enable(it.data, 0);
        trial(&it, 2);
        expect_acts(&it, 1, CFPC_GUARD_ROUND);
        expect_zero(&it);
        cell_free(&it);
    }
}

// The first trial of the new phase has output: e + w tells the loop alone, with w = 1 then 3.
static void the_first_trial_of_a_new_phase_is_estimated(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const cfpc_model_def def = still_def(modes[i % 2]);
        cell it = known_cell(&def);
        cfpc_weights(it.data)[0] = 1;
        trial(&it, 0.5);
        if (i < 2) {
            cfpc_new_phase(it.model, it.data);
        } else { // the trial before is not the new phase's
            take_many(&it, STEPS, 0.25);
            cfpc_new_phase(it.model, it.data);
            cfpc_next_trial(it.model, it.data);
            assert_true(cfpc_baseline(it.data) == 0);
        }
        trial(&it, 2);
        assert_near(cfpc_baseline(it.data), 9 * STEPS, 1e-6);
        expect_calm(&it);
        cell_free(&it);
    }
}

static void with_its_flags_lowered_a_cell_learns_and_is_guarded_again(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const cfpc_model_def def = learning_def(modes[i]);
        cell it = known_cell(&def);
        trial(&it, 0.75);
        trial(&it, 8);
        assert_int_equal(cfpc_flags(it.data), stopped);
        cfpc_clear_flags(it.data, stopped);
        cfpc_real w[SYNAPSES];
        memcpy(w, cfpc_weights(it.data), sizeof w);
        trial(&it, 1.25); // above the loop alone, but once is not too often
        assert_int_equal(cfpc_guard_acts(it.data), 1);
        assert_int_equal(cfpc_flags(it.data), 0);
        assert_memory_not_equal(cfpc_weights(it.data), w, sizeof w);
        trial(&it, 8);
        expect_acts(&it, 2, CFPC_GUARD_ROUND);
        assert_int_equal(cfpc_flags(it.data), stopped);
        cell_free(&it);
    }
}

// After the weights went to 0 what was best is no more: any that help are better.
static void from_0_new_weights_can_be_the_best_again(void **state)
{
    (void)state;
    const cfpc_model_def def = still_def(CFPC_BATCH);
    cell it = known_cell(&def);
    trial_with(&it, 1, 0.25);
    trial_with(&it, 2, 8);
    trial(&it, 1.25);
    expect_zero(&it);
    cfpc_clear_flags(it.data, stopped);
    trial(&it, 1);
    trial_with(&it, 3, 0.5);
    trial_with(&it, 4, 8);
    expect_weights(&it, 3);
    cell_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_phase_is_measured_anew),
        cmocka_unit_test(what_was_best_in_a_phase_is_not_in_the_next),
        cmocka_unit_test(the_first_trial_of_a_new_phase_is_estimated),
        cmocka_unit_test(with_its_flags_lowered_a_cell_learns_and_is_guarded_again),
        cmocka_unit_test(from_0_new_weights_can_be_the_best_again),
    };
    return cmocka_run_group_tests_name("core.guard_phases", tests, NULL, NULL);
}
