// SPDX-License-Identifier: Apache-2.0
// guard_resume: going on with a smaller rate.
#include "guard_fixture.h"

// What a trial of 0.5 teaches, in one synapse.
static double learned_by(cell *it)
{
    const double before = cfpc_weights(it->data)[0];
    trial(it, 0.5);
    return cfpc_weights(it->data)[0] - before;
}

static void it_resumes_from_the_next_trial_with_a_share_of_the_rate(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = learning_def(modes[i]);
        def.guard.resume = (cfpc_real)0.25;
        def.guard.drift = 1;
        cell it = known_cell(&def);
        const double learned = learned_by(&it);
        assert_near(learned, STEPS * 0.5 * (double)def.rule.rate, 10 * TOLERANCE);
        double share = 1;
        for (int acts = 1; acts <= 3; acts++) {
            take_many(&it, 15, 2); // acts at the tenth
            expect_acts(&it, acts, CFPC_GUARD_ROUND);
            assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_GUARDED);
            cfpc_real w[SYNAPSES];
            memcpy(w, cfpc_weights(it.data), sizeof w);
            take(&it, 2);
            expect_same_weights(&it, w); // not before the next trial
            cfpc_next_trial(it.model, it.data);
            expect_same_weights(&it, w);
            share *= 0.25;
            assert_near(learned_by(&it), share * learned, 10 * TOLERANCE);
            assert_near(learned_by(&it), share * learned, 10 * TOLERANCE);
        }
        expect_acts(&it, 3, CFPC_GUARD_ROUND);
        cell_free(&it);
    }
}

// The best weights were put back and the very next round was too much: they are the best no more.
static void a_second_act_without_a_round_between_puts_the_weights_to_0(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cfpc_model_def def = still_def(modes[i % 2]);
        def.guard.resume = (cfpc_real)0.5;
        cell it = known_cell(&def);
        settle_with(&it, 1, 0.25);
        trial_with(&it, 2, 8);
        expect_acts(&it, 1, CFPC_GUARD_ROUND);
        expect_weights(&it, 1);
        if (i >= 2)
            trial(&it, 0.75); // as it should be
        trial(&it, 8);
        expect_acts(&it, 2, CFPC_GUARD_ROUND);
        assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_GUARDED);
        if (i >= 2) {
            expect_weights(&it, 1);
        } else {
            expect_zero(&it);
            settle_with(&it, 3, 0.5); // worse than those were, but they are no more
            trial_with(&it, 4, 8);
            expect_weights(&it, 3);
        }
        cell_free(&it);
    }
}

static void after_it_acted_by_the_mean_it_resumes_with_the_next_trial(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cfpc_model_def def = learning_def(modes[i]);
        def.guard.resume = (cfpc_real)0.5;
        def.guard.rounds = 2;
        def.guard.drift = 1;
        cell it = known_cell(&def);
        const double learned = learned_by(&it);
        trial(&it, 1.375);
        trial(&it, 1.25);
        expect_acts(&it, 1, CFPC_GUARD_MEAN);
        assert_near(learned_by(&it), learned / 2, 10 * TOLERANCE);
        cell_free(&it);
    }
}

// The burst that let it act is not held against it a second time.
static void a_burst_is_answered_once(void **state)
{
    (void)state;
    for (int at = 0; at < 2 * STEPS; at++) {
        cfpc_model_def def = learning_def(CFPC_ONLINE);
        def.guard.resume = (cfpc_real)0.5;
        def.guard.drift = 1;
        for (int bad = 0; bad < 2; bad++) {
            cell it = known_cell(&def);
            for (int n = 0; n < 8 * STEPS; n++)
                take(&it, n == 2 * STEPS + at ? (bad ? INFINITY : 100) : 0.5);
            assert_int_equal(cfpc_guard_acts(it.data), 1);
            cell_free(&it);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_resumes_from_the_next_trial_with_a_share_of_the_rate),
        cmocka_unit_test(a_second_act_without_a_round_between_puts_the_weights_to_0),
        cmocka_unit_test(after_it_acted_by_the_mean_it_resumes_with_the_next_trial),
        cmocka_unit_test(a_burst_is_answered_once),
    };
    return cmocka_run_group_tests_name("core.guard_resume", tests, NULL, NULL);
}
