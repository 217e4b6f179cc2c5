// SPDX-License-Identifier: Apache-2.0
// cost: what a run needs, predicted: everything that multiplies work does so in the prediction, the
// way that a rule learns is the one that a run takes, and the bytes are those that it allocates.
#include <malloc.h>

#include "api/experiment.h"
#include "harness.h"
#include "run/learning_needs.h"
#include "run/lifted.h"
#include "run/phase.h"
#include "run/variants.h"

// ---- counted memory --------------------------------------------------------------------------

static size_t live_bytes, most_bytes;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t most);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);
void __wrap_free(void *memory);

static void *counted(void *memory)
{
    live_bytes += memory ? malloc_usable_size(memory) : 0;
    most_bytes = live_bytes > most_bytes ? live_bytes : most_bytes;
    return memory;
}

static void uncount(void *memory)
{
    const size_t bytes = memory ? malloc_usable_size(memory) : 0;
    live_bytes -= bytes < live_bytes ? bytes : live_bytes;
}

void *__wrap_malloc(size_t bytes)
{
    return counted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return counted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *old, size_t bytes)
{
    uncount(old);
    return counted(__real_realloc(old, bytes));
}

char *__wrap_strdup(const char *text)
{
    return counted(__real_strdup(text));
}

char *__wrap_strndup(const char *text, size_t most)
{
    return counted(__real_strndup(text, most));
}

void __wrap_free(void *memory)
{
    uncount(memory);
    __real_free(memory);
}

// ---- an experiment ---------------------------------------------------------------------------

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
#define SET_NOTHING ((const char *const[]){NULL})

static cfpc_experiment *load(const char *name, const char *const *set, int repeat)
{
    char file[1024];
    cfpc_why why;
    cfpc_experiment *experiment = NULL;
    cfpc_settings *settings = cfpc_settings_create();
    snprintf(file, sizeof file, "%s/../experiments/%s.yaml", TEST_SOURCE_DIR, name);
    for (; *set; set++)
        if (cfpc_settings_add(settings, *set, &why) != CFPC_DONE)
            fail_msg("%s", why.text);
    const cfpc_experiment_options options = {.settings = settings, .repeat = repeat, .seed = -1};
    if (cfpc_experiment_load(&experiment, file, &options, &why) != CFPC_DONE)
        fail_msg("%s", why.text);
    cfpc_settings_free(settings);
    return experiment;
}

static cfpc_cost cost_of(const char *name, const char *const *set, int repeat)
{
    cfpc_why why;
    cfpc_cost cost;
    cfpc_experiment *experiment = load(name, set, repeat);
    if (cfpc_experiment_cost(experiment, &cost, &why) != CFPC_DONE)
        fail_msg("%s", why.text);
    cfpc_experiment_free(experiment);
    return cost;
}

static double work_of(const char *name, const char *const *set)
{
    return cost_of(name, set, 0).work;
}

// ---- what multiplies work --------------------------------------------------------------------

// Equal steps of a setting add equal work, and a part of it that counts.
static void expect_linear(const char *name, const char *a, const char *b, const char *c)
{
    const double one = work_of(name, SET(a)), two = work_of(name, SET(b)),
                 three = work_of(name, SET(c));
    assert_near((three - two) / (two - one), 1, 1e-6);
    assert_true(two > 1.2 * one);
}

static void work_grows_with_trials_evaluations_and_loops(void **state)
{
    (void)state;
    expect_linear("pursuit-spikes", "learning.trials=100", "learning.trials=200",
                  "learning.trials=300");
    expect_linear("vor", "phases.0.trials=100", "phases.0.trials=200", "phases.0.trials=300");
    expect_linear("anticogging", "tune.evaluations=20", "tune.evaluations=40",
                  "tune.evaluations=60");
    expect_linear("matched-delay", "population.count=10", "population.count=20",
                  "population.count=30");
    expect_linear("microzone", "zone.trials=10", "zone.trials=20", "zone.trials=30");
    expect_linear("two-joints", "zone.couplings=[0]", "zone.couplings=[0, 0.3]",
                  "zone.couplings=[0, 0.3, 0.5]");
    expect_linear("purkinje", "scale.trials=5", "scale.trials=10", "scale.trials=15");
}

