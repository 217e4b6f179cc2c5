// SPDX-License-Identifier: Apache-2.0
// guard_tries: what an act leaves: the best weights, a share of the rate, or no learning.
#include "guard_fixture.h"

// Weights with twice the error, and what the guard makes of them.
static void fail_once(loop *l)
{
    put_share(l, -1);
    assert_in_range(steps_to_pause(l, ROUND), 1, ROUND);
    see_pause_out(l);
    assert_int_equal(cfpc_guard_last(l->it.data).reason, CFPC_GUARD_WORSE);
    assert_false(cfpc_guard_last(l->it.data).world_changed);
    assert_int_equal(l->n, 0);
}

// What a round teaches weights of 0.
static double learned_by(loop *l)
{
    put_share(l, 0);
    play(l, 1);
    const double learned = cfpc_weights(l->it.data)[0];
    put_share(l, 0);
    play(l, 1); // in batch mode this is the first with output: none
    return learned;
}

static void every_act_leaves_a_share_of_the_rate_and_the_last_freezes(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cfpc_model_def def = still_def(modes[i % 2], 1);
        def.rule.rate = (cfpc_real)0.0001; // the error hardly changes
        def.guard.resume = (cfpc_real)(i < 2 ? 0.5 : 0);
        const int tries = i < 2 ? 3 : 1;
        loop l = known_loop(&def);
        const double learned = learned_by(&l);
        assert_near(learned, 15 * GAIN * 0.0001, 1e-2 * 15 * GAIN * 0.0001);
        for (int acts = 1; acts <= tries; acts++) {
            fail_once(&l);
            expect_acts(&l, acts, CFPC_GUARD_WORSE);
            assert_int_equal(cfpc_flags(l.it.data), acts < tries ? CFPC_FLAG_GUARDED : frozen);
            assert_near(learned_by(&l), acts < tries ? learned * pow(0.5, acts) : 0,
                        1e-2 * learned);
        }
        cfpc_clear_flags(l.it.data, frozen); // by hand: it learns again, at the rate that was left
        assert_near(learned_by(&l), learned * pow(i < 2 ? 0.5 : 1, tries), 1e-2 * learned);
        fail_once(&l); // and has no more tries
        assert_int_equal(cfpc_flags(l.it.data), frozen);
        loop_free(&l);
    }
}

// Errors of 3, 1, 2 and 1 quarters of the loop alone: the second weights, not the last.
static void the_best_weights_are_restored(void **state)
{
    (void)state;
    static const double shares[] = {0.25, 0.75, 0.5, 1.25};
    for (int kind = 0; kind < KINDS; kind++) {
        loop l = known_kind(kind);
        fail_once(&l);
        assert_true(has_share(&l, 0)); // none yet
        for (int k = 0; k < 4; k++)    // with a wrong model a change of the weights is looked into
            play_with(&l, shares[k], 5);
        fail_once(&l);
        assert_true(has_share(&l, 0.75));
        loop_free(&l);
    }
}

// By the weights during the trial, not by those that it taught; if the output was not faded.
static void in_batch_the_best_weights_are_those_of_a_whole_trial(void **state)
{
    (void)state;
    for (int faded = 0; faded < 2; faded++) {
        cfpc_model_def def = still_def(CFPC_BATCH, 1);
        def.rule.rate = (cfpc_real)0.02;
        loop l = known_loop(&def);
        cfpc_real best[2][SYNAPSES];
        play(&l, 3);
        memcpy(best[1], cfpc_weights(l.it.data), sizeof zeros);
        play(&l, 1);
        memcpy(best[0], cfpc_weights(l.it.data), sizeof zeros);
        if (faded)
            cfpc_disable(l.it.data, 0);
        play_steps(&l, 1);
        if (faded)
            cfpc_enable(l.it.data, 0);
        play_steps(&l, ROUND - 1);
        fail_once(&l);
        assert_memory_equal(cfpc_weights(l.it.data), best[faded], sizeof zeros);
        loop_free(&l);
    }
}

