// SPDX-License-Identifier: Apache-2.0
#include "record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *lab_guard_sentence(cfpc_guard_reason reason)
{
    switch (reason) {
    case CFPC_GUARD_ROUND:
        return "the error of one trial was too large";
    case CFPC_GUARD_MEAN:
        return "the mean error was above that of the loop alone";
    case CFPC_GUARD_NOT_FINITE:
        return "a number was not finite";
    case CFPC_GUARD_SATURATED:
        return "the command saturated for too long";
    case CFPC_GUARD_NOTHING:
        break;
    }
    return "it did not act";
}

static bool make_signals(lab_record *record)
{
    const size_t n = (size_t)record->steps, g = (size_t)record->bases;
    double **const signals[] = {&record->r_first, &record->r_last, &record->y_first,
                                &record->e_first, &record->y_last, &record->e_last,
                                &record->o_last,  &record->u_last, &record->response};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (!(*signals[i] = calloc(n, sizeof(double))))
            return false;
    record->x = calloc(n * g, sizeof(double));
    record->traces = calloc(n * g, sizeof(double));
    record->w_optimum = calloc(g, sizeof(double));
    return record->x && record->traces && record->w_optimum;
}

static bool make_rules(lab_record *record, const lab_spec *spec)
{
    const size_t trials = (size_t)record->trials;
    record->rule = calloc((size_t)record->rules, sizeof *record->rule);
    record->phase = calloc(trials, sizeof *record->phase);
    record->optimum = calloc(trials, sizeof *record->optimum);
    for (int i = 0; record->rule && i < record->rules; i++) {
        lab_rule_record *rule = &record->rule[i];
        rule->name = lab_rules(spec)[i].name;
        rule->rrmse = calloc(trials, sizeof(double));
        rule->half_width = calloc(trials, sizeof(double));
        rule->weights = calloc((size_t)record->bases, sizeof(double));
        rule->guard = calloc((size_t)record->phases, sizeof *rule->guard);
        if (!rule->rrmse || !rule->half_width || !rule->weights || !rule->guard)
            return false;
    }
    return record->rule && record->phase && record->optimum;
}

static bool make_scan(lab_record *record, const lab_scan_spec *scan)
{
    if (scan->place.line == 0)
        return true;
    record->scan_count = 1 + (int)floor((scan->to_ms - scan->from_ms) / scan->step_ms + 1e-9);
    record->scan_delay_ms = calloc((size_t)record->scan_count, sizeof(double));
    record->scan_rrmse = calloc((size_t)record->scan_count, sizeof(double));
    for (int i = 0; record->scan_delay_ms && i < record->scan_count; i++)
        record->scan_delay_ms[i] = scan->from_ms + i * scan->step_ms;
    return record->scan_delay_ms && record->scan_rrmse;
}

// What the first phase's setup tells.
static void take_setup(lab_record *record, const lab_setup *setup)
{
    const size_t n = (size_t)setup->steps;
    memcpy(record->r_first, setup->r, n * sizeof(double));
    memcpy(record->response, setup->response, n * sizeof(double));
    memcpy(record->x, setup->x, n * (size_t)setup->bases * sizeof(double));
    record->lambda_max = setup->believes.lambda_max;
    record->nonlinear = setup->nonlinear;
    record->rrmse_optimum = setup->nonlinear ? NAN : setup->problem.rrmse_optimum;
    if (!setup->nonlinear)
        memcpy(record->w_optimum, setup->problem.optimum, (size_t)setup->bases * sizeof(double));
    for (int i = 0; i < record->rules; i++)
        record->rule[i].rate = setup->rule[i].rate;
}

cfpc_status lab_record_make(lab_record *record, const lab_setup *setup, const lab_spec *spec)
{
    *record = (lab_record){.step_s = setup->step_s,
                           .steps = setup->steps,
                           .bases = setup->bases,
                           .trials = lab_spec_trials(spec),
                           .repeats = 1,
                           .phases = spec->phases.count > 0 ? spec->phases.count : 1,
                           .rules = setup->rules,
                           .main_rule = spec->main_rule};
    if (!make_signals(record) || !make_rules(record, spec) || !make_scan(record, &spec->delay_scan))
        return CFPC_NO_MEMORY;
    take_setup(record, setup);
    return CFPC_OK;
}

void lab_record_free(lab_record *record)
{
    for (int i = 0; record->rule && i < record->rules; i++) {
        free(record->rule[i].rrmse);
        free(record->rule[i].half_width);
        free(record->rule[i].weights);
        free(record->rule[i].guard);
    }
    free(record->rule);
    free(record->phase);
    free(record->optimum);
    double *const arrays[] = {
        record->r_first,       record->r_last,    record->y_first, record->e_first,
        record->y_last,        record->e_last,    record->o_last,  record->u_last,
        record->response,      record->x,         record->traces,  record->w_optimum,
        record->scan_delay_ms, record->scan_rrmse};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    *record = (lab_record){0};
}
