// SPDX-License-Identifier: Apache-2.0
// constants: a rule that lists constants is tuned over all of them together; every evaluation is
// the run that it stands for, however it was computed.
#include "spec/constants.h"
#include "lab/small_lab.h"
#include "run/measures.h"

enum { TRIALS = 5, EVALUATIONS = 12, MAX_CONSTANTS = 3 };

#define HEAD                                                                                       \
    SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS "learning: {trials: 5, neglect: 0.01}\n"          \
                                                 "guard: off\n"
#define RATE "{key: rate_fraction, low: 0.05, high: 1, scale: log}"
#define IDENTITY "basis: {kind: identity}"

// Rules of every kind: what they are, and what of them is tuned.
typedef struct tuned_rule {
    const char *name, *is, *tune;
} tuned_rule;

static const tuned_rule rules[] = {
    {"fm", "trace: forward-model", RATE},
    {"late", "trace: delay, delay_ms: 0", RATE ", {key: delay_ms, low: 0, high: 90}"},
    {"white", "trace: whitened", RATE ", {key: whitening_rho, low: 0.01, high: 1, scale: log}"},
    {"pre", "trace: forward-model, update: preconditioned",
     "{key: rho, low: 1e-4, high: 1, scale: log}, {key: rate, low: 0.1, high: 1}"},
    {"heavy", "trace: forward-model, leak: 0.01, momentum: 0.2, output_penalty: 0.1",
     "{key: leak, low: 0, high: 0.2}, {key: momentum, low: 0, high: 0.8}, "
     "{key: output_penalty, low: 0, high: 1}"},
    {"ilc", "trace: delay, delay_ms: 30, q_hz: 9, set: {" IDENTITY "}",
     "{key: q_hz, low: 2, high: 40, scale: log}, {key: delay_ms, low: 0, high: 90}, "
     "{key: rate, low: 0.05, high: 1, scale: log}"},
    {"grad", "trace: forward-model, set: {" IDENTITY ", enters: plant-input}", RATE},
    {"sensory", "trace: delay, delay_ms: 50, set: {olive: {gain: 1, delay_ms: 30}}",
     RATE ", {key: olive.gain, low: 0, high: 1}, {key: olive.delay_ms, low: 0, high: 90}"},
    {"slow", "trace: forward-model, set: {teach: {delay_ms: 20, gain: 0.5}}",
     "{key: teach.gain, low: 0.1, high: 1}"},
    {"measured", "trace: forward-model, set: {teach.signal: measured-error}", RATE},
    {"fel", "trace: delay, delay_ms: 0, set: {enters: plant-input, teach.signal: command}",
     RATE ", {key: delay_ms, low: 0, high: 90}"},
    {"ahead",
     "trace: forward-model, set: {loop.feedforward: {kind: p, kp: 0.3}, enters: feedforward-input}",
     RATE},
    {"matched", "trace: phase-matched", RATE},
    {"noisy", "trace: forward-model, set: {teach.noise: 0.05}", RATE},
    {"spiky", "trace: forward-model, set: {teach.spikes: {rate_hz: 20, scale: 1}}", RATE},
    {"copy",
     "trace: none, set: {basis: {kind: laguerre, count: 3, time_constant_ms: 50, input: command}}",
     RATE ", {key: basis.time_constant_ms, low: 20, high: 200, scale: log}"},
    {"loop", "trace: forward-model, set: {believed: {delay_ms: 40}}",
     "{key: believed.delay_ms, low: 0, high: 60}"},
    {"bounded", "trace: forward-model, weight_low: -1", "{key: weight_low, low: -2, high: 0}"},
    {"normal", "trace: forward-model, update: normalised, rate: 0.5",
     "{key: normaliser, low: 0.001, high: 10, scale: log}"},
};

enum { RULES = sizeof rules / sizeof rules[0] };

static void add_rules(draft *to, bool tuned)
{
    add(to, "rules:\n");
    for (int i = 0; i < RULES; i++)
        add(to, tuned ? "  - {name: %s, %s, tune: [%s]}\n" : "  - {name: %s, %s}\n", rules[i].name,
            rules[i].is, rules[i].tune);
}

