// SPDX-License-Identifier: Apache-2.0
// program: what a program does with cfpc/lab.h, and must succeed.
#ifndef CFPC_TESTS_PROGRAM_H
#define CFPC_TESTS_PROGRAM_H

#include "cfpc/lab.h"
#include "lab/small_lab.h"
#include "lab/temporary.h"

// A spec file in the folder.
static inline temporary_path spec_below(const temporary *here, const char *yaml)
{
    const temporary_path path = temporary_below(here, "spec.yaml");
    write_file(path.text, yaml);
    return path;
}

static inline void must_be_done(cfpc_outcome outcome, const cfpc_why *why)
{
    if (outcome != CFPC_DONE)
        fail_msg("%s", why->text);
    assert_string_equal(why->text, "");
}

// An experiment of this text, with options or NULL.
static inline cfpc_experiment *must_load(const temporary *here, const char *yaml,
                                         const cfpc_experiment_options *options)
{
    const temporary_path path = spec_below(here, yaml);
    cfpc_experiment *experiment;
    cfpc_why why;
    must_be_done(cfpc_experiment_load(&experiment, path.text, options, &why), &why);
    return experiment;
}

// The result of it; nothing else is left.
static inline cfpc_result *must_have(const temporary *here, const char *yaml,
                                     const cfpc_experiment_options *options)
{
    cfpc_experiment *experiment = must_load(here, yaml, options);
    cfpc_result *result;
    cfpc_why why;
    must_be_done(cfpc_experiment_run(&result, experiment, NULL, &why), &why);
    cfpc_experiment_free(experiment);
    return result;
}

static inline cfpc_settings *must_set(const char *const *set)
{
    cfpc_settings *settings = cfpc_settings_create();
    cfpc_why why;
    assert_non_null(settings);
    for (; *set; set++)
        assert_ok(cfpc_settings_add(settings, *set, &why));
    return settings;
}

static inline size_t count_of(const cfpc_array *array)
{
    return (array->rank > 0 ? array->shape[0] : 1) * (array->rank > 1 ? array->shape[1] : 1);
}

// The dataset of this name.
static inline cfpc_array must_find(const cfpc_result *result, const char *name)
{
    cfpc_array array;
    for (int i = 0; cfpc_result_array(result, i, &array); i++)
        if (strcmp(array.name, name) == 0)
            return array;
    fail_msg("there is no %s", name);
    return array;
}

// Both have the same datasets, to the bit.
static inline void assert_same_results(const cfpc_result *a, const cfpc_result *b)
{
    cfpc_array one, other;
    int i = 0;
    for (; cfpc_result_array(a, i, &one); i++) {
        assert_true(cfpc_result_array(b, i, &other));
        assert_string_equal(one.name, other.name);
        assert_int_equal(one.rank, other.rank);
        assert_int_equal(count_of(&one), count_of(&other));
        assert_memory_equal(one.values, other.values, count_of(&one) * sizeof(double));
    }
    assert_true(i > 10);
    assert_false(cfpc_result_array(b, i, &other));
}

// Says no, or stop, at some tick; counts them, all in one thread.
typedef struct stopper {
    int ticks, last; // that were told; the last that goes on
} stopper;

static inline bool stop_after(void *context, const char *what, int done, int total)
{
    stopper *it = context;
    assert_non_null(what);
    assert_true(done >= 0 && done <= total);
    return ++it->ticks <= it->last;
}

#endif
