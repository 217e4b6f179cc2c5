// SPDX-License-Identifier: Apache-2.0
// guard_mean: when the mean of some rounds is too much.
#include "guard_fixture.h"

static void it_acts_when_the_mean_of_the_last_rounds_is_above_the_baseline(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int rounds = 1; rounds <= CFPC_GUARD_MAX_ROUNDS; rounds++) {
            cfpc_model_def def = still_def(modes[i]);
            def.guard.rounds = rounds;
            def.guard.drift = 1;
            cell it = known_cell(&def);
            for (int k = 0; k < 31; k++) // next, the ring of ratios begins anew
                trial_with(&it, 3, 0.5);
            // So many of 1.5625 as needed beside 0.25 for a mean above 1: more than 4 of 7.
            const int needed = rounds * 4 / 7 + 1;
            for (int k = 1; k <= needed; k++) {
                expect_calm(&it);
                trial_with(&it, 5, 1.25);
            }
            expect_acts(&it, 1, CFPC_GUARD_MEAN);
            assert_int_equal(cfpc_flags(it.data), stopped);
            expect_weights(&it, 3);
            cell_free(&it);
        }
}

static void fewer_rounds_than_that_have_no_mean(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        def.guard.drift = 1;
        cell it = known_cell(&def);
        for (int k = 1; k <= 5; k++) {
            expect_calm(&it);
            trial(&it, 1.25);
        }
        expect_acts(&it, 1, CFPC_GUARD_MEAN);
        cell_free(&it);
    }
}

static void an_error_that_equals_the_baseline_is_not_above_it(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        def.guard.rounds = 1;
        def.guard.drift = 1;
        cell it = known_cell(&def);
        for (int k = 0; k < 40; k++)
            trial(&it, k % 2 ? 1 : -1);
        expect_calm(&it);
        trial(&it, 1.0001);
        expect_acts(&it, 1, CFPC_GUARD_MEAN);
        cell_free(&it);
    }
}

// Without it 1.0625 would be too much after five trials; with it 1.375 still is.
static void the_spread_of_the_baseline_is_granted(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cfpc_model_def def = still_def(modes[i % 2]);
        def.guard.drift = 1;
        cell it = cell_of(&def);
        cfpc_set_baseline(it.model, it.data, STEPS, i < 2 ? 4 : 0);
        for (int k = 0; k < (i < 2 ? 20 : 4); k++)
            trial(&it, 1.0625);
        expect_calm(&it);
        for (int k = 0; k < 5 && cfpc_guard_acts(it.data) == 0; k++)
            trial(&it, i < 2 ? 1.375 : 1.0625);
        expect_acts(&it, 1, CFPC_GUARD_MEAN);
        cell_free(&it);
    }
}

// A spread of a quarter, four rounds: five standard deviations of their mean are 0.625.
static void five_standard_deviations_of_the_mean_are_not_chance(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cfpc_model_def def = still_def(modes[i % 2]);
        def.guard.rounds = 4;
        def.guard.drift = 1;
        cell it = cell_of(&def);
        cfpc_set_baseline(it.model, it.data, STEPS, 0.25 * STEPS);
        for (int k = 0; k < 4; k++) {
            expect_calm(&it);
            trial(&it, sqrt(i < 2 ? 1.62 : 1.63));
        }
        expect_acts(&it, i < 2 ? 0 : 1, i < 2 ? CFPC_GUARD_NOTHING : CFPC_GUARD_MEAN);
        cell_free(&it);
    }
}

// Every round is within what one may be, their mean is not: in batch by the spread of a quarter,
// with 1.5 for one round and 1.3125 for the mean of 16; on line by the drift.
static void the_mean_of_a_frozen_cell_is_judged_too(void **state)
{
    (void)state;
    static const double calm[] = {1.125, 1}, loud[] = {1.1875, 1.0625};
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        def.guard.rounds = i == 0 ? 16 : 5;
        def.guard.estimates = false;
        cell it = cell_of(&def);
        cfpc_set_baseline(it.model, it.data, STEPS, i == 0 ? 0.25 * STEPS : 0);
        settle_with(&it, 1, 0.5);
        trial_with(&it, 2, 8);
        for (int k = 0; k < 40; k++)
            trial(&it, calm[i]);
        expect_acts(&it, 1, CFPC_GUARD_ROUND);
        expect_weights(&it, 1);
        for (int k = 0; k < def.guard.rounds && cfpc_guard_acts(it.data) == 1; k++) {
            expect_weights(&it, 1);
            trial(&it, loud[i]);
        }
        expect_acts(&it, 2, CFPC_GUARD_MEAN);
        assert_int_equal(cfpc_flags(it.data), stopped);
        expect_zero(&it);
        cell_free(&it);
    }
}

// What is good only while it is frozen is not the best: nothing was tried.
static void a_frozen_cell_keeps_its_best_weights(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        def.guard.estimates = false;
        cell it = known_cell(&def);
        settle_with(&it, 1, 0.5);
        trial_with(&it, 2, 8);
        settle_with(&it, 3, 0.25); // by hand
        cfpc_clear_flags(it.data, stopped);
        trial(&it, 0.75);
        trial_with(&it, 4, 8);
        expect_acts(&it, 2, CFPC_GUARD_ROUND);
        expect_weights(&it, 1);
        cell_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_acts_when_the_mean_of_the_last_rounds_is_above_the_baseline),
        cmocka_unit_test(fewer_rounds_than_that_have_no_mean),
        cmocka_unit_test(an_error_that_equals_the_baseline_is_not_above_it),
        cmocka_unit_test(the_spread_of_the_baseline_is_granted),
        cmocka_unit_test(five_standard_deviations_of_the_mean_are_not_chance),
        cmocka_unit_test(the_mean_of_a_frozen_cell_is_judged_too),
        cmocka_unit_test(a_frozen_cell_keeps_its_best_weights),
    };
    return cmocka_run_group_tests_name("core.guard_mean", tests, NULL, NULL);
}
