// SPDX-License-Identifier: Apache-2.0
// guard_online: the window that slides.
#include "guard_fixture.h"

static cfpc_model_def window_def(void)
{
    cfpc_model_def def = still_def(CFPC_ONLINE);
    def.guard.estimates = false;
    def.guard.drift = 1;
    return def;
}

// Eight steps of 5.0625: 40.5 and more than 36 together, but each window has no more than half.
static void a_burst_across_the_border_of_two_windows_is_caught(void **state)
{
    (void)state;
    const cfpc_model_def def = window_def();
    cell it = known_cell(&def), split = known_cell(&def);
    take_many(&it, 12, 0.5);
    take_many(&it, 7, 2.25);
    expect_calm(&it);
    take(&it, 2.25);
    expect_acts(&it, 1, CFPC_GUARD_ROUND);
    take_many(&split, 12, 0.5); // the same apart by more than a window
    take_many(&split, 4, 2.25);
    take_many(&split, STEPS, 0.5);
    take_many(&split, 4, 2.25);
    take_many(&split, STEPS, 0.5);
    expect_calm(&split);
    cell_free(&it);
    cell_free(&split);
}

static void on_line_it_acts_at_the_step_without_waiting_for_the_window(void **state)
{
    (void)state;
    const cfpc_model_def def = window_def();
    for (int before = 0; before < 3; before++) {
        cell it = known_cell(&def);
        take_many(&it, before * STEPS, 0);
        take_many(&it, 4, 3);
        expect_calm(&it);
        take(&it, 3); // 5 · 9 > 36
        expect_acts(&it, 1, CFPC_GUARD_ROUND);
        cell_free(&it);
    }
}

static void the_window_is_what_was_set_or_the_table_or_1024_steps(void **state)
{
    (void)state;
    static const cfpc_real table[48][SYNAPSES];
    static const int32_t given[] = {STEPS, 0, STEPS, 0}, expected[] = {STEPS, 48, STEPS, 1024};
    for (int i = 0; i < 4; i++) {
        cfpc_model_def def = still_def(CFPC_ONLINE);
        def.guard.window_steps = given[i];
        def.steps = i < 2 ? 48 : 0;
        def.basis = i < 2 ? table[0] : NULL;
        cell it = cell_of(&def);
        take_many(&it, expected[i] - 1, 1);
        assert_true(cfpc_baseline(it.data) == 0);
        take(&it, 1);
        assert_true(cfpc_baseline(it.data) == expected[i]);
        cell_free(&it);
    }
}

// The segments of the sliding window are a window together: 1.48 is less than the factor, for as
// long as the mean is not known.
static void the_window_that_slides_is_as_long_as_it_was_set(void **state)
{
    (void)state;
    for (int32_t window = 1; window < 40; window++) {
        cfpc_model_def def = window_def();
        def.guard.window_steps = window;
        def.guard.rounds = 16;
        cell it = cell_of(&def), above = cell_of(&def);
        cfpc_set_baseline(it.model, it.data, window, 0);
        cfpc_set_baseline(above.model, above.data, window, 0);
        take_many(&it, 15 * window, 1.48);
        expect_calm(&it);
        take_many(&above, (window + 1) / 2, 0); // so that no round alone is too much
        take_many(&above, window, window < 8 ? 1.6 : 1.52);
        expect_acts(&above, 1, CFPC_GUARD_ROUND);
        cell_free(&it);
        cell_free(&above);
    }
}

// A trial of a window's length is a round, even if eight parts of the window are longer.
static void a_trial_as_long_as_the_window_ends_the_round(void **state)
{
    (void)state;
    cfpc_model_def def = still_def(CFPC_ONLINE);
    def.guard.window_steps = 100;
    cell it = cell_of(&def);
    take_many(&it, 100, 1);
    cfpc_next_trial(it.model, it.data);
    assert_true(cfpc_baseline(it.data) == 100);
    cell_free(&it);
}

static void a_trial_that_is_shorter_than_the_window_leaves_it_sliding(void **state)
{
    (void)state;
    const cfpc_model_def def = still_def(CFPC_ONLINE);
    cell it = cell_of(&def);
    for (int k = 0; k < 4; k++) {
        assert_true(cfpc_baseline(it.data) == 0);
        take_many(&it, STEPS / 4, 1);
        cfpc_next_trial(it.model, it.data);
    }
    assert_true(cfpc_baseline(it.data) == STEPS);
    cell_free(&it);
}

// With one weight w, e + w is the estimate; the baseline is 1, and drift 2 holds it in 0.5 to 2.
typedef struct drifting {
    double drift, w, e;
    bool acts;
} drifting;

static void on_line_the_estimate_is_followed_within_the_drift(void **state)
{
    (void)state;
    static const drifting cases[] = {
        {2, 0.3125, 1.1875, false}, // 1.5 alone
        {1, 0.3125, 1.1875, true},  // not followed
        {2, 1.8125, 2.1875, true},  // 4 alone: as if it were 2
        {5, 1.8125, 2.1875, false}, // followed
        {2, -0.5625, 0.5625, true}, // nothing alone: as if it were 0.5
        {2, -0.4375, 0.4375, false}, {1, -0.5625, 0.5625, false}, // as if it were 1
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cfpc_model_def def = still_def(CFPC_ONLINE);
        def.guard.drift = (cfpc_real)cases[i].drift;
        cell it = known_cell(&def);
        cfpc_weights(it.data)[0] = (cfpc_real)cases[i].w;
        take_many(&it, 12 * STEPS, cases[i].e);
        assert_int_equal(cfpc_guard_acts(it.data) > 0, cases[i].acts);
        cell_free(&it);
    }
}

// With o faded out e is the loop alone, whatever hᵀw would be: nothing here.
static void on_line_a_disabled_cell_is_estimated_without_its_output(void **state)
{
    (void)state;
    cfpc_model_def def = still_def(CFPC_ONLINE);
    def.guard.drift = 5;
    cell it = known_cell(&def);
    cfpc_weights(it.data)[0] = -1;
    cfpc_disable(it.data, 0);
    take_many(&it, 12 * STEPS, 1);
    expect_calm(&it);
    cfpc_enable(it.data, 0);
    take_many(&it, STEPS, 1);
    expect_acts(&it, 1, CFPC_GUARD_ROUND);
    cell_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_burst_across_the_border_of_two_windows_is_caught),
        cmocka_unit_test(on_line_it_acts_at_the_step_without_waiting_for_the_window),
        cmocka_unit_test(the_window_is_what_was_set_or_the_table_or_1024_steps),
        cmocka_unit_test(the_window_that_slides_is_as_long_as_it_was_set),
        cmocka_unit_test(a_trial_as_long_as_the_window_ends_the_round),
        cmocka_unit_test(a_trial_that_is_shorter_than_the_window_leaves_it_sliding),
        cmocka_unit_test(on_line_the_estimate_is_followed_within_the_drift),
        cmocka_unit_test(on_line_a_disabled_cell_is_estimated_without_its_output),
    };
    return cmocka_run_group_tests_name("core.guard_online", tests, NULL, NULL);
}