static void work_grows_with_repeats_and_memory_hardly_does(void **state)
{
    (void)state;
    const cfpc_cost one = cost_of("vor", SET_NOTHING, 1), two = cost_of("vor", SET_NOTHING, 2),
                    three = cost_of("vor", SET_NOTHING, 3);
    assert_near(two.work / one.work, 2, 1e-9);
    assert_near(three.work / one.work, 3, 1e-9);
    assert_true(three.bytes < 2.5 * one.bytes);
}

// A population and a zone are run once, however often the rest is.
static void repeats_do_not_repeat_what_is_run_once(void **state)
{
    (void)state;
    assert_true(cost_of("matched-delay", SET_NOTHING, 8).work <
                1.5 * cost_of("matched-delay", SET_NOTHING, 1).work);
    assert_true(cost_of("microzone", SET_NOTHING, 8).work <
                1.9 * cost_of("microzone", SET_NOTHING, 1).work);
}

static void rules_add_up(void **state)
{
    (void)state;
    static const char fm[] = "{name: fm, trace: forward-model}", no[] = "{name: no, trace: none}";
    char first[128], second[128], both[256];
    snprintf(first, sizeof first, "rules=[%s]", fm);
    snprintf(second, sizeof second, "rules=[%s]", no);
    snprintf(both, sizeof both, "rules=[%s, %s]", fm, no);
#define ALONE(rules)                                                                               \
    SET(rules, "claims=[]", "delay_scan.from_ms=0", "delay_scan.to_ms=0", "learning.mode=online")
    const double a = work_of("pursuit", ALONE(first)), b = work_of("pursuit", ALONE(second));
    const double together = work_of("pursuit", ALONE(both));
    assert_true(together > a && together > b);
    assert_true(together <= a + b);
    assert_true(together > 0.8 * (a + b)); // what they share is small
}

static void work_grows_with_steps_and_bases(void **state)
{
    (void)state;
    const double whole = work_of("pursuit-spikes", SET_NOTHING);
    assert_near(work_of("pursuit-spikes", SET("step_ms=0.5")) / whole, 2, 0.1);
    const double few = work_of("pursuit", SET("basis.count=100", "basis.spacing_ms=20"));
    const double many = work_of("pursuit", SET("basis.count=400", "basis.spacing_ms=5"));
    assert_in_range((long)(many / few), 5, 40); // a factorisation: between G and G³
}

// Measured, from the fastest to the slowest: each at least twice as long as the one before it.
static void experiments_are_ordered_as_measured(void **state)
{
    (void)state;
    static const char *const by_time[] = {"pursuit", "posture",       "blink",
                                          "cascade", "matched-delay", "purkinje"};
    for (size_t i = 1; i < sizeof by_time / sizeof by_time[0]; i++)
        assert_true(work_of(by_time[i - 1], SET_NOTHING) < work_of(by_time[i], SET_NOTHING));
}

// ---- the way ---------------------------------------------------------------------------------

