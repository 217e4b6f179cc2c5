// SPDX-License-Identifier: Apache-2.0
// guard_saturation: a command that is cut off.
#include "guard_fixture.h"

static cfpc_real take_cut_off(cell *it, bool is_cut_off, double e)
{
    const cfpc_real o = cfpc_act(it->model, it->data, input);
    cfpc_saturated(it->model, it->data, is_cut_off);
    cfpc_learn(it->model, it->data, (cfpc_real)e);
    return o;
}

static void a_command_that_is_cut_off_for_too_long_lets_it_act(void **state)
{
    (void)state;
    enum { MOST = 5 };
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        def.guard.saturated_steps = MOST;
        cell it = known_cell(&def);
        settle_with(&it, 1, 0.5);
        put_weights(&it, 2);
        for (int n = 0; n < 4 * (MOST + 1); n++) // again and again for as long as it may be
            take_cut_off(&it, n % (MOST + 1) != MOST, 0.75);
        expect_calm(&it);
        for (int n = 0; n < MOST; n++)
            take_cut_off(&it, true, 0.75);
        expect_calm(&it);
        take_cut_off(&it, true, 0.75);
        expect_acts(&it, 1, CFPC_GUARD_SATURATED);
        assert_int_equal(cfpc_flags(it.data), stopped);
        expect_weights(&it, 1);
        cfpc_next_trial(it.model, it.data);
        for (int n = 0; n < STEPS; n++) // once is enough
            take_cut_off(&it, true, 0.75);
        expect_acts(&it, 1, CFPC_GUARD_SATURATED);
        cell_free(&it);
    }
}

// Where it resumes it acts once a stretch, however many rounds that lasts.
static void a_stretch_with_the_command_cut_off_lets_it_act_once(void **state)
{
    (void)state;
    enum { MOST = 5 };
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i]);
        def.guard.saturated_steps = MOST;
        def.guard.resume = (cfpc_real)0.5;
        cell it = known_cell(&def);
        settle_with(&it, 1, 0.5);
        for (int stretch = 1; stretch <= 3; stretch++) {
            for (int n = 0; n < 5 * STEPS; n++) {
                take_cut_off(&it, true, 0.75);
                assert_int_equal(cfpc_guard_acts(it.data), n < MOST ? stretch - 1 : stretch);
                if (n % STEPS == STEPS - 1)
                    cfpc_next_trial(it.model, it.data);
            }
            take_cut_off(&it, false, 0.75);
            cfpc_next_trial(it.model, it.data);
        }
        expect_acts(&it, 3, CFPC_GUARD_SATURATED);
        expect_weights(&it, 1); // the rounds between were judged
        cell_free(&it);
    }
}

static void the_longest_limit_to_saturation_is_one(void **state)
{
    (void)state;
    cfpc_model_def def = still_def(CFPC_BATCH);
    def.guard.saturated_steps = INT32_MAX;
    cell it = known_cell(&def);
    for (int n = 0; n < 3; n++)
        take_cut_off(&it, n != 1, 0.75);
    expect_calm(&it);
    it.data->guard.cut_off = INT32_MAX;
    take_cut_off(&it, true, 0.75);
    expect_calm(&it);
    cell_free(&it);
}

static void without_a_limit_it_may_be_cut_off_for_any_time(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const cfpc_model_def def = still_def(modes[i]);
        cell it = known_cell(&def);
        for (int n = 0; n < 50 * STEPS; n++) {
            take_cut_off(&it, true, 0.75);
            if (n % STEPS == STEPS - 1)
                cfpc_next_trial(it.model, it.data);
        }
        expect_calm(&it);
        cell_free(&it);
    }
}

// Cut off in steps 4 to 8 of a trial: the others alone teach.
static void nothing_is_learned_while_the_command_is_cut_off(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cfpc_model_def def = learning_def(modes[i % 2]);
        def.guard.on = i < 2;
        cell it = cell_of(&def), twin = cell_of(&def);
        for (int n = 0; n < STEPS; n++) {
            const bool cut_off = n >= 4 && n < 9;
            cfpc_real w[SYNAPSES];
            memcpy(w, cfpc_weights(it.data), sizeof w);
            take_cut_off(&it, cut_off, 0.5 + 0.125 * n);
            if (cut_off && def.guard.on)
                expect_same_weights(&it, w);
            take(&twin, cut_off && def.guard.on ? 0 : 0.5 + 0.125 * n);
        }
        cfpc_next_trial(it.model, it.data);
        cfpc_next_trial(twin.model, twin.data);
        for (int j = 0; j < SYNAPSES; j++)
            assert_near(cfpc_weights(it.data)[j], cfpc_weights(twin.data)[j], TOLERANCE);
        assert_memory_not_equal(cfpc_weights(it.data), zeros, sizeof zeros);
        cell_free(&it);
        cell_free(&twin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_that_is_cut_off_for_too_long_lets_it_act),
        cmocka_unit_test(a_stretch_with_the_command_cut_off_lets_it_act_once),
        cmocka_unit_test(the_longest_limit_to_saturation_is_one),
        cmocka_unit_test(without_a_limit_it_may_be_cut_off_for_any_time),
        cmocka_unit_test(nothing_is_learned_while_the_command_is_cut_off),
    };
    return cmocka_run_group_tests_name("core.guard_saturation", tests, NULL, NULL);
}
