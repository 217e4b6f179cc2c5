// SPDX-License-Identifier: Apache-2.0
// cases: a spec with cases is the spec with its rules written out by hand.
#include "lab/small_lab.h"
#include "spec/rows.h"

#include "spec/cases.h"
#include "spec/spec_print.h"

enum { TRIALS = 4 };

#define HEAD SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_LEARNING
#define WORLDS                                                                                     \
    "cases:\n"                                                                                     \
    "  - {name: here}\n"                                                                           \
    "  - {name: far, set: {loop.delay_ms: 60, task.to: 2}}\n"
#define IN_CASES                                                                                   \
    HEAD WORLDS "rules:\n"                                                                         \
                "  - {name: fm, trace: forward-model}\n"                                           \
                "  - {name: only, in_case: far, trace: none}\n"                                    \
                "  - {name: near, trace: forward-model, set: {loop.delay_ms: 40}}\n"               \
                "  - {name: weak, trace: none, set: {loop.controller.kp: 1}}\n"
#define BY_HAND                                                                                    \
    HEAD "rules:\n"                                                                                \
         "  - {name: here-fm, trace: forward-model}\n"                                             \
         "  - {name: here-near, trace: forward-model, set: {loop.delay_ms: 40}}\n"                 \
         "  - {name: here-weak, trace: none, set: {loop.controller.kp: 1}}\n"                      \
         "  - {name: far-fm, trace: forward-model, set: {loop.delay_ms: 60, task.to: 2}}\n"        \
         "  - {name: far-only, trace: none, set: {loop.delay_ms: 60, task.to: 2}}\n"               \
         "  - {name: far-near, trace: forward-model, set: {loop.delay_ms: 40, task.to: 2}}\n"      \
         "  - {name: far-weak, trace: none, set: {loop.delay_ms: 60, task.to: 2, "                 \
         "loop.controller.kp: 1}}\n"

// Two runs of rules with the same names, bit for bit.
static void expect_same_runs(const lab_record *a, const lab_record *b)
{
    assert_int_equal(a->rules, b->rules);
    for (int i = 0; i < a->rules; i++) {
        const lab_rule_record *of = &a->rule[i], *other = &b->rule[i];
        assert_string_equal(of->name, other->name);
        assert_int_equal(of->bases, other->bases);
        assert_memory_equal(of->rrmse, other->rrmse, (size_t)a->trials * sizeof(double));
        assert_memory_equal(of->optimum, other->optimum, (size_t)a->trials * sizeof(double));
        assert_memory_equal(of->weights, other->weights, (size_t)of->bases * sizeof(double));
        assert_memory_equal(of->signals.e_last, other->signals.e_last,
                            (size_t)a->steps * sizeof(double));
    }
}

static void expect_alike(const char *yaml, const char *by_hand, const char *const *set)
{
    ran found, expected;
    must_run(&found, yaml, set, 1);
    must_run(&expected, by_hand, set, 1);
    expect_same_runs(&found.record, &expected.record);
    ran_free(&found);
    ran_free(&expected);
}

static void cases_are_rules_written_out(void **state)
{
    (void)state;
    expect_alike(IN_CASES, BY_HAND, SET_NOTHING);
    expect_alike(IN_CASES, BY_HAND, SET("learning.mode=online", "basis.count=3"));
    expect_alike(IN_CASES, BY_HAND,
                 SET("phases=[{name: a, trials: 3}, {name: b, trials: 2, set: {task.to: 0.5}}]"));
}

// Not all of them do the same: the test above proves something.
static void the_rules_of_the_cases_differ(void **state)
{
    (void)state;
    ran found;
    must_run(&found, IN_CASES, SET_NOTHING, 1);
    for (int i = 0; i < found.record.rules; i++)
        for (int j = 0; j < i; j++)
            assert_true(fabs(found.record.rule[i].weights[1] - found.record.rule[j].weights[1]) >
                        1e-4);
    ran_free(&found);
}

static void a_rule_knows_its_case_and_its_name_without_it(void **state)
{
    (void)state;
    static const char *const names[] = {"fm", "near", "weak", "fm", "only", "near", "weak"};
    lab_spec spec;
    must_parse(&spec, IN_CASES, SET_NOTHING);
    assert_int_equal(spec.rules.count, 7);
    for (int i = 0; i < 7; i++) {
        assert_string_equal(lab_rules(&spec)[i].in_case, i < 3 ? "here" : "far");
        assert_string_equal(lab_bare_name(&lab_rules(&spec)[i]), names[i]);
    }
    lab_spec_free(&spec);
    must_parse(&spec, SMALL_SPEC, SET_NOTHING);
    assert_string_equal(lab_bare_name(&lab_rules(&spec)[1]), "wh");
    lab_spec_free(&spec);
}

#define WHOLE_LOOP                                                                                 \
    "{plant: {kind: chain, stages: [{name: body, kind: lag, time_constant_ms: 80}]}, "             \
    "controller: {kind: pi, kp: 1, ki_per_s: 2}, delay_ms: 60}"
#define ONE_CASE(of_case, of_rule)                                                                 \
    HEAD "cases: [{name: c, set: {" of_case "}}]\n"                                                \
         "rules: [{name: a, trace: forward-model, set: {" of_rule "}}]\n"
