// SPDX-License-Identifier: Apache-2.0
// experiment: pursuit.yaml as text, changed by the word, and run from spec to measures.
#ifndef CFPC_TESTS_EXPERIMENT_H
#define CFPC_TESTS_EXPERIMENT_H

#include "harness.h"
#include "run/measures.h"
#include "run/run.h"
#include "run/setup.h"
#include "spec/load.h"
#include "spec/plan.h"

#define PURSUIT_FILE TEST_SOURCE_DIR "/../experiments/pursuit.yaml"

// The spec file's text; the caller frees it.
static inline char *pursuit_text(void)
{
    enum { MOST = 65536 };
    FILE *file = fopen(PURSUIT_FILE, "rb");
    assert_non_null(file);
    char *text = must_calloc(MOST, 1);
    assert_in_range(fread(text, 1, MOST, file), 1, MOST - 1);
    fclose(file);
    return text;
}

// The text with `from`, which must stand in it exactly once, replaced; frees the old one.
static inline char *substitute(char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at || strstr(at + 1, from))
        fail_msg("'%s' stands %s in the spec", from, at ? "more than once" : "nowhere");
    const size_t before = (size_t)(at - text), size = strlen(text) + strlen(to) + 1;
    char *changed = must_calloc(size, 1);
    snprintf(changed, size, "%.*s%s%s", (int)before, text, to, text + before + strlen(from));
    free(text);
    return changed;
}

// An experiment, from its spec to what comes out.
typedef struct experiment {
    lab_spec spec;
    lab_plan plan;
    lab_setup setup;
    lab_record record;
    lab_measures measures;
    lab_why why;
} experiment;

static inline lab_outcome experiment_prepare(experiment *it, const char *text)
{
    *it = (experiment){0};
    lab_outcome outcome = lab_plan_parse(&it->plan, &it->spec, "spec.yaml", text, NULL, &it->why);
    if (outcome == LAB_DONE)
        outcome = lab_setup_make(&it->setup, &it->plan, 0, 0, &it->why);
    return outcome;
}

static inline lab_outcome experiment_run(experiment *it)
{
    lab_outcome outcome = lab_run(&it->record, &it->plan, 1, NULL, &it->why);
    if (outcome == LAB_DONE)
        outcome = lab_measures_make(&it->measures, &it->record, &it->spec, &it->why);
    return outcome;
}

// Prepares and runs what must succeed; frees the text.
static inline void experiment_do(experiment *it, char *text)
{
    lab_outcome outcome = experiment_prepare(it, text);
    if (outcome == LAB_DONE)
        outcome = experiment_run(it);
    free(text);
    if (outcome != LAB_DONE)
        fail_msg("%s", it->why.text);
}

static inline void experiment_free(experiment *it)
{
    lab_measures_free(&it->measures);
    lab_record_free(&it->record);
    lab_setup_free(&it->setup);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

// A figure of the run by its name.
static inline double measured(const experiment *it, const char *name)
{
    for (int i = 0; i < it->measures.count; i++)
        if (strcmp(it->measures.measure[i].name, name) == 0)
            return it->measures.measure[i].value;
    fail_msg("no figure '%s'", name);
    return NAN;
}

#endif
