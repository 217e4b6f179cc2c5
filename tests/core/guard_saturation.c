// SPDX-License-Identifier: Apache-2.0
// guard_saturation: a command that is saturated.
#include "guard_fixture.h"

enum { MOST = 5 };

static cfpc_model_def limited_def(int kind)
{
    cfpc_model_def def = def_of_kind(kind);
    def.guard.saturated_steps = MOST;
    return def;
}

static void play_saturated(loop *l, bool is_saturated, int steps)
{
    for (int n = 0; n < steps; n++) {
        cfpc_saturated(l->it.model, l->it.data, is_saturated);
        play_steps(l, 1);
    }
}

static void a_command_that_is_saturated_for_too_long_lets_it_act(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        const cfpc_model_def def = limited_def(kind);
        loop l = known_loop(&def);
        play_with(&l, 0.75, 5);
        put_share(&l, 0.5);
        for (int k = 0; k < 9; k++) { // again and again for as long as it may be
            play_saturated(&l, true, MOST);
            play_saturated(&l, false, 1);
        }
        expect_acts(&l, 0, CFPC_GUARD_NOTHING);
        play_saturated(&l, true, MOST);
        expect_acts(&l, 0, CFPC_GUARD_NOTHING);
        play_saturated(&l, true, 1);
        expect_acts(&l, 1, CFPC_GUARD_SATURATED);
        assert_true(has_share(&l, 0.75));
        assert_int_equal(l.it.data->guard.tries, 1);
        assert_true(cfpc_guard_last(l.it.data).with_cell == 0);
        l.it.data->guard.cut_off = INT32_MAX;
        play_saturated(&l, true, 2 * ROUND);
        assert_int_equal(l.it.data->guard.cut_off, INT32_MAX); // does not overflow
        loop_free(&l);
    }
}

static void every_stretch_counts_once_until_the_cell_is_frozen(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        const cfpc_model_def def = limited_def(kind);
        loop l = known_loop(&def);
        play_with(&l, 0.75, 5);
        for (int stretch = 1; stretch <= 4; stretch++) {
            play_saturated(&l, true, 5 * ROUND);
            expect_acts(&l, stretch < 3 ? stretch : 3, CFPC_GUARD_SATURATED);
            assert_int_equal(cfpc_flags(l.it.data), stretch < 3 ? CFPC_FLAG_GUARDED : frozen);
            play_saturated(&l, false, ROUND);
        }
        assert_true(has_share(&l, 0.75));
        loop_free(&l);
    }
}

// Saturated in steps 4 to 8 of a round: the others teach, also after them. Without a limit, and
// without a guard, all do.
static void with_a_limit_nothing_is_learned_while_the_command_is_saturated(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * 2; i++) {
        cfpc_model_def def = limited_def(i % 2);
        def.rule.rate = (cfpc_real)0.01;
        def.guard.saturated_steps = i / 2 == 0 ? MOST : 0;
        def.guard.on = i / 2 != 2;
        loop l = known_loop(&def);
        cfpc_real before[SYNAPSES], h = 0; // the trace of an x of 1, summed
        cfpc_next_trial(l.it.model, l.it.data);
        memcpy(before, cfpc_weights(l.it.data), sizeof before);
        for (int n = 0; n < ROUND; n++) {
            const cfpc_real x[SYNAPSES] = {1, (cfpc_real)-0.5};
            const bool saturated = n >= 4 && n < 9;
            cfpc_saturated(l.it.model, l.it.data, saturated);
            cfpc_act(l.it.model, l.it.data, x);
            cfpc_learn(l.it.model, l.it.data, 1);
            h += n > 0 && !(saturated && i / 2 == 0) ? (cfpc_real)GAIN : 0;
        }
        cfpc_next_trial(l.it.model, l.it.data);
        assert_near(cfpc_weights(l.it.data)[0], before[0] + 0.01 * h, TOLERANCE);
        assert_near(cfpc_weights(l.it.data)[1], before[1] - 0.005 * h, TOLERANCE);
        loop_free(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_that_is_saturated_for_too_long_lets_it_act),
        cmocka_unit_test(every_stretch_counts_once_until_the_cell_is_frozen),
        cmocka_unit_test(with_a_limit_nothing_is_learned_while_the_command_is_saturated),
    };
    return cmocka_run_group_tests_name("core.guard_saturation", tests, NULL, NULL);
}