static draft tuned_spec(const char *tune)
{
    draft yaml = {0};
    add(&yaml, "%s%s", HEAD, tune);
    add_rules(&yaml, true);
    return yaml;
}

#define TUNE "tune: {evaluations: 12}\n"

// The curve of a rule in a run of its own with these values.
static void run_alone(int rule, const lab_tuning *tuning, const double *values, double *rrmse)
{
    draft yaml = {0}, set[MAX_CONSTANTS] = {0};
    const char *settings[MAX_CONSTANTS + 1] = {0};
    ran alone;
    add(&yaml, "%srules: [{name: %s, %s}]\n", HEAD, rules[rule].name, rules[rule].is);
    for (int i = 0; i < tuning->constants; i++) {
        const char *key = tuning->keys[i].text;
        add(&set[i], "rules.0.%s%s=%.17g", strchr(key, '.') ? "set." : "", key, values[i]);
        settings[i] = set[i].at;
    }
    must_run(&alone, yaml.at, settings, 1);
    memcpy(rrmse, alone.record.rule[0].rrmse, TRIALS * sizeof *rrmse);
    ran_free(&alone);
}

static void every_evaluation_is_a_run_of_its_own(void **state)
{
    (void)state;
    ran tuned;
    const draft yaml = tuned_spec(TUNE);
    must_run(&tuned, yaml.at, SET_NOTHING, 1);
    for (int i = 0; i < RULES; i++) {
        const lab_tuning *tuning = lab_tuning_of(&tuned.record, i);
        assert_int_equal(tuning->evaluations, EVALUATIONS);
        for (int k = 0; k < EVALUATIONS; k++) {
            double rrmse[TRIALS];
            run_alone(i, tuning, tuning->values + k * tuning->constants, rrmse);
            const double expected = rrmse[TRIALS - 1];
            if (!(fabs(tuning->error[k] - expected) <= 10 * LAB_TOLERANCE * fmax(1, expected)))
                fail_msg("%s, evaluation %d: %.12g, by itself %.12g", rules[i].name, k,
                         tuning->error[k], expected);
        }
    }
    ran_free(&tuned);
}

static void the_best_of_all_evaluations_is_run_in_every_phase(void **state)
{
    (void)state;
    ran tuned;
    draft yaml = tuned_spec(TUNE);
    add(&yaml, "phases: [{name: learn, trials: 5}, {name: more, trials: 1}]\n");
    must_run(&tuned, yaml.at, SET_NOTHING, 1);
    for (int i = 0; i < RULES; i++) {
        const lab_tuning *tuning = lab_tuning_of(&tuned.record, i);
        const double *curve = tuned.record.rule[i].rrmse;
        for (int k = 0; k < EVALUATIONS; k++)
            assert_true(tuning->error[tuning->best] <= tuning->error[k]);
        assert_near(curve[TRIALS - 1], tuning->error[tuning->best], 10 * LAB_TOLERANCE);
    }
    // Where nothing else changes, the second phase goes on as one phase would.
    draft whole = {0};
    ran longer;
    add(&whole, "%srules: [{name: %s, %s}]\n", HEAD, rules[1].name, rules[1].is);
    draft delay = {0}, rate = {0};
    add(&rate, "rules.0.rate_fraction=%.17g", lab_found(&tuned.record.tuning[1], 0));
    add(&delay, "rules.0.delay_ms=%.17g", lab_found(&tuned.record.tuning[1], 1));
    must_run(&longer, whole.at, SET(rate.at, delay.at, "learning.trials=6"), 1);
    assert_near(tuned.record.rule[1].rrmse[5], longer.record.rule[0].rrmse[5], LAB_TOLERANCE);
    ran_free(&longer);
    ran_free(&tuned);
}

static void the_mean_of_the_phase_may_decide(void **state)
{
    (void)state;
    ran tuned;
    const draft yaml = tuned_spec("tune: {evaluations: 12, by: mean}\n");
    must_run(&tuned, yaml.at, SET_NOTHING, 1);
    for (int i = 0; i < RULES; i++) {
        const lab_tuning *tuning = lab_tuning_of(&tuned.record, i);
        double mean = 0;
        for (int k = 0; k < TRIALS; k++)
            mean += tuned.record.rule[i].rrmse[k] / TRIALS;
        assert_near(tuning->error[tuning->best], mean, 10 * LAB_TOLERANCE);
    }
    ran_free(&tuned);
}

