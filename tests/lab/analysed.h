// SPDX-License-Identifier: Apache-2.0
// analysed: analyses that must succeed, and cells that learn on the running loop from any weights.
#ifndef CFPC_TESTS_ANALYSED_H
#define CFPC_TESTS_ANALYSED_H

#include "random_spec.h"

#include "analyse/analyse.h"
#include "analyse/pieces.h"

// Whether a verdict is this one.
#define assert_verdict(it, verdict) assert_string_equal(lab_verdict(&(it)->learning), (verdict))

// ---- whole analyses --------------------------------------------------------------------------

// A spec and what is known of it before it is run.
typedef struct analysed {
    lab_spec spec;
    lab_plan plan;
    lab_analysis found;
} analysed;

// With the weights that the cell has (count), or NULL.
static inline void must_analyse_with(analysed *it, const char *yaml, const char *const *set,
                                     const double *weights, int count)
{
    const lab_analyse_options options = {
        .weights_file = "weights.csv", .weights = weights, .weight_count = count};
    lab_why why;
    must_plan(&it->plan, &it->spec, yaml, set);
    must(lab_analyse(&it->found, &it->plan, &options, &why), &why);
}

static inline void must_analyse(analysed *it, const char *yaml, const char *const *set)
{
    must_analyse_with(it, yaml, set, NULL, 0);
}

static inline void analysed_free(analysed *it)
{
    lab_analysis_free(&it->found);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

// ---- learning alone --------------------------------------------------------------------------

// A spec, built, and what is known of its first rule's learning: no tolerance, no advice.
typedef struct studied {
    built built;
    lab_arena arena;
    lab_learning_analysis learning;
} studied;

static inline void must_study(studied *it, const char *yaml, const char *const *set)
{
    lab_why why;
    must_build(&it->built, yaml, set);
    it->arena = (lab_arena){0};
    must(lab_analyse_learning(&it->learning, &it->arena, &it->built.setup, 0, &why), &why);
}

static inline void studied_free(studied *it)
{
    lab_arena_free(&it->arena);
    built_free(&it->built);
}

// ---- the running loop ------------------------------------------------------------------------

// The weights after so many trials of the first rule on the loop, at this rate and from these
// weights. `at` sees those at each trial's end, (trials x G), those of batch learning one trial
// behind.
static inline void learn_on_loop(const lab_setup *setup, double rate, const double *first,
                                 int trials, double *at)
{
    lab_rule rule = setup->rule[0];
    lab_simulation simulation;
    lab_cell cell;
    lab_why why;
    rule.rate = rate;
    rule.rule.rate = (cfpc_real)rate;
    must(lab_simulation_make(&simulation, &setup->rig, &why), &why);
    assert_ok(lab_cell_make(&cell, setup, &rule, false));
    for (int j = 0; j < setup->bases; j++)
        cfpc_weights(cell.data)[j] = (cfpc_real)first[j];
    for (int k = 0; k < trials; k++) {
        lab_trial none = {0};
        lab_simulate_trial(&setup->rig, &simulation, &cell, k, &none);
        for (int j = 0; j < setup->bases; j++)
            at[(size_t)k * (size_t)setup->bases + (size_t)j] = (double)cfpc_weights(cell.data)[j];
    }
    lab_cell_free(&cell);
    lab_simulation_free(&simulation);
}

#endif
