// SPDX-License-Identifier: Apache-2.0
// analyse_memory: an analysis in which memory runs out fails, says so, and leaks nothing.
#include "analyse/excite.h"
#include "analyse/models.h"
#include "analyse/pieces.h"
#include "lab/analysed.h"
#include "lab/memory_why.h"
#include "lab/rich_spec.h"

typedef struct to_analyse {
    lab_plan plan;
    lab_analyse_options options;
} to_analyse;

static int analyse(const void *context)
{
    const to_analyse *it = context;
    lab_analysis found;
    lab_why why;
    const lab_outcome outcome = lab_analyse(&found, &it->plan, &it->options, &why);
    lab_analysis_free(&found);
    return outcome_of_memory(outcome, &why);
}

static void expect_failures(bool region, const char *const *set)
{
    to_analyse it = {.options = {.region = region}};
    lab_spec spec;
    must_plan(&it.plan, &spec,
              SMALL_HEAD SMALL_LOOP RICH_TASK RICH_BASIS SMALL_LEARNING SMALL_RULES, set);
    fail_every_allocation(analyse, &it, LAB_FAILED);
    lab_plan_free(&it.plan);
    lab_spec_free(&spec);
}

static void an_analysis_ends_or_fails(void **state)
{
    (void)state;
    expect_failures(true, SET_NOTHING);
    expect_failures(false, SET("learning.mode=online"));
    expect_failures(false,
                    SET("basis={kind: tapped-delay, count: 2, spacing_ms: 10, input: command}"));
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

static int make_models(const void *context)
{
    const built *it = context;
    lab_models models;
    lab_why why;
    const lab_outcome outcome =
        lab_models_make(&models, &it->setup, it->plan.variants, it->plan.variant_count, 2, &why);
    lab_models_free(&models);
    return outcome_of_memory(outcome, &why);
}

static void the_models_of_a_band_are_made_or_it_fails(void **state)
{
    (void)state;
    built it;
    must_build(&it, SMALL_SPEC,
               SET("believed.band={relative: 0.2, variants: [{name: a, set: {loop.delay_ms: 30}}]}",
                   "teach.signal=measured-error"));
    fail_every_allocation(make_models, &it, LAB_FAILED);
    built_free(&it);
}

static int analyse_band(const void *context)
{
    const built *it = context;
    lab_band_analysis found;
    lab_arena arena = {0};
    lab_why why;
    const lab_outcome outcome = lab_analyse_band(&found, &arena, &it->plan, &it->setup, &why);
    lab_arena_free(&arena);
    return outcome_of_memory(outcome, &why);
}

static void a_band_is_analysed_or_it_fails(void **state)
{
    (void)state;
    built it;
    must_build(&it, SMALL_SPEC,
               SET("believed.band.variants=[{name: a, set: {loop.delay_ms: 30}}]"));
    fail_every_allocation(analyse_band, &it, LAB_FAILED);
    built_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_is_designed_or_it_fails),
        cmocka_unit_test(an_analysis_ends_or_fails),
        cmocka_unit_test(the_models_of_a_band_are_made_or_it_fails),
        cmocka_unit_test(a_band_is_analysed_or_it_fails),
    };
    return cmocka_run_group_tests_name("lab.analyse_memory", tests, NULL, NULL);
}
