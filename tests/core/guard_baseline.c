// SPDX-License-Identifier: Apache-2.0
// guard_baseline: the reactive error, measured, handed over or estimated.
#include "guard_fixture.h"

static void the_baseline_is_measured_in_a_first_trial_with_zero_weights(void **state)
{
    (void)state;
    const cfpc_model_def def = learning_def(CFPC_BATCH);
    cell it = cell_of(&def);
    double energy = 0;
    assert_true(cfpc_baseline(it.data) == 0);
    for (int n = 0; n < STEPS; n++) {
        const double e = 0.25 * (n % 5) + 0.5;
        energy += e * e;
        take(&it, e);
        assert_true(cfpc_baseline(it.data) == 0); // not before its end
    }
    cfpc_next_trial(it.model, it.data);
    assert_true(cfpc_baseline(it.data) == energy);
    trial(&it, 0.5);
    assert_true(cfpc_baseline(it.data) == energy); // the first trial's, not the last's
    expect_calm(&it);
    cell_free(&it);
}

// With rounds: 1 the trial that is measured would be held against itself: it is not too much.
static void the_baseline_is_measured_while_a_cell_with_weights_is_disabled(void **state)
{
    (void)state;
    cfpc_model_def def = still_def(CFPC_BATCH);
    def.guard.rounds = 1;
    for (int sign = -1; sign <= 1; sign += 2) {
        cell it = cell_of(&def);
        put_weights(&it, sign * 0.75);
        cfpc_disable(it.data, 0);
        trial(&it, 1);
        assert_true(cfpc_baseline(it.data) == STEPS);
        expect_calm(&it);
        expect_weights(&it, sign * 0.75);
        cfpc_enable(it.data, 0);
        trial(&it, 0.5); // it proves its weights
        trial(&it, 2);
        expect_acts(&it, 1, CFPC_GUARD_ROUND);
        expect_weights(&it, sign * 0.75);
        cell_free(&it);
    }
}

static void a_baseline_that_is_handed_over_is_not_measured(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        def.guard.drift = 1;
        cell it = cell_of(&def);
        cfpc_set_baseline(it.model, it.data, 7.5, 0);
        assert_true(cfpc_baseline(it.data) == 7.5);
        trial(&it, 0.25);
        trial(&it, 0.5);
        assert_true(cfpc_baseline(it.data) == 7.5);
        expect_calm(&it);
        take_many(&it, 16, 1); // 16 steps come to 16 = 2.13 · 7.5, 17 to more than 2.25 times
        expect_calm(&it);
        cell_free(&it);
    }
}

// e = e0 - hᵀw for weights that stand still: e0 is found again.
static void the_baseline_is_estimated_where_the_first_trial_has_output(void **state)
{
    (void)state;
    enum { LONG = 800 };
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        def.trace = calm_trace();
        def.guard.window_steps = LONG;
        cell it = cell_of(&def);
        put_weights(&it, 0.5);
        double reactive = 0, energy = 0;
        for (int n = 0; n < LONG; n++) {
            const cfpc_real x[SYNAPSES] = {(cfpc_real)sin(0.02 * n), (cfpc_real)cos(0.03 * n),
                                           (cfpc_real)sin(0.05 * n)};
            const double e0 = 1 + sin(0.04 * n);
            cfpc_act(it.model, it.data, x);
            double e = e0;
            for (int j = 0; j < SYNAPSES; j++)
                e -= (double)cfpc_traces(it.data)[j] * cfpc_weights(it.data)[j];
            cfpc_learn(it.model, it.data, (cfpc_real)e);
            reactive += e0 * e0;
            energy += e * e;
        }
        cfpc_next_trial(it.model, it.data);
        assert_true(fabs(energy / reactive - 1) > 0.2);
        assert_near(cfpc_baseline(it.data) / reactive, 1, 0.03);
        cell_free(&it);
    }
}

static void without_a_forward_model_nothing_is_estimated(void **state)
{
    (void)state;
    cfpc_model_def def = still_def(CFPC_BATCH);
    def.guard.estimates = false;
    cell it = cell_of(&def);
    trial_with(&it, 0.5, 1);
    trial_with(&it, 0.5, 4);
    assert_true(cfpc_baseline(it.data) == 0);
    expect_calm(&it);
    trial_with(&it, -0.25, 1); // 0 at the last two: still an output
    put_weights(&it, 0);
    memset(cfpc_weights(it.data), 0, sizeof zeros);
    trial(&it, 2);
    assert_true(cfpc_baseline(it.data) == 4 * STEPS); // the first silent one
    cell_free(&it);
}

// The energy of a round of many steps is good to a few units of rounding: terms and segments are
// rounded once, the sum is compensated. A plain sum in float would be off by more than 1e-4.
static void the_energy_of_a_long_round_is_as_good_as_its_terms(void **state)
{
    (void)state;
    enum { LONG = 400000 };
    const cfpc_real e = (cfpc_real)0.1;
    const double expected = LONG * ((double)e * (double)e);
    const double unit = CFPC_REAL_IS_FLOAT ? 0x1p-24 : 0x1p-53;
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        def.guard.window_steps = LONG;
        cell it = cell_of(&def);
        for (int n = 0; n < LONG; n++)
            cfpc_watch(it.model, it.data, e);
        cfpc_end_trial(it.model, it.data);
        assert_near((double)cfpc_baseline(it.data), expected, 16 * unit * expected);
        cell_free(&it);
    }
}

// A machine that rests says nothing of what its loop does when it moves: the first round with an
// error is the baseline.
static void rounds_without_any_error_are_no_baseline(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        cell it = cell_of(&def);
        trial(&it, 0);
        trial(&it, 0);
        assert_true(cfpc_baseline(it.data) == 0);
        trial(&it, 2);
        expect_calm(&it);
        assert_true(cfpc_baseline(it.data) == 4 * STEPS);
        cell_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_energy_of_a_long_round_is_as_good_as_its_terms),
        cmocka_unit_test(the_baseline_is_measured_in_a_first_trial_with_zero_weights),
        cmocka_unit_test(the_baseline_is_measured_while_a_cell_with_weights_is_disabled),
        cmocka_unit_test(a_baseline_that_is_handed_over_is_not_measured),
        cmocka_unit_test(the_baseline_is_estimated_where_the_first_trial_has_output),
        cmocka_unit_test(without_a_forward_model_nothing_is_estimated),
        cmocka_unit_test(rounds_without_any_error_are_no_baseline),
    };
    return cmocka_run_group_tests_name("core.guard_baseline", tests, NULL, NULL);
}
