// SPDX-License-Identifier: Apache-2.0
// The guard's promise on random loops (bench/guard_proof.h), and that the count would tell if it
// were broken. Two loops of each family, and one with noise; `test_lab_guard_proof many` has twice
// as many.
#include "guard_proof.h"

#include "harness.h"

enum { TRIALS = 20 };
static int rounds = 1; // of all families

#define RANGES TEST_SOURCE_DIR "/../bench/guard.yaml"
#define X GUARD_X

// ---- the judge -------------------------------------------------------------------------------

static const double ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

#define CURVE(...)                                                                                 \
    {                                                                                              \
        .trials = sizeof((const double[]){__VA_ARGS__}) / sizeof(double),                          \
        .rms = (const double[]){__VA_ARGS__}, .alone = ones, .rounds = 3, .lag = 1                 \
    }

static void learning_does_no_harm(void **state)
{
    (void)state;
    const guard_curve curve = CURVE(1, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2);
    assert_int_equal(guard_harm(&curve, X), -1);
    assert_int_equal(guard_unstopped(&curve, X), -1);
    assert_near(guard_end(&curve), 0.5, 0);
}

static void harm_is_three_trials_that_are_worse_together(void **state)
{
    (void)state;
    const guard_curve slight = CURVE(1, 1.01, 1.01, 1.01, 1.01, 1.01, 1.01),
                      enough = CURVE(1, 1.03, 1.03, 1.03, 1, 1, 1),
                      once = CURVE(1, 0.8, 1.15, 0.9, 0.9, 0.9, 0.9),
                      over = CURVE(1, 1.3, 1.3, 0.9, 0.8, 0.7, 0.6);
    assert_int_equal(guard_harm(&slight, X), -1);
    assert_int_equal(guard_harm(&enough, X), 3);
    assert_int_equal(guard_unstopped(&enough, X), -1); // the next trial is not worse
    assert_int_equal(guard_harm(&once, X), -1);        // with its neighbours it is not worse
    assert_int_equal(guard_harm(&over, X), -1);        // it is better when three have passed
}

static void harm_that_goes_on_was_not_stopped(void **state)
{
    (void)state;
    const guard_curve goes_on = CURVE(1, 1.05, 1.05, 1.05, 1.05, 1, 1),
                      diverges = CURVE(1, 2, 4, 8, NAN, NAN, NAN);
    assert_int_equal(guard_unstopped(&goes_on, X), 3);
    assert_int_equal(guard_unstopped(&diverges, X), 3);
    assert_true(guard_end(&diverges) == INFINITY || guard_end(&diverges) > 4);
}

static void trials_without_the_cell_and_before_an_act_do_not_count(void **state)
{
    (void)state;
    lab_guarded acted = {.acts = 1, .act = {{.trial = 2}}};
    guard_curve paused = CURVE(1.05, 1, 1.05, 1, 1.05, 1, 1.05),
                stopped = CURVE(0.9, 1.05, 1.3, 1.05, 1.01, 0.9, 0.9);
    assert_int_equal(guard_harm(&paused, X), -1);
    assert_true(guard_harm(&stopped, X) >= 0);
    stopped.guard = &acted;
    assert_int_equal(guard_unstopped(&stopped, X), -1);
}

// ---- the loops -------------------------------------------------------------------------------

static guard_ranges load(void)
{
    guard_ranges ranges;
    lab_why why = {0};
    if (guard_ranges_load(&ranges, RANGES, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    ranges.trials = TRIALS; // less than the benchmark's, for speed
    return ranges;
}

static guard_tally *prove(int first, int loops, bool noisy)
{
    guard_ranges ranges = load();
    guard_tally *tally = must_calloc(1, sizeof *tally);
    lab_why why = {0};
    for (int i = 0; i < loops; i++)
        if (guard_prove(tally, &ranges, first + i, noisy, &why) != LAB_DONE)
            fail_msg("loop %d: %s", first + i, why.text);
    for (int i = 0; i < tally->listed; i++)
        print_message("loop %d, mode %d, rule %d: breach %d (%g)\n", tally->broken[i].loop,
                      tally->broken[i].mode, tally->broken[i].rule, (int)tally->broken[i].breach,
                      tally->broken[i].size);
    guard_ranges_free(&ranges);
    return tally;
}

static int all_alarms(const guard_tally *tally)
{
    int sum = 0;
    for (int i = 0; i < GUARD_KINDS; i++)
        sum += tally->of[i].alarms;
    return sum;
}

static void without_noise_harm_is_stopped_and_nobody_is_falsely_accused(void **state)
{
    (void)state;
    const int loops = 2 * rounds * GUARD_FAMILIES;
    guard_tally *tally = prove(0, loops, false);
    const guard_counts knows = guard_sum(tally, GUARD_KNOWS);
    assert_true(knows.runs >= 2 * loops);
    assert_true(knows.harmful >= knows.runs / 5);  // there was something to guard against
    assert_true(knows.learned >= knows.runs / 10); // and something to learn
    assert_int_equal(knows.harmed, 0);
    assert_int_equal(all_alarms(tally), 0);
    free(tally);
}

static void with_noise_too(void **state)
{
    (void)state;
    guard_tally *tally = prove(0, rounds * GUARD_FAMILIES, true);
    const guard_counts knows = guard_sum(tally, GUARD_KNOWS);
    assert_int_equal(knows.harmed, 0);
    assert_int_equal(all_alarms(tally), 0);
    free(tally);
}

// A loop is the same one alone and among others, and sums do not care how they are summed.
static void a_loop_depends_on_its_number_alone(void **state)
{
    (void)state;
    guard_tally *all = prove(7, 3, false), *sum = must_calloc(1, sizeof *sum);
    for (int i = 9; i >= 7; i--) {
        guard_tally *one = prove(i, 1, false);
        guard_tally_add(sum, one);
        free(one);
    }
    assert_memory_equal(sum, all, offsetof(guard_tally, listed));
    free(all);
    free(sum);
}

static void ranges_that_are_none_are_refused(void **state)
{
    (void)state;
    guard_ranges ranges;
    lab_why why = {0};
    assert_int_equal(
        guard_ranges_load(&ranges, TEST_SOURCE_DIR "/../experiments/pursuit.yaml", &why),
        LAB_REFUSED);
    guard_ranges_free(&ranges);
}

int main(int count, char **words)
{
    rounds = count > 1 && strcmp(words[1], "many") == 0 ? 2 : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning_does_no_harm),
        cmocka_unit_test(harm_is_three_trials_that_are_worse_together),
        cmocka_unit_test(harm_that_goes_on_was_not_stopped),
        cmocka_unit_test(trials_without_the_cell_and_before_an_act_do_not_count),
        cmocka_unit_test(without_noise_harm_is_stopped_and_nobody_is_falsely_accused),
        cmocka_unit_test(with_noise_too),
        cmocka_unit_test(a_loop_depends_on_its_number_alone),
        cmocka_unit_test(ranges_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
