// SPDX-License-Identifier: Apache-2.0
// guard_world: a world that changes is not the cell's fault, but may make it harmful.
#include "guard_fixture.h"

// The cell takes half off the error, whatever its size.
static void a_world_ten_times_harder_or_easier_costs_an_innocent_cell_one_pause(void **state)
{
    (void)state;
    static const double times[] = {10, 0.1};
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 2; i++) {
            loop l = known_kind(kind);
            play_with(&l, 0.5, 10);
            expect_calm(&l);
            l.size = l.drive = times[i];
            play(&l, 50);
            assert_true(cfpc_guard_pauses(l.it.data) <= 1);
            expect_acts(&l, 0, CFPC_GUARD_NOTHING);
            assert_true(has_share(&l, 0.5));
            assert_near(fabs(l.e), times[i] / 2, 10 * TOLERANCE);
            loop_free(&l);
        }
}

// Two rounds in a harder world and one that is nearly the old one: the cell has 0.95 of the error
// in all of them. Their mean is worse than the loop alone is now, but not the last one.
static void in_a_world_that_has_changed_the_last_round_is_compared(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const cfpc_model_def def = still_def(modes[i], 0);
        loop l = known_loop(&def);
        l.size = l.drive = 1.2;
        play_with(&l, 0.05, 2);
        l.size = l.drive = 1.06;
        assert_int_equal(steps_to_pause(&l, 2 * ROUND), ROUND);
        see_pause_out(&l);
        expect_acts(&l, 0, CFPC_GUARD_NOTHING);
        loop_free(&l);
    }
}

// The guard has seen that the model is right: it follows the world by it and does not look.
static void a_model_that_has_proved_right_saves_the_pause(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        loop l = known_kind(kind);
        play_with(&l, 0.5, 10);
        l.size = l.drive = 1.15; // the error itself does not jump by half
        play(&l, 20);
        const bool is_right = kind / 2 == 0 || kind / 2 == 3;
        if (is_right)
            assert_int_equal(cfpc_guard_pauses(l.it.data), 0);
        if (is_right)
            assert_near(cfpc_baseline(l.it.data), 1.3225 * MEAN, 10 * TOLERANCE);
        expect_acts(&l, 0, CFPC_GUARD_NOTHING);
        loop_free(&l);
    }
}

// The gain of the plant has another sign, or the disturbance that was cancelled has gone.
static void a_cell_that_harms_in_the_new_world_is_stopped_and_no_try_counts(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * KINDS; i++) {
        loop l = known_kind(i / 2);
        play_with(&l, 0.75, 6);
        expect_calm(&l);
        if (i % 2)
            l.size = 0.0625;
        else
            l.gain = -GAIN;
        assert_in_range(steps_to_pause(&l, 9 * ROUND), 1, 3 * ROUND);
        see_pause_out(&l);
        expect_acts(&l, 1, CFPC_GUARD_WORSE);
        assert_true(cfpc_guard_last(l.it.data).world_changed);
        assert_true(has_share(&l, 0)); // what was best has failed
        assert_int_equal(cfpc_flags(l.it.data), CFPC_FLAG_GUARDED);
        assert_int_equal(l.it.data->guard.tries, 0);
        assert_true(l.it.data->guard.rate_share == 1);
        play(&l, 10);
        assert_int_equal(cfpc_guard_pauses(l.it.data), 1);
        assert_near(cfpc_baseline(l.it.data), l.size * l.size * MEAN, TOLERANCE);
        loop_free(&l);
    }
}

// What was best in the old world is not restored in the new one.
static void the_best_weights_of_the_old_world_are_forgotten(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * KINDS; i++) {
        const bool changes = i % 2;
        loop l = known_kind(i / 2);
        play_with(&l, 0.75, 4);
        if (changes) {
            l.size = 8;
            assert_in_range(steps_to_pause(&l, ROUND), 1, ROUND);
            see_pause_out(&l);
            assert_true(has_share(&l, 0.75));
        }
        l.n = 0;
        put_share(&l, -8 * l.size);
        assert_in_range(steps_to_pause(&l, ROUND), 1, ROUND);
        see_pause_out(&l);
        expect_acts(&l, 1, CFPC_GUARD_WORSE);
        assert_true(has_share(&l, changes ? 0 : 0.75));
        assert_int_equal(l.it.data->guard.tries, 1); // these weights were the cell's own
        loop_free(&l);
    }
}

// With three tries spent the cell is frozen; a world whose error is another lets it try again.
static void a_frozen_cell_may_try_again_in_another_world(void **state)
{
    (void)state;
    static const double times[] = {1.2, 2, 0.5};
    for (int i = 0; i < 2 * 3; i++) {
        cfpc_model_def def = still_def(modes[i % 2], 1);
        def.guard.tries = 1;
        loop l = known_loop(&def);
        put_share(&l, -1);
        steps_to_pause(&l, ROUND);
        see_pause_out(&l);
        assert_int_equal(cfpc_flags(l.it.data), frozen);
        l.size = l.drive = times[i / 2];
        play(&l, 2);
        assert_int_equal(cfpc_flags(l.it.data), i / 2 ? CFPC_FLAG_GUARDED : frozen);
        assert_true(l.it.data->guard.rate_share == (i / 2 ? 1 : def.guard.resume));
        loop_free(&l);
    }
}

// Where the loop's own error varies by more than can be compared, a larger one is not another
// world, or a cell that diverges would be let go again and again.
static void an_error_that_varies_anyway_is_no_other_world(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = still_def(modes[i], 1);
        def.guard.tries = 1;
        def.guard.spread = (cfpc_real)0.1;
        loop l = known_loop(&def);
        put_share(&l, -4);
        steps_to_pause(&l, ROUND);
        assert_int_equal(cfpc_flags(l.it.data), frozen); // the model's word is enough
        l.size = 4;
        see_pause_out(&l);
        assert_near(cfpc_baseline(l.it.data), 16 * MEAN, 16 * TOLERANCE);
        assert_int_equal(cfpc_flags(l.it.data), frozen);
        assert_true(l.it.data->guard.rate_share == def.guard.resume);
        loop_free(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_ten_times_harder_or_easier_costs_an_innocent_cell_one_pause),
        cmocka_unit_test(in_a_world_that_has_changed_the_last_round_is_compared),
        cmocka_unit_test(a_model_that_has_proved_right_saves_the_pause),
        cmocka_unit_test(a_cell_that_harms_in_the_new_world_is_stopped_and_no_try_counts),
        cmocka_unit_test(the_best_weights_of_the_old_world_are_forgotten),
        cmocka_unit_test(a_frozen_cell_may_try_again_in_another_world),
        cmocka_unit_test(an_error_that_varies_anyway_is_no_other_world),
    };
    return cmocka_run_group_tests_name("core.guard_world", tests, NULL, NULL);
}