// ---- the search ------------------------------------------------------------------------------

#define ONE_RULE(tune) HEAD "rules: [{name: a, trace: delay, delay_ms: 0, tune: [" tune "]}]\n"
#define DELAY "{key: delay_ms, low: 0, high: 90}"

static bool is_within(double value, double low, double high)
{
    return value >= low - 1e-12 && value <= high + 1e-12;
}

// By hand: shares 1/2, 1/4, 3/4, 1/8 of a logarithmic range; 1/3, 2/3, 1/9, 4/9 of one of times.
static void the_first_half_fills_the_ranges_and_the_second_closes_in(void **state)
{
    (void)state;
    ran it;
    must_run(&it, ONE_RULE(RATE ", " DELAY) "tune: {evaluations: 200}\n", SET_NOTHING, 1);
    const lab_tuning *tuning = lab_tuning_of(&it.record, 0);
    static const double share[] = {0.5, 0.25, 0.75, 0.125}, delay[] = {30, 60, 10, 40};
    for (int k = 0; k < 4; k++) {
        assert_near(tuning->values[2 * k], 0.05 * pow(20, share[k]), 1e-12);
        assert_near(tuning->values[2 * k + 1], delay[k], 1e-9);
    }
    int best = 0;
    for (int k = 0; k < 200; k++) {
        const double *values = tuning->values + 2 * (size_t)k;
        assert_true(is_within(values[0], 0.05, 1) && is_within(values[1], 0, 90));
        assert_near(remainder(values[1], 10), 0, 1e-9); // whole steps
        if (k >= 190) // the box is 0.25 · 0.004^0.9 of the range at most
            assert_near(log(values[0] / tuning->values[2 * best]), 0, 0.0018 * log(20));
        best = tuning->error[k] < tuning->error[best] ? k : best;
    }
    assert_int_equal(tuning->best, best);
    ran_free(&it);
}

static void the_search_is_the_same_every_time_and_finds_what_a_grid_finds(void **state)
{
    (void)state;
    ran a, b;
    must_run(&a, ONE_RULE(RATE ", " DELAY) "tune: {evaluations: 100}\n", SET_NOTHING, 1);
    must_run(&b, ONE_RULE(RATE ", " DELAY) "tune: {evaluations: 100}\n", SET_NOTHING, 1);
    assert_memory_equal(a.record.tuning[0].values, b.record.tuning[0].values, 200 * sizeof(double));
    assert_memory_equal(a.record.tuning[0].error, b.record.tuning[0].error, 100 * sizeof(double));
    double least = INFINITY, rrmse[TRIALS];
    for (int late = 0; late < 10; late++)
        for (int k = 0; k <= 10; k++) {
            draft set[2] = {0};
            ran one;
            add(&set[0], "rules.0.delay_ms=%d", 10 * late);
            add(&set[1], "rules.0.rate_fraction=%.17g", 0.05 * pow(20, 0.1 * k));
            must_run(&one, HEAD "rules: [{name: a, trace: delay, delay_ms: 0}]\n",
                     SET(set[0].at, set[1].at), 1);
            memcpy(rrmse, one.record.rule[0].rrmse, sizeof rrmse);
            least = fmin(least, rrmse[TRIALS - 1]);
            ran_free(&one);
        }
    assert_true(a.record.tuning[0].error[a.record.tuning[0].best] <= least + LAB_TOLERANCE);
    ran_free(&a);
    ran_free(&b);
}

// ---- measures, repeats and the spec ----------------------------------------------------------

