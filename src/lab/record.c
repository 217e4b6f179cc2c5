// SPDX-License-Identifier: Apache-2.0
#include "record.h"

#include <math.h>
#include <stdlib.h>

static bool make_signals(lab_record *record, const lab_setup *setup)
{
    const size_t n = (size_t)setup->steps;
    record->y_first = calloc(n, sizeof(double));
    record->e_first = calloc(n, sizeof(double));
    record->y_last = calloc(n, sizeof(double));
    record->e_last = calloc(n, sizeof(double));
    record->o_last = calloc(n, sizeof(double));
    record->response = calloc(n, sizeof(double));
    record->traces = calloc(n * (size_t)setup->bases, sizeof(double));
    return record->y_first && record->e_first && record->y_last && record->e_last &&
           record->o_last && record->response && record->traces;
}

static bool make_rules(lab_record *record, const lab_setup *setup, const lab_spec *spec)
{
    record->rule = calloc((size_t)setup->rules, sizeof *record->rule);
    for (int i = 0; record->rule && i < setup->rules; i++) {
        record->rule[i].name = lab_rules(spec)[i].name;
        record->rule[i].rrmse = calloc((size_t)record->trials, sizeof(double));
        record->rule[i].weights = calloc((size_t)setup->bases, sizeof(double));
        if (!record->rule[i].rrmse || !record->rule[i].weights)
            return false;
    }
    return record->rule != NULL;
}

static bool make_scan(lab_record *record, const lab_scan_spec *scan)
{
    record->scan_count = 1 + (int)floor((scan->to_ms - scan->from_ms) / scan->step_ms + 1e-9);
    record->scan_delay_ms = calloc((size_t)record->scan_count, sizeof(double));
    record->scan_rrmse = calloc((size_t)record->scan_count, sizeof(double));
    for (int i = 0; record->scan_delay_ms && i < record->scan_count; i++)
        record->scan_delay_ms[i] = scan->from_ms + i * scan->step_ms;
    return record->scan_delay_ms && record->scan_rrmse;
}

cfpc_status lab_record_make(lab_record *record, const lab_setup *setup, const lab_spec *spec)
{
    *record = (lab_record){
        .trials = spec->learning.trials, .rules = setup->rules, .main_rule = spec->main_rule};
    const bool whole = make_signals(record, setup) && make_rules(record, setup, spec) &&
                       make_scan(record, &spec->delay_scan);
    return whole ? CFPC_OK : CFPC_NO_MEMORY;
}

void lab_record_free(lab_record *record)
{
    for (int i = 0; record->rule && i < record->rules; i++) {
        free(record->rule[i].rrmse);
        free(record->rule[i].weights);
    }
    free(record->rule);
    free(record->y_first);
    free(record->e_first);
    free(record->y_last);
    free(record->e_last);
    free(record->o_last);
    free(record->response);
    free(record->traces);
    free(record->scan_delay_ms);
    free(record->scan_rrmse);
    *record = (lab_record){0};
}
