// SPDX-License-Identifier: Apache-2.0
// guard_settings: which settings are refused.
#include "guard_fixture.h"

static void expect_settings(const cfpc_guard *guard, bool valid)
{
    cfpc_model_def def = cfpc_default_model_def();
    uint64_t mem[256];
    const cfpc_model *model = NULL;
    def.guard = *guard;
    def.guard.repeats = true;
    assert_int_equal(cfpc_model_init(&model, mem, sizeof mem, &def),
                     valid ? CFPC_OK : CFPC_BAD_VALUE);
    assert_int_equal(cfpc_model_size(&def) > 0, valid);
    if (!valid)
        return;
    const cfpc_guard kept = cfpc_model_guard(model);
    assert_memory_equal(&kept.factor, &guard->factor, sizeof kept.factor);
    assert_memory_equal(&kept.spread, &guard->spread, sizeof kept.spread);
    assert_memory_equal(&kept.pulse, &guard->pulse, sizeof kept.pulse);
    assert_memory_equal(&kept.resume, &guard->resume, sizeof kept.resume);
    assert_int_equal(kept.window_steps, guard->window_steps);
    assert_int_equal(kept.settle_steps, guard->settle_steps);
    assert_int_equal(kept.saturated_steps, guard->saturated_steps);
    assert_int_equal(kept.tries, guard->tries);
    assert_int_equal(kept.on, guard->on);
    assert_true(kept.repeats);
}

static void settings_out_of_range_are_refused_unless_it_is_off(void **state)
{
    (void)state;
    enum { CASES = 16 };
    cfpc_guard wrong[CASES];
    for (int i = 0; i < CASES; i++)
        wrong[i] = cfpc_default_guard();
    wrong[0].factor = (cfpc_real)0.999;
    wrong[1].factor = (cfpc_real)NAN;
    wrong[2].factor = (cfpc_real)INFINITY;
    wrong[3].resume = (cfpc_real)-0.001;
    wrong[4].resume = 1;
    wrong[5].resume = (cfpc_real)NAN;
    wrong[6].spread = (cfpc_real)NAN;
    wrong[7].spread = (cfpc_real)-INFINITY;
    wrong[8].window_steps = -1;
    wrong[9].saturated_steps = -1;
    wrong[10].settle_steps = INT32_MAX;
    wrong[11].tries = 0;
    wrong[12].tries = INT32_MIN;
    wrong[13].pulse = -1;
    wrong[14].pulse = (cfpc_real)NAN;
    wrong[15].pulse = (cfpc_real)INFINITY;
    for (int i = 0; i < CASES; i++) {
        expect_settings(&wrong[i], false);
        wrong[i].on = false;
        expect_settings(&wrong[i], true);
    }
}

static void settings_at_the_ends_of_their_ranges_are_taken(void **state)
{
    (void)state;
    cfpc_guard guard = {.on = true, .factor = 1, .tries = 1};
    expect_settings(&guard, true);
    guard = (cfpc_guard){.on = true,
                         .factor = (cfpc_real)1e9,
                         .spread = (cfpc_real)1e9,
                         .pulse = (cfpc_real)1e9,
                         .window_steps = INT32_MAX,
                         .settle_steps = INT32_MAX - 1,
                         .saturated_steps = INT32_MAX,
                         .tries = INT32_MAX,
                         .resume = (cfpc_real)0.999};
    expect_settings(&guard, true);
    guard.settle_steps = INT32_MIN;
    guard.spread = -1;
    expect_settings(&guard, true);
}

// It knows the loop alone from a response, from a table that repeats, or because it was told.
static void a_guard_that_cannot_know_the_loop_alone_is_refused(void **state)
{
    (void)state;
    static const cfpc_real table[4];
    for (int knows = 0; knows < 8; knows++) {
        cfpc_model_def def = cfpc_default_model_def();
        uint64_t mem[256];
        const cfpc_model *model = NULL;
        def.guard.repeats = knows & 1;
        if (knows & 2)
            def.response = late_gain(GAIN);
        if (knows & 4) {
            def.steps = 4;
            def.basis = table;
        }
        assert_int_equal(cfpc_model_init(&model, mem, sizeof mem, &def),
                         knows ? CFPC_OK : CFPC_BLIND_GUARD);
        assert_int_equal(cfpc_model_size(&def) > 0, knows > 0);
        if (knows)
            assert_int_equal(cfpc_model_response(model).outputs, (knows & 2) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_out_of_range_are_refused_unless_it_is_off),
        cmocka_unit_test(settings_at_the_ends_of_their_ranges_are_taken),
        cmocka_unit_test(a_guard_that_cannot_know_the_loop_alone_is_refused),
    };
    return cmocka_run_group_tests_name("core.guard_settings", tests, NULL, NULL);
}
