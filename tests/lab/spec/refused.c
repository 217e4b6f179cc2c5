// SPDX-License-Identifier: Apache-2.0
// refused: broken specs that need more than a text; those that do not are in
// tests/specs/refused.json.
#include "lab/small_lab.h"
#include "lab/temporary.h"

static void more_rules_than_there_may_be_are_refused(void **state)
{
    (void)state;
    draft yaml = {0};
    add(&yaml, SMALL_SPEC);
    for (int i = 0; i < 63; i++)
        add(&yaml, "  - {name: rule-%d, trace: none}\n", i);
    expect_refusal(yaml.at, SET_NOTHING,
                   "spec.yaml:1:1: 'rules' has 65 entries; the maximum is 64");
}

// ---- with files ------------------------------------------------------------------------------

// What is said of a setting, with the file of numbers beside the spec holding this.
static void expect_with_file(const temporary *here, const char *content, const char *set,
                             const char *says)
{
    const temporary_path spec = temporary_below(here, "spec.yaml");
    const temporary_path file = temporary_below(here, "f.csv");
    draft message = {0};
    write_file(file.text, content);
    add(&message, "setting '%.*s': %s%s", (int)strcspn(set, "="), set,
        says[0] == ':' ? file.text : "", says);
    const temporary_path whole = set_below(here, set, "f.csv");
    const lab_why why = refusal_of(spec.text, SMALL_SPEC, SET(whole.text));
    assert_string_equal(why.text, message.at);
}

static void files_that_do_not_hold_what_is_asked_for_are_refused(void **state)
{
    (void)state;
    static const char plant[] = "loop.plant={kind: response, file: f.csv, column: h}";
    static const char trace[] = "rules.1={name: wh, trace: response, file: f.csv}";
    static const char task[] = "task={kind: csv, file: f.csv, column: positon, trial_s: 1}";
    temporary here;
    temporary_make(&here);
    expect_with_file(&here, "h,k\n0,1\n0,1\n", plant,
                     "the plant: its response has a number that is not finite, or zeros only");
    expect_with_file(&here, "alpha,beta\n1,2\n", plant,
                     ": has no column 'h'; it may be alpha, beta");
    expect_with_file(&here, "h\n1\nx\n", plant, ":3: field 1 must be a finite number; this is 'x'");
    expect_with_file(&here, "0\n0\n", trace,
                     "the trace: its response has a number that is not finite, or zeros only");
    expect_with_file(&here, "", trace, ": holds no numbers");
    expect_with_file(
        &here, "time_s,position\n0,1\n", task,
        ": has no column 'positon'; did you mean 'position'? Its columns are time_s, position");
    expect_with_file(&here, "1,2\n3\n", "basis={kind: csv, file: f.csv}",
                     ":2: this line has 1 field, the first has 2");
    expect_with_file(&here, "1\n2\n4\n8\n16\n32\n64\n128\n256\n",
                     "loop.plant={kind: response, file: f.csv}",
                     "the plant: no stable system of up to 12 states has this response; give one "
                     "that has died away at its end, raise 'tolerance' above its noise, or change "
                     "'max_states'");
    temporary_remove(&here);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_rules_than_there_may_be_are_refused),
        cmocka_unit_test(files_that_do_not_hold_what_is_asked_for_are_refused),
    };
    return cmocka_run_group_tests_name("lab.refused", tests, NULL, NULL);
}