static void what_was_found_is_measured_and_noted_in_the_spec(void **state)
{
    (void)state;
    ran it;
    lab_measures measures;
    lab_why why;
    must_run(&it,
             HEAD "tune: {evaluations: 8}\n"
                  "rules:\n"
                  "  - {name: a, trace: delay, delay_ms: 0, set: {olive.gain: 0.5}, tune: [" DELAY
                  ", {key: olive.gain, low: 0, high: 1}]}\n"
                  "  - {name: b, trace: none}\n",
             SET_NOTHING, 1);
    const lab_tuning *tuning = lab_tuning_of(&it.record, 0);
    must(lab_measures_make(&measures, &it.record, &it.spec, &why), &why);
    assert_near(lab_measure_of(&measures, "rules.a.tuned_constants")->value, 2, 0);
    assert_near(lab_measure_of(&measures, "rules.b.tuned_constants")->value, 0, 0);
    assert_near(lab_measure_of(&measures, "rules.a.tuned.delay_ms")->value, lab_found(tuning, 0),
                0);
    assert_near(lab_measure_of(&measures, "rules.a.tuned.olive.gain")->value, lab_found(tuning, 1),
                0);
    assert_null(lab_measure_of(&measures, "rules.b.tuned.delay_ms"));
    lab_measures_free(&measures);
    must(lab_constants_note(&it.spec, 0, (const double[]){70, 0.25}, &why), &why);
    assert_near(lab_rules(&it.spec)[0].delay_ms, 70, 0);
    assert_int_equal(lab_rules(&it.spec)[0].set.count, 1); // in the place of the former value
    assert_string_equal(lab_rules(&it.spec)[0].set.items[0].value->text, "0.25");
    ran_free(&it);
}

// Repeats with other seeds have the constants of the first run: each is one number.
static void repeats_take_the_constants_of_the_first_run(void **state)
{
    (void)state;
    ran twice, alone;
    must_run(&twice, ONE_RULE(DELAY) "tune: {evaluations: 8}\n",
             SET("loop.noise={measurement: 0.05}"), 2);
    draft delay = {0};
    add(&delay, "rules.0.delay_ms=%.17g", lab_found(lab_tuning_of(&twice.record, 0), 0));
    must_run(&alone, HEAD "rules: [{name: a, trace: delay, delay_ms: 0}]\n",
             SET("loop.noise={measurement: 0.05}", delay.at), 2);
    assert_memory_equal(twice.record.rule[0].rrmse, alone.record.rule[0].rrmse,
                        TRIALS * sizeof(double));
    ran_free(&twice);
    ran_free(&alone);
}

// With one evaluation nothing is searched for: a run with other seeds has what an earlier one
// found.
static void one_evaluation_is_that_of_the_values_in_the_spec(void **state)
{
    (void)state;
    ran found, again, set;
    const draft yaml = tuned_spec(TUNE);
    must_run(&found, yaml.at, SET_NOTHING, 1);
    const lab_tuning *late = lab_tuning_of(&found.record, 1);
    draft values = {0};
    add(&values,
        "%stune: {evaluations: 1}\nrules: [{name: late, trace: delay, rate_fraction: %.17g, "
        "delay_ms: %.17g, tune: [%s]}]\n",
        HEAD, lab_found(late, 0), lab_found(late, 1), rules[1].tune);
    must_run(&again, values.at, SET_NOTHING, 1);
    const lab_tuning *one = lab_tuning_of(&again.record, 0);
    assert_int_equal(one->evaluations, 1);
    assert_near(one->error[0], late->error[late->best], 0);
    assert_memory_equal(again.record.rule[0].rrmse, found.record.rule[1].rrmse,
                        TRIALS * sizeof(double));
    must_run(&set, values.at, SET("rules.late.delay_ms=20"), 1);
    assert_near(lab_found(lab_tuning_of(&set.record, 0), 1), 20, 0);
    lab_why caution;
    assert_true(lab_is_tuned_later(&found.spec, 1, &caution));
    assert_false(lab_is_tuned_later(&again.spec, 0, &caution));
    ran_free(&set);
    ran_free(&again);
    ran_free(&found);
    expect_refusal(ONE_RULE(RATE) "tune: {evaluations: 1}\n", SET_NOTHING,
                   "spec.yaml:12:54: rule 'a' is tuned by 1 evaluation, that of the values in the "
                   "spec, which has none for 'rate_fraction': give it one, or use 2 evaluations or "
                   "more");
}

// ---- refused ---------------------------------------------------------------------------------