#define ONE_RULE(settings) HEAD "rules: [{name: c-a, trace: forward-model, set: {" settings "}}]\n"

// Whatever of the two is the larger piece.
static void what_the_rule_says_itself_is_said_last(void **state)
{
    (void)state;
    expect_alike(ONE_CASE("loop.delay_ms: 60", "loop.delay_ms: 40"), ONE_RULE("loop.delay_ms: 40"),
                 SET_NOTHING);
    expect_alike(ONE_CASE("loop: " WHOLE_LOOP, "loop.delay_ms: 40"),
                 ONE_RULE("loop: " WHOLE_LOOP ", loop.delay_ms: 40"), SET_NOTHING);
    expect_alike(ONE_CASE("loop.delay_ms: 40, task.to: 3", "loop: " WHOLE_LOOP),
                 ONE_RULE("loop: " WHOLE_LOOP ", task.to: 3"), SET_NOTHING);
}

static void the_command_line_is_heard_in_every_case(void **state)
{
    (void)state;
    expect_alike(IN_CASES, BY_HAND, SET("loop.controller.ki_per_s=3", "learning.rate=0.01"));
    expect_alike(IN_CASES, BY_HAND, SET("rules.far-fm.rate=0.02"));
}

// ---- shown -----------------------------------------------------------------------------------

static char *print_of(const lab_spec *spec)
{
    char *printed = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&printed, &size);
    assert_non_null(stream);
    lab_spec_print(stream, spec);
    assert_ok(fclose(stream));
    return printed;
}

// A rule whose name begins like its case's is no rule that is written out already.
static void a_spec_that_is_shown_gives_the_same_run(void **state)
{
    (void)state;
    static const char *const specs[] = {IN_CASES, HEAD WORLDS
                                        "rules: [{name: far-off, trace: none}, {name: here, trace: "
                                        "forward-model}, {name: fa, in_case: far, trace: none}]\n"};
    for (int i = 0; i < 2; i++) {
        ran first, again;
        must_run(&first, specs[i], SET_NOTHING, 1);
        char *printed = print_of(&first.spec);
        must_run(&again, printed, SET_NOTHING, 1);
        expect_same_runs(&first.record, &again.record);
        char *twice = print_of(&again.spec);
        assert_string_equal(printed, twice);
        free(printed);
        free(twice);
        ran_free(&first);
        ran_free(&again);
    }
}

// ---- refused ---------------------------------------------------------------------------------

#define REFUSED(cases, rules) HEAD "cases: [" cases "]\nrules: [" rules "]\n"
#define FM "{name: fm, trace: forward-model}"

static void cases_that_are_wrong_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *says;
    } cases[] = {
        {REFUSED("{name: here}", FM ", {name: b, in_case: their, trace: none}"),
         "12:44: rule 'b' is in the case 'their', which is not in 'cases'"},
        {HEAD "rules: [{name: b, in_case: here, trace: none}]\n",
         "11:10: rule 'b' is in the case 'here', which is not in 'cases'"},
        {REFUSED("{name: a}, {name: a, set: {loop.delay_ms: 60}}", FM),
         "11:21: two cases have the name 'a'"},
        {REFUSED("{name: a}, {name: b c}", FM),
         "11:21: case name 'b c' may hold only letters, digits, '+', '-' and '_'"},
        {REFUSED("{name: a, set: {loop.dealy_ms: 60}}", FM),
         "unknown key 'dealy_ms' in the loop; did you mean 'delay_ms'?"},
        {REFUSED("{name: a, set: {lop.delay_ms: 60}}", FM), "unknown key 'lop'"},
        {REFUSED("{name: a, set: {rules.fm.rate: 1}}", FM),
         "'set' of rule 'a-fm' cannot change 'rules.fm.rate'"},
        {REFUSED("{name: a, set: {learning.trials: 9}}, {name: b}", FM),
         "rule 'a-fm' has 9 trials where the spec has "},
        {REFUSED("{name: a, colour: 1}", FM), "11:19: unknown key 'colour' in a case"},
        {REFUSED("{set: {task.to: 2}}", FM), "missing key 'name' in a case"},
        {REFUSED("{name: a, set: 3}", FM), "'set'"},
        {REFUSED("{name: a}", "{trace: none}"), "missing key 'name' in a rule"},
        {REFUSED("{name: a}", "{name: b, trace: none}, {name: b, trace: none}"),
         "two rules have the name 'a-b'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const lab_why why = refusal_of("spec.yaml", cases[i].yaml, SET_NOTHING);
        if (!strstr(why.text, cases[i].says))
            fail_msg("'%s' does not say '%s'", why.text, cases[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_rules_written_out),
        cmocka_unit_test(the_rules_of_the_cases_differ),
        cmocka_unit_test(a_rule_knows_its_case_and_its_name_without_it),
        cmocka_unit_test(what_the_rule_says_itself_is_said_last),
        cmocka_unit_test(the_command_line_is_heard_in_every_case),
        cmocka_unit_test(a_spec_that_is_shown_gives_the_same_run),
        cmocka_unit_test(cases_that_are_wrong_are_refused),
    };
    return cmocka_run_group_tests_name("lab.cases", tests, NULL, NULL);
}
