// SPDX-License-Identifier: Apache-2.0
// idle_bank: a bank that lies after the trial is named; one within it, or whose cue is off, is not.
#include "lab/small_lab.h"
#include "spec/cautions.h"

#define WIDE "count: 2, width_ms: 50, spacing_ms: 100"

static void a_bank_after_the_trial_is_named_and_no_other(void **state)
{
    (void)state;
    static const struct {
        const char *bank, *cue;
        bool idle;
    } cases[] = {
        {"kind: gaussian, " WIDE ", first_ms: 1200", "at_s: 0.5", true},
        {"kind: gaussian, " WIDE ", first_ms: 1190", "at_s: 0.5", false}, // 3.8 widths away
        {"kind: raised-cosine, " WIDE ", first_ms: 1050", "at_s: 0.5", true},
        {"kind: raised-cosine, " WIDE ", first_ms: 1040", "at_s: 0.5", false},
        {"kind: gaussian, " WIDE ", first_ms: 700, cue: go", "at_s: 0.5", true},
        {"kind: gaussian, " WIDE ", first_ms: 700, cue: go", "at_s: 0.4", false},
        {"kind: gaussian, " WIDE ", first_ms: 700, cue: go", "at_s: 0.5, on: no", false},
        {"kind: gaussian, " WIDE, "at_s: 0.5", false},
        {"kind: exponential, count: 2, first_ms: 2000, last_ms: 3000", "at_s: 0.5", false},
        {"kind: tapped-delay, count: 2, spacing_ms: 10, input: reference", "at_s: 0.5", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lab_plan plan;
        lab_spec spec;
        lab_why caution;
        draft yaml = {0};
        add(&yaml,
            SMALL_HEAD SMALL_LOOP SMALL_TASK
            "cues: [{name: go, %s}]\nbasis: [{kind: gaussian, " WIDE
            "}, {%s}]\n" SMALL_LEARNING SMALL_RULES,
            cases[i].cue, cases[i].bank);
        must_plan(&plan, &spec, yaml.at, SET_NOTHING);
        assert_int_equal(lab_has_idle_bank(&spec, &caution), cases[i].idle);
        assert_int_equal(strstr(caution.text, "bank 2 of the basis, 2 signals, lies after") != NULL,
                         cases[i].idle);
        lab_plan_free(&plan);
        lab_spec_free(&spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bank_after_the_trial_is_named_and_no_other),
    };
    return cmocka_run_group_tests_name("lab.idle_bank", tests, NULL, NULL);
}
