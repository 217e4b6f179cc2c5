// SPDX-License-Identifier: Apache-2.0
// The guard's promise on random loops (bench/guard_proof.h), and that the count would tell if it
// were broken.
#include "guard_proof.h"

#include "harness.h"

enum { LOOPS = 30, NOISY_LOOPS = 10, TRIALS = 20, LAST = 5 };

#define FACTOR 1.5
#define RANGES TEST_SOURCE_DIR "/../bench/guard.yaml"

// ---- the judge -------------------------------------------------------------------------------

#define CURVE(acted_in, how_often, ...)                                                            \
    {                                                                                              \
        .trials = sizeof((const double[]){__VA_ARGS__}) / sizeof(double),                          \
        .rrmse = (const double[]){__VA_ARGS__}, .acts = (how_often), .acted = (acted_in)           \
    }

static guard_verdict judged(guard_curve curve)
{
    return guard_judge(&curve, FACTOR, LAST);
}

static void a_run_that_learns_has_no_trial_above(void **state)
{
    (void)state;
    const guard_curve learns = CURVE(0, 0, 1, 0.8, 0.6, 0.5, 0.4, 0.3);
    const guard_verdict verdict = judged(learns);
    assert_int_equal(verdict.end, GUARD_LEARNS);
    assert_int_equal(verdict.above, 0);
    assert_int_equal(verdict.last_above, 0);
    assert_true(verdict.mean_holds);
}

static void the_trial_acted_on_may_be_above_the_factor(void **state)
{
    (void)state;
    const guard_curve settled = CURVE(3, 1, 1, 1.2, 4, 0.9, 0.9, 0.9, 0.9, 0.9);
    const guard_verdict verdict = judged(settled);
    assert_int_equal(verdict.end, GUARD_SETTLED);
    assert_int_equal(verdict.above_factor, 1);
    assert_int_equal(verdict.after_act, 0);
    assert_int_equal(verdict.above, 2);
    assert_int_equal(verdict.last_above, 0);
}

static void what_comes_after_the_act_is_counted(void **state)
{
    (void)state;
    const guard_curve again = CURVE(2, 1, 1, 4, 2, 1.01, 1, 1, 1, 1, 1);
    const guard_curve above = CURVE(2, 1, 1, 4, 1, 1, 1, 1, 1.000001);
    assert_int_equal(judged(again).after_act, 1);
    assert_int_equal(judged(again).above_factor, 2);
    assert_int_equal(judged(above).end, GUARD_SETTLED);
    assert_int_equal(judged(above).last_above, CFPC_REAL_IS_FLOAT ? 0 : 1);
}

// The last five trials begin after the trial acted on, and after the second time it acted.
static void a_run_settles_when_the_last_trials_lie_after_the_act(void **state)
{
    (void)state;
    const guard_curve just = CURVE(3, 1, 1, 1, 4, 1, 1, 1, 1);
    const guard_curve twice = CURVE(2, 2, 1, 4, 1.2, 1, 1, 1, 1);
    const guard_curve passed = CURVE(2, 2, 1, 4, 1.2, 1, 1, 1, 1, 1);
    assert_int_equal(judged(just).end, GUARD_JUST_ACTED);
    assert_int_equal(judged(twice).end, GUARD_JUST_ACTED);
    assert_int_equal(judged(passed).end, GUARD_SETTLED);
}

static void without_an_act_the_mean_energy_decides(void **state)
{
    (void)state;
    const guard_curve below = CURVE(0, 0, 1, 0.5, 0.5, 0.5, 0.5, 1.4); // Σ 2.96
    const guard_curve above = CURVE(0, 0, 1, 0.9, 0.9, 0.9, 0.9, 1.4); // Σ 5.2
    const guard_curve lost = CURVE(0, 0, 1, 0.9, 0.9, 0.9, 0.9, NAN);
    assert_int_equal(judged(below).end, GUARD_LEARNS);
    assert_int_equal(judged(below).last_above, 1);
    assert_int_equal(judged(above).end, GUARD_IS_ABOVE);
    assert_int_equal(judged(lost).end, GUARD_IS_ABOVE);
    assert_int_equal(judged(lost).above_factor, 1);
}

