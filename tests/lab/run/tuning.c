// SPDX-License-Identifier: Apache-2.0
// tuning: a rule that is tuned has the best of the rates tried, each of which is a run of its own.
#include "lab/small_lab.h"

#include "run/measures.h"

enum { TRIALS = 4, RULES = 5, RATES = 5 };

#define HEAD SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_LEARNING "guard: off\n"
#define TUNE "tune: {rate_fractions: [0.1, 0.5, 1, 1.4, 3]}\n"
static const double rates[RATES] = {0.1, 0.5, 1, 1.4, 3};

// Computed and simulated, scaled and not, on one loop and on others.
#define FIVE_RULES                                                                                 \
    "rules:\n"                                                                                     \
    "  - {name: fm, trace: forward-model}\n"                                                       \
    "  - {name: wh, trace: none, set: {enters: plant-input}}\n"                                    \
    "  - {name: pre, trace: forward-model, update: preconditioned}\n"                              \
    "  - {name: late, trace: none, set: {olive: {gain: 1, delay_ms: 30}}}\n"                       \
    "  - {name: copy, trace: none, set: {basis: {kind: tapped-delay, count: 3, spacing_ms: 10, "   \
    "input: command}}}\n"
#define IS_SCALED(rule) ((rule) == 2)

static double unit_of(const lab_record *record, int rule)
{
    return IS_SCALED(rule) ? 1 : 1 / record->rule[rule].lambda_max;
}

// The last error of one rule in a run of its own at this rate.
static double error_at(int rule, const char *name, double rate)
{
    ran found;
    draft set = {0};
    add(&set, "rules.%s.rate=%.17g", name, rate);
    must_run(&found, HEAD FIVE_RULES, SET(set.at), 1);
    const double error = found.record.rule[rule].rrmse[TRIALS - 1];
    ran_free(&found);
    return error;
}

static void every_rate_tried_is_a_run_of_its_own(void **state)
{
    (void)state;
    ran tuned;
    must_run(&tuned, HEAD TUNE FIVE_RULES, SET_NOTHING, 1);
    assert_int_equal(tuned.record.rules, RULES);
    for (int i = 0; i < RULES; i++)
        for (int k = 0; k < RATES; k++) {
            const lab_rule_record *rule = &tuned.record.rule[i];
            const double expected = error_at(i, rule->name, rates[k] * unit_of(&tuned.record, i));
            const double tried = tuned.record.tuning[i].error[k];
            if (expected < 1e6)
                assert_near(tried, expected, 10 * LAB_TOLERANCE * expected);
            else
                assert_true(tried > 1e5);
        }
    ran_free(&tuned);
}

// And its curve is that of the run at that rate, to the bit: the rate is all that is chosen.
static void the_rate_with_the_least_error_is_the_rules(void **state)
{
    (void)state;
    ran tuned;
    int chosen[RATES] = {0};
    must_run(&tuned, HEAD TUNE FIVE_RULES, SET_NOTHING, 1);
    for (int i = 0; i < RULES; i++) {
        const lab_rule_record *rule = &tuned.record.rule[i];
        const lab_tuning *of = lab_tuning_of(&tuned.record, i);
        for (int k = 0; k < RATES; k++)
            assert_true(of->error[of->best] <= of->error[k]);
        assert_near(rule->rate, rates[of->best] * unit_of(&tuned.record, i), 1e-12 * rule->rate);
        assert_near(rule->rrmse[TRIALS - 1], of->error[of->best], LAB_TOLERANCE);
        assert_true(rule->rrmse[TRIALS - 1] == error_at(i, rule->name, rule->rate));
        assert_int_equal(of->constants, 1);
        assert_string_equal(of->keys[0].text, "rate_fraction");
        assert_near(lab_found(of, 0), rates[of->best], 0);
        chosen[of->best]++;
    }
    for (int k = 0; k < RATES; k++) // not the same for all
        assert_true(chosen[k] < RULES);
    assert_int_equal(chosen[RATES - 1], 0);
    ran_free(&tuned);
}

