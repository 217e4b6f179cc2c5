// SPDX-License-Identifier: Apache-2.0
// analyse_memory: an analysis in which memory runs out fails, says so, and leaks nothing.
#include "analyse/excite.h"
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

static int excite(const void *context)
{
    static const lab_excite_options options = {4, 0.1, NAN, NAN, NAN, 0};
    lab_excitation found;
    lab_why why;
    const lab_outcome outcome = lab_excite(&found, context, &options, &why);
    lab_excitation_free(&found);
    return outcome_of_memory(outcome, &why);
}

static void a_probe_is_designed_or_it_fails(void **state)
{
    (void)state;
    lab_plan plan;
    lab_spec spec;
    must_plan(&plan, &spec, SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_LEARNING SMALL_RULES,
              SET("loop.noise={measurement: 0.01, process: 0.01}"));
    fail_every_allocation(excite, &plan, LAB_FAILED);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_is_designed_or_it_fails),
        cmocka_unit_test(an_analysis_ends_or_fails),
    };
    return cmocka_run_group_tests_name("lab.analyse_memory", tests, NULL, NULL);
}
