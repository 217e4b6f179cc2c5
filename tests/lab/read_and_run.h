// SPDX-License-Identifier: Apache-2.0
// read_and_run: a spec file with settings, read and run.
#ifndef CFPC_TESTS_READ_AND_RUN_H
#define CFPC_TESTS_READ_AND_RUN_H

#include "run/measures.h"
#include "run/run.h"
#include "spec/load.h"
#include "spec/plan.h"

static inline lab_outcome run_plan(const lab_plan *plan, const lab_spec *spec, lab_why *why)
{
    lab_record record = {0};
    lab_measures measures = {0};
    lab_outcome outcome = lab_run(&record, plan, 1, NULL, why);
    if (outcome == LAB_DONE)
        outcome = lab_measures_make(&measures, &record, spec, why);
    lab_measures_free(&measures);
    lab_record_free(&record);
    return outcome;
}

// The settings end in NULL.
static inline lab_outcome read_and_run(const char *file, char *const *set, lab_why *why)
{
    lab_settings settings = {0};
    lab_source source = {0};
    lab_spec spec = {0};
    lab_plan plan = {0};
    lab_outcome outcome = LAB_DONE;
    for (; outcome == LAB_DONE && *set; set++)
        outcome = lab_settings_add(&settings, *set, why);
    if (outcome == LAB_DONE)
        outcome = lab_source_load(&source, file, why);
    if (outcome == LAB_DONE)
        outcome = lab_spec_make(&spec, &source, &settings, why);
    if (outcome == LAB_DONE)
        outcome = lab_plan_make(&plan, &spec, &source, &settings, why);
    if (outcome == LAB_DONE)
        outcome = run_plan(&plan, &spec, why);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    lab_source_free(&source);
    lab_settings_free(&settings);
    return outcome;
}

#endif