// ---- rates that diverge ----------------------------------------------------------------------

#if CFPC_REAL_IS_FLOAT
#define HUGE_RATE "1e30"
#else
#define HUGE_RATE "1e290"
#endif

// On the loop, a cell whose numbers overflow stops and leaves an rRMSE of 1: that is no success.
static void a_rate_that_overflows_is_as_bad_as_can_be(void **state)
{
    (void)state;
    ran found;
    must_run(&found, HEAD "tune: {rate_fractions: [0.5, 4, 1e20, " HUGE_RATE "]}\n" FIVE_RULES,
             SET("learning.trials=30"), 1);
    for (int i = 0; i < RULES; i++) {
        const lab_tuning *of = lab_tuning_of(&found.record, i);
        assert_int_equal(of->best, 0);
        assert_true(of->error[0] < 1 && of->error[1] > 100);
        assert_true(isinf(of->error[3]));
    }
    ran_free(&found);
    must_run(&found, HEAD "tune: {rate_fractions: [3, " HUGE_RATE "]}\n" FIVE_RULES, SET_NOTHING,
             1);
    for (int i = 0; i < RULES; i++) {
        assert_true(found.record.tuning[i].error[0] > 1);
        assert_int_equal(found.record.tuning[i].best, 0);
    }
    ran_free(&found);
}

// ---- whose rate, and where -------------------------------------------------------------------

#define OWN_RATES                                                                                  \
    "rules:\n"                                                                                     \
    "  - {name: fm, trace: forward-model}\n"                                                       \
    "  - {name: own, trace: none, rate: 0.01}\n"                                                   \
    "  - {name: share, trace: none, rate_fraction: 0.2}\n"

static void a_rule_with_a_rate_of_its_own_keeps_it(void **state)
{
    (void)state;
    ran tuned, plain;
    must_run(&tuned, HEAD TUNE OWN_RATES, SET_NOTHING, 1);
    must_run(&plain, HEAD OWN_RATES, SET_NOTHING, 1);
    assert_non_null(lab_tuning_of(&tuned.record, 0));
    assert_null(lab_tuning_of(&plain.record, 0));
    assert_true(tuned.record.rule[1].rate == 0.01);
    for (int i = 1; i < 3; i++) {
        assert_null(lab_tuning_of(&tuned.record, i));
        assert_true(tuned.record.rule[i].rate == plain.record.rule[i].rate);
        assert_memory_equal(tuned.record.rule[i].rrmse, plain.record.rule[i].rrmse,
                            TRIALS * sizeof(double));
    }
    ran_free(&tuned);
    ran_free(&plain);
}

#define PHASES                                                                                     \
    "phases:\n"                                                                                    \
    "  - {name: learn, trials: 3}\n"                                                               \
    "  - {name: changed, trials: 4, set: {loop.delay_ms: 60, loop.controller.kp: 1}}\n"

// In the second phase λmax is another, and a share of it would be another rate.
static void the_rate_holds_in_all_phases_and_the_first_decides(void **state)
{
    (void)state;
    ran tuned, first, fixed;
    must_run(&tuned, HEAD TUNE PHASES FIVE_RULES, SET_NOTHING, 1);
    must_run(&first, HEAD TUNE FIVE_RULES, SET("learning.trials=3"), 1);
    for (int i = 0; i < RULES; i++) {
        const lab_rule_record *rule = &tuned.record.rule[i];
        draft set = {0};
        add(&set, "rules.%s.rate=%.17g", rule->name, rule->rate);
        must_run(&fixed, HEAD PHASES FIVE_RULES, SET(set.at), 1);
        assert_memory_equal(rule->rrmse, fixed.record.rule[i].rrmse, 7 * sizeof(double));
        assert_memory_equal(tuned.record.tuning[i].error, first.record.tuning[i].error,
                            RATES * sizeof(double));
        assert_int_equal(tuned.record.tuning[i].best, first.record.tuning[i].best);
        ran_free(&fixed);
    }
    ran_free(&tuned);
    ran_free(&first);
}

// ---- told and refused ------------------------------------------------------------------------

