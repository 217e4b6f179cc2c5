// SPDX-License-Identifier: Apache-2.0
// Onset, peak and amplitude of what is learned, trial by trial, against the signals themselves.
#include "lab/small_lab.h"

#define PHASES "phases=[{name: on, trials: 4}, {name: off, trials: 3, set: {task.to: 0}}]"

// A made-up response: 0, then 1, 2, 3, -5, 3, 0.
static void the_largest_value_and_the_first_beyond_the_threshold_are_found(void **state)
{
    (void)state;
    static const double response[] = {0, 0, 1, 2, 3, -5, 3, 0};
    double onset[1], peak[1], amplitude[1];
    const lab_responses to = {.onset_ms = onset, .peak_ms = peak, .amplitude = amplitude};
    lab_spec spec = {
        .step_ms = 10,
        .response = {.threshold = 0.3, .min_amplitude = 1e-6, .from_s = 0, .to_s = NAN}};
    lab_measure_response(&to, 0, &spec, 8, response);
    assert_near(amplitude[0], -5, 0);
    assert_near(peak[0], 50, 1e-12);
    assert_near(onset[0], 30, 1e-12); // 2 is more than 1.5
    spec.response.to_s = 0.04;
    lab_measure_response(&to, 0, &spec, 8, response);
    assert_near(amplitude[0], 3, 0);
    assert_near(peak[0], 40, 1e-12);
    assert_near(onset[0], 20, 1e-12); // 1 is more than 0.9
    spec.response.from_s = 0.03;
    lab_measure_response(&to, 0, &spec, 8, response);
    assert_near(onset[0], 30, 1e-12);
    spec.response.min_amplitude = 4;
    lab_measure_response(&to, 0, &spec, 8, response);
    assert_true(isnan(onset[0]) && isnan(peak[0]));
    assert_near(amplitude[0], 3, 0);
}

// The last trial's figures by hand from the signals that are kept.
static void expect_last(const ran *it, bool of_cell)
{
    const lab_rule_record *rule = &it->record.rule[0];
    const lab_signals *s = &rule->signals;
    const int last = it->record.trials - 1;
    double most = 0;
    int peak = 0;
    for (int n = 0; n < it->record.steps; n++) {
        const double value = of_cell ? s->o_last[n] : s->y_last[n] - s->y_first[n];
        if (fabs(value) > fabs(most)) {
            most = value;
            peak = n;
        }
    }
    assert_near(rule->responses.amplitude[last], most, LAB_TOLERANCE);
    assert_near(rule->responses.peak_ms[last], peak * 10.0, 1e-9);
    assert_true(rule->responses.onset_ms[last] < rule->responses.peak_ms[last]);
}

static void the_responses_are_those_of_the_signals(void **state)
{
    (void)state;
    ran it;
    must_run(&it, SMALL_SPEC, SET("response={}"), 1);
    expect_last(&it, false);
    assert_near(it.record.rule[0].responses.amplitude[0], 0, 0); // nothing is learned yet
    assert_true(isnan(it.record.rule[0].responses.peak_ms[0]));
    ran_free(&it);
    must_run(&it, SMALL_SPEC, SET("response={signal: cell}"), 1);
    expect_last(&it, true);
    ran_free(&it);
    must_run(&it, SMALL_SPEC, SET("response={signal: cell}", "learning.mode=online"), 1);
    expect_last(&it, true);
    ran_free(&it);
}

static void asking_for_responses_changes_no_curve(void **state)
{
    (void)state;
    ran asked, plain;
    must_run(&asked, SMALL_SPEC, SET("response={}"), 1);
    must_run(&plain, SMALL_SPEC, SET_NOTHING, 1);
    assert_null(plain.record.rule[0].responses.peak_ms);
    for (int i = 0; i < 2; i++)
        assert_same(4, asked.record.rule[i].rrmse, plain.record.rule[i].rrmse, LAB_TOLERANCE);
    ran_free(&asked);
    ran_free(&plain);
}

static void in_a_phase_without_a_task_the_response_is_unlearned(void **state)
{
    (void)state;
    ran it;
    must_run(&it, SMALL_SPEC, SET(PHASES, "response={}", "guard=off"), 1);
    const double *amplitude = it.record.rule[0].responses.amplitude;
    assert_true(fabs(amplitude[3]) > 0.05);
    assert_true(fabs(amplitude[4]) > 0.05); // it comes although nothing is asked
    assert_true(fabs(amplitude[6]) < fabs(amplitude[4]));
    ran_free(&it);
}

static void what_cannot_be_measured_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *set, *says;
    } cases[] = {{"response={from_s: 0.5, to_s: 0.4}", "is not within a trial of 1 s"},
                 {"response={to_s: 3}", "is not within a trial of 1 s"},
                 {"response={signal: eye}", "'signal' cannot be 'eye'"},
                 {"response={threshold: 0}", "'threshold'"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET(cases[i].set));
        if (!strstr(why.text, cases[i].says))
            fail_msg("'%s' does not say '%s'", why.text, cases[i].says);
    }
    const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET("response={}", "task.repeats=no"));
    assert_non_null(strstr(why.text, "needs trials that repeat"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_value_and_the_first_beyond_the_threshold_are_found),
        cmocka_unit_test(the_responses_are_those_of_the_signals),
        cmocka_unit_test(asking_for_responses_changes_no_curve),
        cmocka_unit_test(in_a_phase_without_a_task_the_response_is_unlearned),
        cmocka_unit_test(what_cannot_be_measured_is_refused),
    };
    return cmocka_run_group_tests_name("lab.responses", tests, NULL, NULL);
}