static void with_noise_each_trial_is_held_against_the_same_trial_of_the_loop_alone(void **state)
{
    (void)state;
    const double alone[] = {1, 1.1, 0.9, 1.1, 0.9, 1.05, 1};
    guard_curve curve = CURVE(2, 1, 1, 1.6, 0.9, 1.1, 0.9, 1.05, 1);
    assert_int_equal(judged(curve).last_above, 2);
    curve.alone = alone;
    assert_int_equal(judged(curve).last_above, 0);
    assert_true(judged(curve).mean_holds);
}

static void spreads_are_those_of_the_values(void **state)
{
    (void)state;
    int runs[GUARD_MAX_TRIALS + 1] = {[0] = 2, [1] = 1, [4] = 1, [7] = 1};
    const guard_spread spread = guard_spread_of(runs);
    assert_near(spread.median, 1, 0);
    assert_near(spread.mean, 12.0 / 5, 1e-15);
    assert_near(spread.worst, 7, 0);
}

// ---- the loops -------------------------------------------------------------------------------

static guard_tally *prove(guard_ranges *ranges, int first, int loops, bool noisy)
{
    guard_tally *tally = must_calloc(1, sizeof *tally);
    lab_why why = {0};
    for (int i = 0; i < loops; i++)
        if (guard_prove(tally, ranges, first + i, noisy, &why) != LAB_DONE)
            fail_msg("loop %d: %s", first + i, why.text);
    for (int i = 0; i < tally->listed && !noisy; i++)
        print_error("loop %d, mode %d, rule %d, phase %d: breach %d\n", tally->broken[i].loop,
                    tally->broken[i].mode, tally->broken[i].rule, tally->broken[i].phase,
                    (int)tally->broken[i].breach);
    return tally;
}

static guard_ranges load(void)
{
    guard_ranges ranges;
    lab_why why = {0};
    if (guard_ranges_load(&ranges, RANGES, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    ranges.trials = TRIALS; // less than the benchmark's, for speed
    return ranges;
}

static void without_noise_every_run_holds(void **state)
{
    (void)state;
    guard_ranges ranges = load();
    guard_tally *tally = prove(&ranges, 0, LOOPS, false);
    assert_int_equal(tally->loops, LOOPS);
    assert_int_equal(tally->held, tally->runs);
    assert_true(tally->runs >= 6 * LOOPS);
    assert_true(tally->acted > tally->runs / 4);      // there was something to guard against
    assert_true(tally->acted < tally->runs * 9 / 10); // and something to learn
    assert_true(4 * tally->ill > tally->posed);
    free(tally);
    guard_ranges_free(&ranges);
}

static void with_noise_nearly_every_run_holds(void **state)
{
    (void)state;
    guard_ranges ranges = load();
    guard_tally *tally = prove(&ranges, 0, NOISY_LOOPS, true);
    assert_int_equal(tally->loops, NOISY_LOOPS);
    assert_true(tally->held >= 0.95 * tally->runs);
    free(tally);
    guard_ranges_free(&ranges);
}

// A loop is the same one alone and among others, and sums do not care how they are summed.
static void a_loop_depends_on_its_number_alone(void **state)
{
    (void)state;
    guard_ranges ranges = load();
    guard_tally *all = prove(&ranges, 7, 3, false), *sum = must_calloc(1, sizeof *sum);
    for (int i = 9; i >= 7; i--) {
        guard_tally *one = prove(&ranges, i, 1, false);
        guard_tally_add(sum, one);
        free(one);
    }
    assert_memory_equal(sum, all, offsetof(guard_tally, listed));
    free(all);
    free(sum);
    guard_ranges_free(&ranges);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_learns_has_no_trial_above),
        cmocka_unit_test(the_trial_acted_on_may_be_above_the_factor),
        cmocka_unit_test(what_comes_after_the_act_is_counted),
        cmocka_unit_test(a_run_settles_when_the_last_trials_lie_after_the_act),
        cmocka_unit_test(without_an_act_the_mean_energy_decides),
        cmocka_unit_test(with_noise_each_trial_is_held_against_the_same_trial_of_the_loop_alone),
        cmocka_unit_test(spreads_are_those_of_the_values),
        cmocka_unit_test(without_noise_every_run_holds),
        cmocka_unit_test(with_noise_nearly_every_run_holds),
        cmocka_unit_test(a_loop_depends_on_its_number_alone),
        cmocka_unit_test(ranges_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