static void a_try_is_a_piece_of_the_work_and_can_be_stopped(void **state)
{
    (void)state;
    int seen[3] = {0, 0, 1000}; // done, total, when to stop
    const lab_progress progress = {.tick = count_ticks, .context = seen};
    lab_spec spec;
    lab_plan plan;
    lab_record record;
    lab_why why;
    must_plan(&plan, &spec, HEAD TUNE OWN_RATES, SET_NOTHING);
    must(lab_run(&record, &plan, 1, &progress, &why), &why);
    assert_int_equal(seen[0], RATES + 3);
    assert_int_equal(seen[1], RATES + 3);
    lab_record_free(&record);
    seen[0] = 0;
    seen[2] = 2;
    assert_int_equal(lab_run(&record, &plan, 1, &progress, &why), LAB_FAILED);
    assert_string_equal(why.text, "stopped");
    assert_int_equal(seen[0], 2);
    lab_record_free(&record);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

static void rates_that_cannot_be_tried_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *tune, *says;
    } cases[] = {
        {"tune={rate_fractions: []}", "'rate_fractions' is empty"},
        {"tune={rate_fractions: [1, 0.5]}",
         "'rate_fractions' must be above 0 and increase; 0.5 does not"},
        {"tune={rate_fractions: [0.5, 0.5]}",
         "'rate_fractions' must be above 0 and increase; 0.5 does not"},
        {"tune={rate_fractions: [-1, 1]}",
         "'rate_fractions' must be above 0 and increase; -1 does not"},
        {"tune={rate_fractions: [0, 1]}",
         "'rate_fractions' must be above 0 and increase; 0 does not"},
        {"tune={rate_fractions: [a]}", "'rate_fractions' must be a number; this is 'a'"},
        {"tune={rate_fractions: 0.5}", "'rate_fractions' must be a list of numbers"},
        {"tune={}", "'tune' needs 'rate_fractions' to try, or a rule with a 'tune' of its own"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET(cases[i].tune));
        if (!strstr(why.text, cases[i].says))
            fail_msg("'%s' does not say '%s'", why.text, cases[i].says);
    }
    expect_refusal(SMALL_SPEC "tune: {rate_fractions: [1, 0.5]}\n", SET_NOTHING,
                   "spec.yaml:14:1: 'rate_fractions' must be above 0 and increase; 0.5 does not");
}

// `cfpc check` knows what a claim may name before anything is tried.
static void constants_have_their_measures_before_the_run(void **state)
{
    (void)state;
    lab_spec spec;
    lab_plan plan;
    lab_record record;
    lab_measures measures;
    lab_why why;
    must_plan(&plan, &spec,
              HEAD
              "tune: {evaluations: 4}\n"
              "rules: [{name: late, trace: delay, delay_ms: 20, tune: [{key: delay_ms, low: 0, "
              "high: 100}]}]\n",
              SET_NOTHING);
    lab_variants variants;
    must(lab_variants_make(&variants, &plan, &why), &why);
    must(lab_run_blank(&record, &variants, &why), &why);
    must(lab_measures_make(&measures, &record, &spec, &why), &why);
    assert_non_null(lab_measure_of(&measures, "rules.late.tuned.delay_ms"));
    lab_measures_free(&measures);
    lab_record_free(&record);
    lab_variants_free(&variants);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rate_tried_is_a_run_of_its_own),
        cmocka_unit_test(the_rate_with_the_least_error_is_the_rules),
        cmocka_unit_test(a_rate_that_overflows_is_as_bad_as_can_be),
        cmocka_unit_test(a_rule_with_a_rate_of_its_own_keeps_it),
        cmocka_unit_test(the_rate_holds_in_all_phases_and_the_first_decides),
        cmocka_unit_test(a_try_is_a_piece_of_the_work_and_can_be_stopped),
        cmocka_unit_test(rates_that_cannot_be_tried_are_refused),
        cmocka_unit_test(constants_have_their_measures_before_the_run),
    };
    return cmocka_run_group_tests_name("lab.tuning", tests, NULL, NULL);
}
