// SPDX-License-Identifier: Apache-2.0
// run_memory: a run in which memory runs out fails, says so, and leaks nothing.
#include "lab/memory_why.h"
#include "lab/rich_spec.h"
#include "run/measures.h"

static int run(const void *context)
{
    const lab_plan *plan = context;
    lab_record record = {0};
    lab_measures measures = {0};
    lab_why why;
    lab_outcome outcome = lab_run(&record, plan, 1, NULL, &why);
    if (outcome == LAB_DONE)
        outcome = lab_measures_make(&measures, &record, plan->spec, &why);
    lab_measures_free(&measures);
    lab_record_free(&record);
    return outcome_of_memory(outcome, &why);
}

static void expect_failures(const char *yaml, const char *const *set)
{
    lab_plan plan;
    lab_spec spec;
    must_plan(&plan, &spec, yaml, set);
    fail_every_allocation(run, &plan, LAB_FAILED);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

static void runs_of_every_kind_end_or_fail(void **state)
{
    (void)state;
    for (int i = 0; i < RICH_SPECS; i++)
        expect_failures(rich_specs[i], SET_NOTHING);
}

// Bases that hear the loop or a prediction, a plant that saturates and is noisy, a loop that is not
// as believed, a feed-forward path.
static void runs_on_other_loops_end_or_fail(void **state)
{
    (void)state;
#define PLAIN SMALL_HEAD SMALL_LOOP RICH_TASK RICH_BASIS "learning: {trials: 2}\n" SMALL_RULES
    expect_failures(PLAIN, SET("basis={kind: tapped-delay, count: 3, spacing_ms: 10, input: "
                               "command}",
                               "learning.mode=online"));
    expect_failures(PLAIN, SET("basis={kind: laguerre, count: 2, time_constant_ms: 50, input: "
                               "reference}",
                               "loop.delay_ms=0", "loop.command_delay_ms=10"));
    expect_failures(PLAIN, SET("believed={delay_ms: 40}", "learning.mode=online"));
    expect_failures(PLAIN, SET("loop.feedforward={kind: lead-lag, zero_ms: 10, pole_ms: 30}",
                               "enters=feedforward-input", "loop.output={low: 0}",
                               "basis=[{kind: derivatives, count: 2, input: total-command}, {kind: "
                               "derivatives, count: 2, input: reference, preview_ms: 10}]"));
    expect_failures(PLAIN, SET("disturbances=[{kind: step, at_s: 0.3}]",
                               "prediction={lead_ms: 20, basis: {kind: gaussian, count: 2, "
                               "width_ms: 50, spacing_ms: 100}}",
                               "basis={kind: laguerre, count: 2, time_constant_ms: 50, input: "
                               "prediction}"));
}

static void random_loops_end_or_fail(void **state)
{
    (void)state;
    expect_failures(PLAIN, SET("population={count: 1, kinds: [smooth], trials: 2, evaluations: 2, "
                               "narrow_ms: 300, wide_ms: 600}"));
    expect_failures(PLAIN, SET("rules=[{name: a, trace: response, positive: yes}]"));
}

#define ONLINE                                                                                     \
    "guard=off", "basis={kind: granule, count: 4, first_ms: 20, last_ms: 60}",                     \
        "learning={mode: online, form: adjoint, trials: 1, neglect: 0.1}",                         \
        "rules=[{name: a, trace: forward-model}]"

static void zones_end_or_fail(void **state)
{
    (void)state;
    expect_failures(SMALL_SPEC,
                    SET(ONLINE, "zone={cells: 2, trials: 1, delay_ms: [20, 30], "
                                "time_constant_ms: [90, 110], teacher_noise: 0.1, "
                                "rate_fractions: [0.1], other_cells: [1], other_synapses: "
                                "[3]}"));
    expect_failures(SMALL_SPEC,
                    SET(ONLINE,
                        "loop.controller={kind: pid, kp: 1, ki_per_s: 1, kd_s: 0, "
                        "filter_ms: 20}",
                        "zone={cells: 2, trials: 1, couplings: [0, 0.5], joints: [{inertia: 0.1, "
                        "viscosity: 1, stiffness: 1}, {inertia: 0.1, viscosity: 1, stiffness: 2, "
                        "follows: 0.5}]}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_every_kind_end_or_fail),
        cmocka_unit_test(runs_on_other_loops_end_or_fail),
        cmocka_unit_test(random_loops_end_or_fail),
        cmocka_unit_test(zones_end_or_fail),
    };
    return cmocka_run_group_tests_name("lab.run_memory", tests, NULL, NULL);
}
