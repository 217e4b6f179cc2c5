// SPDX-License-Identifier: Apache-2.0
// Rules with settings of their own: each learns as in a spec of its own. Phases in which the loop
// makes no error by itself.
#include "lab/small_lab.h"

#define HEAD SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_LEARNING
#define VARIED(settings)                                                                           \
    HEAD "rules:\n  - {name: fm, trace: forward-model}\n"                                          \
         "  - {name: other, trace: forward-model, set: {" settings "}}\n"
#define TWO_PHASES(first, second)                                                                  \
    "phases=[{name: a, trials: 3, set: {" first "}}, {name: b, trials: 2, set: {" second "}}]"

// Whether the varied rule of a run is the second rule of a spec with those settings.
static void expect_as_alone(const char *varied, const char *const *alone)
{
    ran found, expected;
    must_run(&found, varied, SET_NOTHING, 1);
    must_run(&expected, SMALL_SPEC, alone, 1);
    const lab_rule_record *a = &found.record.rule[1], *b = &expected.record.rule[0];
    assert_true(a->is_varied && !found.record.rule[0].is_varied);
    assert_int_equal(a->bases, b->bases);
    assert_memory_equal(a->rrmse, b->rrmse, 4 * sizeof(double));
    assert_memory_equal(a->optimum, b->optimum, 4 * sizeof(double));
    assert_memory_equal(a->weights, b->weights, (size_t)a->bases * sizeof(double));
    const size_t bytes = (size_t)found.record.steps * sizeof(double);
    assert_memory_equal(a->signals.y_first, b->signals.y_first, bytes);
    assert_memory_equal(a->signals.r_last, b->signals.r_last, bytes);
    assert_memory_equal(a->signals.o_last, b->signals.o_last, bytes);
    assert_memory_equal(a->signals.e_last, b->signals.e_last, bytes);
    assert_true(a->rate == b->rate);
    ran_free(&found);
    ran_free(&expected);
}

static void a_rule_with_settings_learns_as_in_a_spec_of_its_own(void **state)
{
    (void)state;
    expect_as_alone(VARIED("loop.delay_ms: 60"), SET("loop.delay_ms=60"));
    expect_as_alone(VARIED("basis.count: 3, basis.spacing_ms: 300"),
                    SET("basis.count=3", "basis.spacing_ms=300"));
    expect_as_alone(VARIED("learning.mode: online"), SET("learning.mode=online"));
    expect_as_alone(VARIED("enters: plant-input, teach.signal: command"),
                    SET("enters=plant-input", "teach.signal=command"));
    expect_as_alone(VARIED("believed: {delay_ms: 50}"), SET("believed={delay_ms: 50}"));
}

static void the_other_rules_do_not_notice(void **state)
{
    (void)state;
    ran found, expected;
    must_run(&found, VARIED("loop.delay_ms: 60, task.to: 2"), SET_NOTHING, 1);
    must_run(&expected, SMALL_SPEC, SET_NOTHING, 1);
    assert_memory_equal(found.record.rule[0].rrmse, expected.record.rule[0].rrmse,
                        4 * sizeof(double));
    assert_memory_equal(found.record.signals.y_last, expected.record.rule[0].signals.y_last,
                        (size_t)found.record.steps * sizeof(double));
    assert_true(found.record.signals.y_last == found.record.rule[0].signals.y_last);
    ran_free(&found);
    ran_free(&expected);
}

static void what_the_command_line_sets_holds_for_every_rule(void **state)
{
    (void)state;
    ran found, expected;
    must_run(&found, VARIED("loop.delay_ms: 60"), SET("learning.rate=0.01"), 1);
    must_run(&expected, SMALL_SPEC, SET("loop.delay_ms=60", "learning.rate=0.01"), 1);
    assert_memory_equal(found.record.rule[1].rrmse, expected.record.rule[0].rrmse,
                        4 * sizeof(double));
    ran_free(&found);
    ran_free(&expected);
}

static void a_rule_may_have_phases_of_its_own(void **state)
{
    (void)state;
    ran found, expected;
    must_run(&found,
             VARIED("phases: [{name: a, trials: 3, set: {task.to: 3}}, {name: b, trials: 2}]"),
             SET(TWO_PHASES("", "")), 1);
    must_run(&expected, SMALL_SPEC, SET(TWO_PHASES("task.to: 3", "")), 1);
    assert_memory_equal(found.record.rule[1].rrmse, expected.record.rule[0].rrmse,
                        5 * sizeof(double));
    assert_true(found.record.rule[0].rrmse[3] != found.record.rule[1].rrmse[3]);
    ran_free(&found);
    ran_free(&expected);
}

static void what_a_rule_cannot_set_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *says;
    } cases[] = {
        {VARIED("rules.fm.rate: 1"), "'set' of rule 'other' cannot change 'rules.fm.rate'"},
        {VARIED("claims: []"), "'set' of rule 'other' cannot change 'claims'"},
        {VARIED("learning.trials: 9"), "rule 'other' has 9 trials where the spec has "},
        {VARIED("task.trial_s: 2"), "rule 'other' has other steps than the first"},
        {VARIED("loop.dealy_ms: 3"), "unknown key 'dealy_ms' in the loop"},
        {VARIED("loop.controller.kp: 500"), "the loop is unstable"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const lab_why why = refusal_of("spec.yaml", cases[i].yaml, SET_NOTHING);
        if (!strstr(why.text, cases[i].says))
            fail_msg("'%s' does not say '%s'", why.text, cases[i].says);
    }
    const lab_why why =
        refusal_of("spec.yaml", VARIED("phases: [{name: a, trials: 3}]"), SET(TWO_PHASES("", "")));
    assert_non_null(strstr(why.text, "rule 'other' has 1 phase, the spec has 2"));
}

