// SPDX-License-Identifier: Apache-2.0
// guard_settings: which settings are refused.
#include "guard_fixture.h"

static void expect_settings(const cfpc_guard *guard, bool valid)
{
    cfpc_model_def def = cfpc_default_model_def();
    uint64_t mem[256];
    const cfpc_model *model = NULL;
    def.guard = *guard;
    const cfpc_status status = cfpc_model_init(mem, sizeof mem, &def, &model);
    assert_int_equal(status, valid ? CFPC_OK : CFPC_BAD_VALUE);
    assert_int_equal(cfpc_model_size(&def) > 0, valid);
    assert_int_equal(model != NULL, valid);
    if (valid) {
        const cfpc_guard kept = cfpc_model_guard(model);
        assert_memory_equal(&kept.factor, &guard->factor, sizeof kept.factor);
        assert_int_equal(kept.rounds, guard->rounds);
        assert_int_equal(kept.window_steps, guard->window_steps);
        assert_int_equal(kept.saturated_steps, guard->saturated_steps);
        assert_memory_equal(&kept.resume, &guard->resume, sizeof kept.resume);
        assert_memory_equal(&kept.drift, &guard->drift, sizeof kept.drift);
        assert_int_equal(kept.on, guard->on);
        assert_int_equal(kept.estimates, guard->estimates);
    }
}

static void settings_out_of_range_are_refused_unless_it_is_off(void **state)
{
    (void)state;
    const cfpc_real nan = (cfpc_real)NAN, infinite = (cfpc_real)INFINITY;
    const cfpc_real factors[] = {(cfpc_real)0.999, 0, -1, nan, infinite};
    const cfpc_real resumes[] = {(cfpc_real)-0.001, 1, 2, nan, infinite};
    const int32_t rounds[] = {0, CFPC_GUARD_MAX_ROUNDS + 1, -1, INT32_MIN, INT32_MAX};
    const int32_t steps[] = {-1, INT32_MIN, -5, -100, -1024};
    for (int i = 0; i < 25; i++) {
        cfpc_guard guard = cfpc_default_guard();
        expect_settings(&guard, true);
        if (i < 5)
            guard.factor = factors[i];
        else if (i < 10)
            guard.drift = factors[i - 5];
        else if (i < 15)
            guard.resume = resumes[i - 10];
        else if (i < 20)
            guard.rounds = rounds[i - 15];
        else if (i % 2)
            guard.window_steps = steps[i - 20];
        else
            guard.saturated_steps = steps[i - 20];
        expect_settings(&guard, false);
        guard.on = false;
        expect_settings(&guard, true);
    }
}

static void settings_at_the_ends_of_their_ranges_are_taken(void **state)
{
    (void)state;
    cfpc_guard guard = {.on = true, .factor = 1, .rounds = 1, .drift = 1};
    expect_settings(&guard, true);
    guard = (cfpc_guard){.on = true,
                         .factor = (cfpc_real)1e9,
                         .rounds = CFPC_GUARD_MAX_ROUNDS,
                         .window_steps = INT32_MAX,
                         .saturated_steps = INT32_MAX,
                         .resume = (cfpc_real)0.999,
                         .drift = (cfpc_real)1e9};
    expect_settings(&guard, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_out_of_range_are_refused_unless_it_is_off),
        cmocka_unit_test(settings_at_the_ends_of_their_ranges_are_taken),
    };
    return cmocka_run_group_tests_name("core.guard_settings", tests, NULL, NULL);
}
