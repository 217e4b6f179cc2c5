// SPDX-License-Identifier: Apache-2.0
#include "run/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/gain.h"
#include "run/shown.h"

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

bool lab_any_varied(const lab_record *record)
{
    for (int i = 0; i < record->rules; i++)
        if (record->rule[i].is_varied)
            return true;
    return false;
}

lab_diverged lab_diverged_text(const lab_record *record, int rule)
{
    lab_diverged diverged = {""};
    if (record->rule[rule].diverged_at > 0)
        snprintf(diverged.text, sizeof diverged.text, " (diverged at trial %d)",
                 record->rule[rule].diverged_at);
    return diverged;
}

static bool make_arrays(double **const *arrays, size_t count, size_t steps)
{
    for (size_t i = 0; i < count; i++)
        if (!(*arrays[i] = calloc(steps, sizeof(double))))
            return false;
    return true;
}

static bool make_phase(lab_phase_signals *last, size_t steps)
{
    double **const all[] = {&last->r, &last->d, &last->y, &last->e, &last->o, &last->u, &last->e0};
    return make_arrays(all, sizeof all / sizeof all[0], steps);
}

static void free_phase(lab_phase_signals *last)
{
    double *const all[] = {last->r, last->d, last->y, last->e, last->o, last->u, last->e0};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
}

static bool make_signals(lab_rule_record *rule, size_t steps, int phases)
{
    lab_signals *signals = &rule->signals;
    double **const all[] = {&signals->r_first, &signals->y_first, &signals->e_first,
                            &signals->response};
    rule->last = calloc((size_t)phases, sizeof *rule->last);
    bool whole = rule->last && make_arrays(all, sizeof all / sizeof all[0], steps);
    for (int p = 0; whole && p < phases; p++)
        whole = make_phase(&rule->last[p], steps);
    if (!whole)
        return false;
    const lab_phase_signals *end = &rule->last[phases - 1];
    signals->r_last = end->r;
    signals->y_last = end->y;
    signals->e_last = end->e;
    signals->o_last = end->o;
    signals->u_last = end->u;
    return true;
}

static void free_signals(lab_rule_record *rule, int phases)
{
    for (int p = 0; rule->last && p < phases; p++)
        free_phase(&rule->last[p]);
    free(rule->last);
    free(rule->signals.r_first);
    free(rule->signals.y_first);
    free(rule->signals.e_first);
    free(rule->signals.response);
}

static bool make_responses(lab_responses *responses, size_t trials)
{
    responses->onset_ms = calloc(trials, sizeof(double));
    responses->peak_ms = calloc(trials, sizeof(double));
    responses->amplitude = calloc(trials, sizeof(double));
    return responses->onset_ms && responses->peak_ms && responses->amplitude;
}

// Room for a rule, and what its first phase's setup tells.
static bool make_rule(lab_rule_record *rule, const lab_record *record, const lab_setup *setup,
                      const lab_rule_spec *of, double rate)
{
    const size_t trials = (size_t)record->trials, n = (size_t)record->steps;
    *rule = (lab_rule_record){.name = of->name,
                              .is_varied = of->set.count > 0,
                              .rate = rate,
                              .bases = setup->bases,
                              .nonlinear = setup->nonlinear,
                              .lambda_max = lab_believed_problem(setup)->lambda_max};
    rule->rrmse = calloc(trials, sizeof(double));
    rule->half_width = calloc(trials, sizeof(double));
    rule->optimum = calloc(trials, sizeof(double));
    rule->weights = calloc((size_t)rule->bases, sizeof(double));
    rule->guard = calloc((size_t)record->phases, sizeof *rule->guard);
    if (!rule->rrmse || !rule->half_width || !rule->optimum || !rule->weights || !rule->guard ||
        !make_signals(rule, n, record->phases))
        return false;
    if (lab_asks_responses(setup->rig.spec) && !make_responses(&rule->responses, trials))
        return false;
    if (lab_asks_gain(setup->rig.spec) && !(rule->gain = calloc(trials, sizeof(double))))
        return false;
    memcpy(rule->signals.r_first, setup->r, n * sizeof(double));
    memcpy(rule->signals.response, setup->response, n * sizeof(double));
    return true;
}

static bool make_rules(lab_record *record, const lab_variants *variants, const lab_spec *spec)
{
    record->rule = calloc((size_t)record->rules, sizeof *record->rule);
    record->phase = calloc((size_t)record->trials, sizeof *record->phase);
    for (int i = 0; record->rule && i < record->rules; i++)
        if (!make_rule(&record->rule[i], record, lab_variant(variants, i, 0), &lab_rules(spec)[i],
                       lab_variant(variants, i, 0)->rule[i].rate))
            return false;
    return record->rule && record->phase;
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

// What the main rule's setup tells.
static bool take_setup(lab_record *record, const lab_setup *setup)
{
    const size_t n = (size_t)setup->rig.steps, g = (size_t)setup->bases;
    const lab_rule_record *main = &record->rule[record->main_rule];
    record->x = calloc(n * g, sizeof(double));
    record->traces = calloc(n * g, sizeof(double));
    record->w_optimum = calloc(g, sizeof(double));
    if (!record->x || !record->traces || !record->w_optimum)
        return false;
    memcpy(record->x, setup->x, n * g * sizeof(double));
    record->signals = main->signals;
    record->optimum = main->optimum;
    record->lambda_max = main->lambda_max;
    record->nonlinear = main->nonlinear;
    record->rrmse_optimum = setup->nonlinear ? NAN : setup->problem.rrmse_optimum;
    if (!setup->nonlinear)
        memcpy(record->w_optimum, setup->problem.optimum, g * sizeof(double));
    return true;
}

cfpc_status lab_record_make(lab_record *record, const lab_variants *variants, const lab_spec *spec)
{
    const lab_setup *setup = lab_variant(variants, spec->main_rule, 0);
    *record = (lab_record){.step_s = setup->rig.step_s,
                           .steps = setup->rig.steps,
                           .bases = setup->bases,
                           .trials = lab_spec_trials(spec),
                           .repeats = 1,
                           .phases = spec->phases.count > 0 ? spec->phases.count : 1,
                           .rules = setup->rules,
                           .main_rule = spec->main_rule};
    const bool whole = make_rules(record, variants, spec) && take_setup(record, setup) &&
                       make_scan(record, &spec->delay_scan);
    return whole ? CFPC_OK : CFPC_NO_MEMORY;
}

void lab_record_free(lab_record *record)
{
    for (int i = 0; record->rule && i < record->rules; i++) {
        free(record->rule[i].rrmse);
        free(record->rule[i].half_width);
        free(record->rule[i].optimum);
        free(record->rule[i].weights);
        free(record->rule[i].guard);
        free(record->rule[i].tuning);
        lab_free_shown(&record->rule[i], record->phases, record->panels);
        free(record->rule[i].gain);
        free(record->rule[i].responses.onset_ms);
        free(record->rule[i].responses.peak_ms);
        free(record->rule[i].responses.amplitude);
        free_signals(&record->rule[i], record->phases);
    }
    for (int i = 0; i < record->scale_sizes; i++)
        free(record->scale[i].rrmse);
    free(record->scale);
    free(record->rule);
    free(record->phase);
    double *const arrays[] = {record->x, record->traces, record->w_optimum, record->scan_delay_ms,
                              record->scan_rrmse};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    *record = (lab_record){0};
}
