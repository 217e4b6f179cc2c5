// SPDX-License-Identifier: Apache-2.0
// guard_look: the loop alone is seen before anything is put out, and again in every pause.
#include "guard_fixture.h"

// On line the first round is silent. In batch mode the weights are 0 then; if they are not, that is
// noticed at their first step, and the next trial is silent.
static void nothing_is_put_out_or_learned_before_the_loop_alone_was_seen(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        cfpc_model_def def = def_of_kind(kind);
        def.rule.rate = (cfpc_real)0.06;
        loop l = loop_of(&def);
        put_share(&l, 0.5);
        if (l.trials)
            play_steps(&l, 1);
        for (int n = l.n; n < (l.trials ? 2 : 1) * ROUND; n++) {
            assert_true(cfpc_guard_paused(l.it.data));
            assert_true(cfpc_baseline(l.it.data) == 0);
            play_steps(&l, 1);
            assert_true(l.o == 0);
            assert_true(has_share(&l, 0.5));
        }
        assert_false(cfpc_guard_paused(l.it.data));
        assert_near(cfpc_baseline(l.it.data), MEAN, TOLERANCE);
        assert_int_equal(cfpc_guard_pauses(l.it.data), l.trials); // the first round is none
        play_steps(&l, 1);
        assert_true(l.o != 0);
        play(&l, 1);
        assert_false(has_share(&l, 0.5)); // it learns
        expect_acts(&l, 0, CFPC_GUARD_NOTHING);
        loop_free(&l);
    }
}

static void every_round_without_output_tells_what_the_loop_alone_does(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        loop l = known_kind(kind);
        l.size = 2;
        play(&l, 1); // weights 0
        assert_near(cfpc_baseline(l.it.data), 4 * MEAN, 4 * TOLERANCE);
        put_share(&l, 1);
        cfpc_disable(l.it.data, 0);
        l.size = 3;
        play(&l, 2);
        assert_near(cfpc_baseline(l.it.data), 9 * MEAN, 9 * TOLERANCE);
        cfpc_enable(l.it.data, 0);
        play(&l, 2);
        assert_near(cfpc_baseline(l.it.data), 9 * MEAN, 9 * TOLERANCE);
        assert_near(fabs(l.e), 2, TOLERANCE);
        expect_calm(&l);
        loop_free(&l);
    }
}

static void the_window_is_what_was_set_or_the_table_or_1024_steps(void **state)
{
    (void)state;
    static const cfpc_real table[48][SYNAPSES];
    static const int32_t given[] = {ROUND, 0, ROUND, 0}, expected[] = {ROUND, 48, ROUND, 1024};
    for (int i = 0; i < 4; i++) {
        cfpc_model_def def = still_def(CFPC_ONLINE, 0);
        def.guard.window_steps = given[i];
        def.steps = i < 2 ? 48 : 0;
        def.basis = i < 2 ? table[0] : NULL;
        cell it = cell_of(&def);
        for (int n = 0; n < expected[i]; n++) {
            assert_true(cfpc_baseline(it.data) == 0);
            cfpc_watch(it.model, it.data, 2);
        }
        assert_true(cfpc_baseline(it.data) == 4);
        cell_free(&it);
    }
}

// ---- pauses ----------------------------------------------------------------------------------

// The last output is in the 15th step of a round; a trial begins with the loop at rest.
static void a_pause_lasts_until_the_output_is_gone_and_for_one_round_of_the_loop_alone(void **state)
{
    (void)state;
    static const int32_t settle[] = {0, 1, 16, 17, 40, -1}, waits[] = {0, 1, 1, 2, 3, 1};
    for (int i = 0; i < 12; i++) {
        cfpc_model_def def = still_def(CFPC_ONLINE, i % 2);
        def.guard.settle_steps = settle[i / 2];
        for (int trials = 0; trials < 2; trials++) {
            loop l = known_loop(&def);
            l.trials = trials;
            put_share(&l, -0.125);
            assert_int_equal(steps_to_pause(&l, 4 * ROUND), 3 * ROUND);
            const int steps = ROUND * (1 + (trials ? 0 : waits[i / 2]));
            for (int n = 0; n < steps; n++) {
                assert_true(cfpc_guard_paused(l.it.data));
                assert_int_equal(cfpc_guard_paused_steps(l.it.data), n);
                assert_true(has_share(&l, -0.125)); // nothing is decided before its end
                play_steps(&l, 1);
                assert_true(l.o == 0);
            }
            assert_false(cfpc_guard_paused(l.it.data));
            assert_int_equal(cfpc_guard_paused_steps(l.it.data), steps);
            assert_int_equal(cfpc_guard_pauses(l.it.data), 1);
            play(&l, 1);
            assert_int_equal(cfpc_guard_paused_steps(l.it.data), steps);
            loop_free(&l);
        }
    }
}

// What had looked like harm was the world: nothing of the cell has changed.
static void a_cell_that_is_cleared_goes_on_as_it_was(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        cfpc_model_def def = def_of_kind(kind);
        def.rule.rate = (cfpc_real)0.001;
        loop l = known_loop(&def);
        cfpc_real w[SYNAPSES];
        play_with(&l, 0.5, 4);
        l.size = 10; // drives the cell as before
        assert_in_range(steps_to_pause(&l, ROUND), 1, ROUND);
        memcpy(w, cfpc_weights(l.it.data), sizeof w);
        see_pause_out(&l);
        assert_memory_equal(cfpc_weights(l.it.data), w, sizeof w);
        assert_near(cfpc_baseline(l.it.data), 100 * MEAN, 100 * TOLERANCE);
        expect_acts(&l, 0, CFPC_GUARD_NOTHING);
        play(&l, 2);
        assert_true(cfpc_weights(l.it.data)[0] > w[0]); // learns on
        loop_free(&l);
    }
}

// 0.9 of the error, 0.81 of its power is left; then 0.7 and 0.49.
static void a_cell_that_hardly_helps_is_looked_at_after_64_rounds(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        loop l = known_kind(kind), helps = known_kind(kind);
        put_share(&l, 0.1);
        assert_int_equal(steps_to_pause(&l, 99 * ROUND), 64 * ROUND);
        see_pause_out(&l);
        assert_int_equal(steps_to_pause(&l, 99 * ROUND), 64 * ROUND);
        see_pause_out(&l);
        assert_true(has_share(&l, 0.1));
        expect_acts(&l, 0, CFPC_GUARD_NOTHING);
        play_with(&helps, 0.3125, 200);
        expect_calm(&helps);
        loop_free(&l);
        loop_free(&helps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_put_out_or_learned_before_the_loop_alone_was_seen),
        cmocka_unit_test(every_round_without_output_tells_what_the_loop_alone_does),
        cmocka_unit_test(the_window_is_what_was_set_or_the_table_or_1024_steps),
        cmocka_unit_test(
            a_pause_lasts_until_the_output_is_gone_and_for_one_round_of_the_loop_alone),
        cmocka_unit_test(a_cell_that_is_cleared_goes_on_as_it_was),
        cmocka_unit_test(a_cell_that_hardly_helps_is_looked_at_after_64_rounds),
    };
    return cmocka_run_group_tests_name("core.guard_look", tests, NULL, NULL);
}