// The second phase asks for nothing; what is left of the learned output is the error.
static void a_phase_without_an_error_is_measured_by_one_that_has_one(void **state)
{
    (void)state;
    ran found;
    must_run(&found, SMALL_SPEC, SET(TWO_PHASES("", "task.to: 0"), "guard=off"), 1);
    const double *rrmse = found.record.rule[0].rrmse;
    double sum = 0, first = 0;
    for (int n = 0; n < found.record.steps; n++) {
        sum += pow(found.record.signals.y_last[n], 2);
        first += pow(found.record.signals.e_first[n], 2);
    }
    assert_near(rrmse[0], 1, 0);
    assert_near(rrmse[4], sqrt(sum / first), 1e-6);
    assert_true(rrmse[4] > 0.01 && rrmse[4] < rrmse[3]); // it is unlearned
    ran_free(&found);
}

static void with_no_error_in_any_phase_there_is_nothing_to_learn(void **state)
{
    (void)state;
    const lab_why why =
        refusal_of("spec.yaml", SMALL_SPEC, SET(TWO_PHASES("task.to: 0", "task.to: 0")));
    assert_non_null(strstr(why.text, "the loop makes no error on the task"));
}

// The loop alone makes no error there: whatever the cell does makes it worse.
static void the_guard_stops_what_answers_to_nothing(void **state)
{
    (void)state;
    ran found;
    must_run(&found, SMALL_SPEC, SET(TWO_PHASES("", "task.to: 0"), "phases.b.trials=6"), 1);
    const lab_guarded *guard = found.record.rule[0].guard;
    assert_int_equal(guard[0].acts, 0);
    assert_int_equal(guard[0].pauses, 0);
    assert_int_equal(guard[1].acts, 1);
    assert_int_equal(guard[1].act[0].reason, CFPC_GUARD_WORSE);
    assert_true(guard[1].act[0].world_changed && guard[1].act[0].to_zero);
    assert_true(guard[1].act[0].alone == 0 && guard[1].act[0].with_cell > 0);
    for (int k = guard[1].act[0].trial; k < found.record.trials; k++)
        assert_near(found.record.rule[0].rrmse[k], 0, 0);
    ran_free(&found);
}

static void a_disturbance_that_is_off_does_not_come(void **state)
{
    (void)state;
    ran off, none;
    must_run(&off, SMALL_SPEC,
             SET("disturbances={name: push, kind: step, at_s: 0.5, to: 3, on: no}"), 1);
    must_run(&none, SMALL_SPEC, SET_NOTHING, 1);
    assert_memory_equal(off.record.rule[0].rrmse, none.record.rule[0].rrmse, 4 * sizeof(double));
    ran_free(&off);
    must_run(&off, SMALL_SPEC, SET("disturbances={name: push, kind: step, at_s: 0.5, to: 3}"), 1);
    assert_true(off.record.signals.y_first[99] != none.record.signals.y_first[99]);
    ran_free(&off);
    ran_free(&none);
}

// It is that of the first rule, whichever is the main one.
static void the_delay_scan_is_of_the_first_rule(void **state)
{
    (void)state;
#define SCANNED                                                                                    \
    VARIED("basis.count: 2") "delay_scan: {from_ms: 0, to_ms: 40, step_ms: 20, trial: 3}\n"
    ran found, expected;
    must_run(&expected, SCANNED, SET("basis.count=60", "basis.spacing_ms=10"), 1);
    must_run(&found, SCANNED, SET("basis.count=60", "basis.spacing_ms=10", "rule=other"), 1);
    assert_int_equal(found.record.bases, 2);
    assert_int_equal(found.record.scan_count, 3);
    assert_memory_equal(found.record.scan_rrmse, expected.record.scan_rrmse, 3 * sizeof(double));
    ran_free(&found);
    ran_free(&expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_with_settings_learns_as_in_a_spec_of_its_own),
        cmocka_unit_test(the_other_rules_do_not_notice),
        cmocka_unit_test(what_the_command_line_sets_holds_for_every_rule),
        cmocka_unit_test(a_rule_may_have_phases_of_its_own),
        cmocka_unit_test(what_a_rule_cannot_set_is_refused),
        cmocka_unit_test(a_phase_without_an_error_is_measured_by_one_that_has_one),
        cmocka_unit_test(with_no_error_in_any_phase_there_is_nothing_to_learn),
        cmocka_unit_test(the_guard_stops_what_answers_to_nothing),
        cmocka_unit_test(a_disturbance_that_is_off_does_not_come),
        cmocka_unit_test(the_delay_scan_is_of_the_first_rule),
    };
    return cmocka_run_group_tests_name("lab.variants", tests, NULL, NULL);
}