static void expect_ways(const char *name, const char *const *set)
{
    cfpc_experiment *experiment = load(name, set, 0);
    lab_variants variants;
    lab_why why;
    if (lab_variants_make(&variants, &experiment->plan, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    for (int i = 0; i < variants.rules; i++)
        for (int p = 0; p < variants.phases; p++) {
            const lab_setup *setup = lab_variant(&variants, i, p);
            const lab_rule *rule = &setup->rule[i];
            const lab_spec *spec = lab_planned(&experiment->plan, i, p);
            const lab_rule_spec *of = &lab_rules(spec)[i];
            assert_int_equal(lab_way_of(spec, of, true, true) == LAB_WAY_COMPUTED,
                             lab_is_computed(setup, rule));
            if (p == 0)
                assert_int_equal(lab_way_lifts(spec, of), lab_can_lift(setup, rule));
        }
    lab_variants_free(&variants);
    cfpc_experiment_free(experiment);
}

static void a_rule_is_predicted_to_learn_as_it_does(void **state)
{
    (void)state;
    expect_ways("pursuit", SET_NOTHING);
    expect_ways("pursuit", SET("learning.mode=online"));
    expect_ways("pursuit", SET("learning.form=adjoint"));
    expect_ways("pursuit", SET("rules.fm-et.leak=0.01"));
    expect_ways("pursuit", SET("rules.fm-et.update=preconditioned"));
    expect_ways("pursuit", SET("loop.noise.process=0.1"));
    expect_ways("pursuit", SET("teach.sign=rectified"));
    expect_ways("posture", SET_NOTHING);
    expect_ways("blink-olive", SET_NOTHING);
    expect_ways("vor", SET_NOTHING);
    expect_ways("two-plants", SET_NOTHING);
    expect_ways("pursuit-spikes", SET_NOTHING);
}

// ---- bytes -----------------------------------------------------------------------------------

// Within a factor of two, of a run that allocates some megabytes.
static void expect_bytes(const char *name, const char *const *set)
{
    cfpc_why why;
    cfpc_result *result = NULL;
    cfpc_experiment *experiment = load(name, set, 0);
    const cfpc_cost cost = cost_of(name, set, 0);
    const size_t before = live_bytes;
    most_bytes = live_bytes;
    if (cfpc_experiment_run(experiment, &result, NULL, &why) != CFPC_DONE)
        fail_msg("%s", why.text);
    const double ratio = cost.bytes / (double)(most_bytes - before);
    if (!(ratio > 0.5 && ratio < 2))
        fail_msg("%s: predicted %.3g MB, allocated %.3g MB", name, cost.bytes / 1e6,
                 (double)(most_bytes - before) / 1e6);
    cfpc_result_free(result);
    cfpc_experiment_free(experiment);
}

static void bytes_are_those_that_a_run_allocates(void **state)
{
    (void)state;
    expect_bytes("pursuit", SET_NOTHING);
    expect_bytes("pursuit", SET("basis.count=200", "basis.spacing_ms=10"));
    expect_bytes("pursuit", SET("step_ms=0.2"));
    expect_bytes("posture", SET_NOTHING);
    expect_bytes("kernel", SET_NOTHING);
    expect_bytes("blink-olive", SET("phases.2.trials=10", "phases.5.trials=10"));
    expect_bytes("purkinje", SET("scale.sizes=[100000]", "scale.trials=1", "claims=[]"));
}

// ---- refused ---------------------------------------------------------------------------------

static void what_is_missing_is_refused(void **state)
{
    (void)state;
    cfpc_why why;
    cfpc_cost cost = {1, 1, 1};
    cfpc_experiment *experiment = load("pursuit", SET_NOTHING, 0);
    assert_int_equal(cfpc_experiment_cost(NULL, &cost, &why), CFPC_REFUSED);
    assert_true(cost.work == 0 && cost.bytes == 0);
    assert_int_equal(cfpc_experiment_cost(experiment, NULL, &why), CFPC_REFUSED);
    assert_int_equal(cfpc_experiment_cost(experiment, &cost, NULL), CFPC_DONE);
    cfpc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_grows_with_trials_evaluations_and_loops),
        cmocka_unit_test(work_grows_with_repeats_and_memory_hardly_does),
        cmocka_unit_test(repeats_do_not_repeat_what_is_run_once),
        cmocka_unit_test(rules_add_up),
        cmocka_unit_test(work_grows_with_steps_and_bases),
        cmocka_unit_test(experiments_are_ordered_as_measured),
        cmocka_unit_test(a_rule_is_predicted_to_learn_as_it_does),
        cmocka_unit_test(bytes_are_those_that_a_run_allocates),
        cmocka_unit_test(what_is_missing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