// In the midst of a round the weights grow by 1.05 and by 1.06 of their size. On line it is theirs
// only if they have changed by at most 0.05 of it; and only if the error is well below that alone.
static void on_line_weights_that_move_are_not_the_best(void **state)
{
    (void)state;
    static const double before[] = {0.75, 0.75, 0.25}, times[] = {1.05, 1.06, 1.05};
    for (int i = 0; i < 3; i++) {
        const cfpc_model_def def = still_def(CFPC_ONLINE, 1);
        loop l = known_loop(&def);
        play_with(&l, before[i], 2);
        play_steps(&l, ROUND / 2);
        cfpc_real w[SYNAPSES];
        for (int j = 0; j < SYNAPSES; j++)
            w[j] = cfpc_weights(l.it.data)[j] *= (cfpc_real)times[i];
        play_steps(&l, ROUND / 2);
        expect_calm(&l);
        fail_once(&l);
        if (i == 0)
            assert_memory_equal(cfpc_weights(l.it.data), w, sizeof w);
        else
            assert_true(has_share(&l, i == 1 ? 0.75 : 0));
        loop_free(&l);
    }
}

// The best weights are not tried twice once learning has stopped.
static void a_frozen_cell_that_harms_is_put_to_0(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        cfpc_model_def def = def_of_kind(kind);
        def.guard.resume = 0;
        loop l = known_loop(&def);
        play_with(&l, 0.5, 4);
        fail_once(&l);
        assert_true(has_share(&l, 0.5));
        assert_int_equal(cfpc_flags(l.it.data), frozen);
        play(&l, 20);
        assert_true(has_share(&l, 0.5) && l.e != 0);
        expect_acts(&l, 1, CFPC_GUARD_WORSE);
        fail_once(&l);
        expect_acts(&l, 2, CFPC_GUARD_WORSE);
        assert_true(has_share(&l, 0));
        assert_int_equal(cfpc_flags(l.it.data), frozen);
        loop_free(&l);
    }
}

// ---- a guard that does not act ---------------------------------------------------------------

// It changes nothing: the same bits as without it, after the first round, in which it is silent.
static void a_guard_that_does_not_act_changes_nothing(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        cfpc_model_def def = def_of_kind(kind);
        const bool right = kind / 2 != 1; // a wrong model is looked into as the weights change
        def.rule.rate = (cfpc_real)(right ? 0.02 : 0.002);
        def.rule.momentum = (cfpc_real)0.25;
        def.rule.leak = (cfpc_real)0.001;
        loop l = loop_of(&def);
        def.guard = (cfpc_guard){.factor = (cfpc_real)NAN, .tries = -3}; // off: not even read
        loop twin = loop_of(&def);
        if (!l.trials) {
            play(&l, 1);
            next_trial(&l);
        }
        for (int n = 0; n < 30 * ROUND; n++) {
            play_steps(&l, 1);
            play_steps(&twin, 1);
            assert_true(l.o == twin.o && l.e == twin.e);
            assert_memory_equal(cfpc_weights(l.it.data), cfpc_weights(twin.it.data), sizeof zeros);
        }
        assert_true(fabs(l.e) < 0.95);
        expect_calm(&l);
        expect_calm(&twin);
        loop_free(&l);
        loop_free(&twin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_act_leaves_a_share_of_the_rate_and_the_last_freezes),
        cmocka_unit_test(the_best_weights_are_restored),
        cmocka_unit_test(in_batch_the_best_weights_are_those_of_a_whole_trial),
        cmocka_unit_test(on_line_weights_that_move_are_not_the_best),
        cmocka_unit_test(a_frozen_cell_that_harms_is_put_to_0),
        cmocka_unit_test(a_guard_that_does_not_act_changes_nothing),
    };
    return cmocka_run_group_tests_name("core.guard_tries", tests, NULL, NULL);
}