static void constants_that_cannot_be_tuned_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *tune, *says;
    } cases[] = {
        {"{key: dealy_ms, low: 0, high: 90}",
         "rule 'a' cannot tune 'dealy_ms': it is neither a number of the rule nor the path of one "
         "in the spec, as olive.gain; did you mean 'delay_ms'?"},
        {DELAY ", {key: name, low: 0, high: 1}", "cannot tune 'name'"},
        {"{key: rho, low: 0.1, high: 1}", "tunes 'rho', which only a preconditioned update has"},
        {"{key: normaliser, low: 0.1, high: 1}", "which only a normalised update has"},
        {RATE ", {key: rate, low: 0.1, high: 1}",
         "rule 'a' tunes 'rate_fraction' but has a 'rate', of its own or for every rule "
         "(--learning-rate, in Python rate=), which takes its place: remove one of them"},
        {RATE ", {key: learning.rate_fraction, low: 0.1, high: 1}", "has a 'rate_fraction' of its"},
        {"{key: learning.rate, low: 0.1, high: 1}, {key: learning.rate_fraction, low: 0.1, high: "
         "1}",
         "has the 'rate' of learning"},
        {"{key: whitening_rho, low: 0, high: 1}", "cannot tune 'whitening_rho'"},
        {"{key: step_ms, low: 1, high: 10}", "cannot tune 'step_ms'"},
        {"{key: task.trial_s, low: 1, high: 10}", "cannot tune 'task.trial_s'"},
        {"{key: basis.count, low: 1, high: 10}", "cannot tune 'basis.count'"},
        {"{key: claims.0.low, low: 1, high: 10}", "cannot tune 'claims.0.low'"},
        {"{key: loop.plant.stages.none.gain, low: 1, high: 10}", "cannot tune 'loop.plant.stage"},
        {"{key: loop.delay_ms, low: 0, high: 90}",
         "'loop.delay_ms' is the task's, not the rule's: a rule may tune its own keys, teach.gain, "
         "and what is below learning, olive, basis, prediction and believed"},
        {"{key: loop.controller.kp, low: 1, high: 3}", "is the task's, not the rule's"},
        {"{key: loop.noise.process, low: 0, high: 3}", "is the task's, not the rule's"},
        {"{key: task.at_s, low: 0, high: 0.5}", "is the task's, not the rule's"},
        {"{key: teach.noise, low: 0, high: 1}", "is the task's, not the rule's"},
        {"{key: teach.delay_ms, low: 0, high: 90}", "is the task's, not the rule's"},
        {"{key: teach.spikes.rate_hz, low: 1, high: 90}", "is the task's, not the rule's"},
        {"{key: delay_ms, low: 90, high: 90}", "'low' of 90 is not below 'high' of 90"},
        {"{key: delay_ms, low: 0, high: 90, scale: log}", "scale needs a 'low' above 0; this is 0"},
        {"{key: delay_ms, low: -10, high: 90}", "'delay_ms' must be at least 0 and at most 1e+09"},
        {"{key: rate, low: 0, high: 1}", "'rate' must be above 0 and at most 1e+300"},
        {"{key: delay_ms, low: 11, high: 19}", "no whole number of steps of 10 ms from 11 to 19"},
        {DELAY ", " DELAY, "rule 'a' tunes 'delay_ms' twice"},
        {"{key: q_hz, low: 1, high: 20}", "which needs one weight per step"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        draft yaml = {0};
        add(&yaml,
            "%stune: {evaluations: 4}\nrules: [{name: a, trace: delay, delay_ms: 0, tune: [%s]}]\n",
            HEAD, cases[i].tune);
        const lab_why why = refusal_of("spec.yaml", yaml.at, SET_NOTHING);
        if (!strstr(why.text, cases[i].says))
            fail_msg("'%s' does not say '%s'", why.text, cases[i].says);
    }
    expect_refusal(ONE_RULE(DELAY), SET_NOTHING,
                   "spec.yaml:12:10: rule 'a' has constants to tune, but the spec has no 'tune', "
                   "which says how often: add 'tune: {evaluations: 200}'");
}

#define TUNED(tune) ONE_RULE(tune) TUNE
#define OLIVE "{key: olive.gain, low: 0, high: 1}"

