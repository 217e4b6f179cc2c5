// SPDX-License-Identifier: Apache-2.0
// analyse_memory: an analysis in which memory runs out fails, says so, and leaks nothing.
#include "lab/analysed.h"
#include "lab/memory_why.h"
#include "lab/rich_spec.h"

static int analyse(const void *context)
{
    static const lab_analyse_options options = {.region = true};
    lab_analysis found;
    lab_why why;
    const lab_outcome outcome = lab_analyse(&found, context, &options, &why);
    lab_analysis_free(&found);
    return outcome_of_memory(outcome, &why);
}

static void expect_failures(const char *const *set)
{
    lab_plan plan;
    lab_spec spec;
    must_plan(&plan, &spec, SMALL_HEAD SMALL_LOOP RICH_TASK RICH_BASIS SMALL_LEARNING SMALL_RULES,
              set);
    fail_every_allocation(analyse, &plan, LAB_FAILED);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

static void an_analysis_ends_or_fails(void **state)
{
    (void)state;
    expect_failures(SET_NOTHING);
    expect_failures(SET("learning.mode=online"));
    expect_failures(SET("basis={kind: tapped-delay, count: 2, spacing_ms: 10, input: command}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_analysis_ends_or_fails),
    };
    return cmocka_run_group_tests_name("lab.analyse_memory", tests, NULL, NULL);
}
