// SPDX-License-Identifier: Apache-2.0
// api_memory: a program's calls in which memory runs out fail, say so, and leak nothing.
#include "lab/memory_why.h"
#include "lab/program.h"
#include "lab/rich_spec.h"

typedef struct place {
    char spec[1024], folder[1024];
} place;

static place place_of(const temporary *here, const char *yaml)
{
    place at;
    snprintf(at.spec, sizeof at.spec, "%s", spec_below(here, yaml).text);
    snprintf(at.folder, sizeof at.folder, "%s", temporary_below(here, "out").text);
    return at;
}

static cfpc_outcome use(cfpc_experiment *experiment, const place *at, cfpc_why *why)
{
    const cfpc_write_options replace = {.replace = true};
    cfpc_result *result = NULL;
    char *text = NULL, *json = NULL;
    cfpc_outcome outcome = cfpc_experiment_check(experiment, &text, why);
    cfpc_text_free(text);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_certificate(experiment, &json, NULL, why);
    cfpc_text_free(json);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_run(&result, experiment, NULL, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_result_write(result, at->folder, &replace, why);
    if ((outcome == CFPC_DONE) != (result != NULL) && !result)
        fail_msg("done without a result");
    cfpc_result_free(result);
    return outcome;
}

static int run(const void *context)
{
    const place *at = context;
    cfpc_settings *settings = cfpc_settings_create();
    const cfpc_experiment_options options = {
        .settings = settings, .rule = "fm", .rate = 0.01, .repeat = 2};
    cfpc_experiment *experiment = NULL;
    cfpc_why why = {0};
    cfpc_outcome outcome = cfpc_settings_add(settings, "loop.delay_ms=40", &why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_load(&experiment, at->spec, &options, &why);
    if (outcome == CFPC_DONE)
        outcome = use(experiment, at, &why);
    cfpc_experiment_free(experiment);
    cfpc_settings_free(settings);
    return outcome_of_memory(outcome, &why);
}

static void a_run_ends_or_fails(void **state)
{
    const place at = place_of(*state, RICH_STORY);
    assert_true(fail_every_allocation(run, &at, CFPC_FAILED) > 100);
}

// A point without memory failed; here it counts as the sweep's own end.
static cfpc_outcome outcome_of_points(const cfpc_sweep *sweep, cfpc_why *why)
{
    for (size_t i = 0; i < cfpc_sweep_points(sweep); i++)
        if (strcmp(cfpc_sweep_status(sweep, i), "done") != 0) {
            snprintf(why->text, sizeof why->text, "%s", cfpc_sweep_says(sweep, i));
            return CFPC_FAILED;
        }
    return CFPC_DONE;
}

static cfpc_outcome add_list(cfpc_sweep *sweep, cfpc_why *why)
{
    cfpc_tree *list = cfpc_tree_create("values");
    cfpc_outcome outcome = CFPC_FAILED;
    if (list) {
        cfpc_tree_list(list, 0, 0);
        cfpc_tree_scalar(list, "a, b", 0, 0);
        cfpc_tree_scalar(list, "c", 0, 0);
        cfpc_tree_end(list);
        outcome = cfpc_sweep_axis_tree(sweep, "title", list, why);
    } else
        snprintf(why->text, sizeof why->text, "no memory");
    cfpc_tree_free(list);
    return outcome;
}

static int sweep(const void *context)
{
    const place *at = context;
    const cfpc_experiment_options options = {.repeat = 2, .seed = 1};
    cfpc_sweep *it = NULL;
    cfpc_why why = {0};
    cfpc_outcome outcome = cfpc_sweep_create(&it, at->spec, NULL, &options, &why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_sweep_axis(it, "loop.delay_ms=20,40", &why);
    if (outcome == CFPC_DONE)
        outcome = add_list(it, &why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_sweep_run(it, 1, NULL, &why);
    if (outcome == CFPC_DONE)
        outcome = outcome_of_points(it, &why);
    cfpc_sweep_free(it);
    return outcome_of_memory(outcome, &why);
}

static void a_sweep_ends_or_fails(void **state)
{
    const place at = place_of(*state, SMALL_SPEC);
    assert_true(fail_every_allocation(sweep, &at, CFPC_FAILED) > 100);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)
    const struct CMUnitTest tests[] = {TEST(a_run_ends_or_fails), TEST(a_sweep_ends_or_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