static void a_value_that_tuning_would_replace_is_refused(void **state)
{
    (void)state;
    expect_refusal(TUNED(DELAY), SET("rules.a.delay_ms=20"),
                   "setting 'rules.a.delay_ms' has no effect, as 'delay_ms' of rule 'a' is tuned: "
                   "remove it from 'tune' of the rule");
    static const char *const settings[] = {"rules.0.delay_ms=20", "rules.a.set.olive.gain=1",
                                           "olive.gain=1", "olive={gain: 0.5}"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const lab_why why = refusal_of("spec.yaml", TUNED(DELAY ", " OLIVE), SET(settings[i]));
        assert_non_null(strstr(why.text, "is tuned: remove it from 'tune' of the rule"));
    }
    // a rule needs a delay before it can be tuned
    lab_plan plan;
    lab_spec spec;
    must_plan(&plan, &spec, HEAD "rules: [{name: a, trace: none}]\n" TUNE,
              SET("rules.a.trace=delay", "rules.a.delay_ms=20", "rules.a.tune=[" DELAY "]"));
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    const lab_why rate = refusal_of("spec.yaml", TUNED(RATE), SET("rules.0.rate=0.1"));
    assert_non_null(strstr(rate.text, "rule 'a' tunes 'rate_fraction' but has a 'rate'"));
}

static void a_refusal_names_the_setting_that_it_is_about(void **state)
{
    (void)state;
    expect_refusal(ONE_RULE(DELAY), SET("tune={rate_fractions: [1, 0.5]}"),
                   "setting 'tune': 'rate_fractions' must be above 0 and increase; 0.5 does not");
    expect_refusal(TUNED(DELAY), SET("rules.a.tune=[{key: delay_ms, low: 90, high: 90}]"),
                   "setting 'rules.a.tune': 'low' of 90 is not below 'high' of 90");
}

static void a_phase_cannot_set_what_is_tuned(void **state)
{
    (void)state;
    static const char *const sets[] = {"rules.a.delay_ms: 20", "olive.gain: 1", "olive: {gain: 1}"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        draft yaml = {0};
        add(&yaml, "%sphases: [{name: one, trials: 3}, {name: two, trials: 2, set: {%s}}]\n",
            TUNED(DELAY ", " OLIVE), sets[i]);
        const lab_why why = refusal_of("spec.yaml", yaml.at, SET_NOTHING);
        if (!strstr(why.text, "'set' of phase 'two' cannot change '"))
            fail_msg("%s: %s", sets[i], why.text);
    }
}

// What a rule does not tune may be set, if another tunes it.
static void what_another_rule_tunes_may_be_set(void **state)
{
    (void)state;
    ran it;
    must_run(&it,
             HEAD TUNE "rules: [{name: a, trace: none, tune: [" OLIVE
                       "]}, {name: b, trace: none}]\n",
             SET("olive.gain=0.5", "rules.b.rate_fraction=0.2"), 1);
    ran_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_evaluation_is_a_run_of_its_own),
        cmocka_unit_test(the_best_of_all_evaluations_is_run_in_every_phase),
        cmocka_unit_test(the_mean_of_the_phase_may_decide),
        cmocka_unit_test(the_first_half_fills_the_ranges_and_the_second_closes_in),
        cmocka_unit_test(the_search_is_the_same_every_time_and_finds_what_a_grid_finds),
        cmocka_unit_test(what_was_found_is_measured_and_noted_in_the_spec),
        cmocka_unit_test(repeats_take_the_constants_of_the_first_run),
        cmocka_unit_test(one_evaluation_is_that_of_the_values_in_the_spec),
        cmocka_unit_test(constants_that_cannot_be_tuned_are_refused),
        cmocka_unit_test(a_value_that_tuning_would_replace_is_refused),
        cmocka_unit_test(a_refusal_names_the_setting_that_it_is_about),
        cmocka_unit_test(a_phase_cannot_set_what_is_tuned),
        cmocka_unit_test(what_another_rule_tunes_may_be_set),
    };
    return cmocka_run_group_tests_name("lab.constants", tests, NULL, NULL);
}
