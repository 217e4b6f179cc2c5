// SPDX-License-Identifier: Apache-2.0
#include "write/datasets.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- the table -------------------------------------------------------------------------------

// Room for one more; NULL without memory.
static lab_dataset *next_row(lab_datasets *to)
{
    if (to->count == to->room) {
        const int room = to->room > 0 ? 2 * to->room : 256;
        lab_dataset *set = lab_take(&to->arena, (size_t)room, sizeof *set);
        if (!set)
            return NULL;
        if (to->count > 0)
            memcpy(set, to->set, (size_t)to->count * sizeof *set);
        to->set = set;
        to->room = room;
    }
    return &to->set[to->count++];
}

__attribute__((format(printf, 2, 0))) static char *keep_name(lab_arena *arena, const char *format,
                                                             va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *name = length < 0 ? NULL : lab_take(arena, (size_t)length + 1, 1);
    if (name)
        vsnprintf(name, (size_t)length + 1, format, arguments);
    return name;
}

// A dataset of any rank, its name by a format.
__attribute__((format(printf, 3, 4))) static void put(lab_datasets *to, lab_dataset dataset,
                                                      const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    dataset.name = keep_name(&to->arena, name, arguments);
    va_end(arguments);
    lab_dataset *row = dataset.name ? next_row(to) : NULL;
    if (row)
        *row = dataset;
}

static lab_dataset one(const char *unit, const double *value)
{
    return (lab_dataset){.unit = unit, .values = value};
}

static lab_dataset many(const char *unit, int count, const double *values)
{
    return (lab_dataset){.unit = unit, .rank = 1, .shape = {(size_t)count}, .values = values};
}

static lab_dataset matrix(const char *unit, int rows, int columns, const double *values)
{
    return (lab_dataset){
        .unit = unit, .rank = 2, .shape = {(size_t)rows, (size_t)columns}, .values = values};
}

// first, first + step, first + 2 step, …
static lab_dataset axis(lab_datasets *to, const char *unit, int count, double first, double step)
{
    double *values = lab_take(&to->arena, (size_t)count, sizeof *values);
    for (int i = 0; values && i < count; i++)
        values[i] = first + i * step;
    return many(unit, count, values);
}

// ---- trial by trial --------------------------------------------------------------------------

static void put_model(lab_datasets *to, const lab_rule_record *rule, int trials)
{
    put(to, many("ms", trials, rule->model.peak_ms), "models/peak_ms/%s", rule->name);
    put(to, many("ms", trials, rule->model.right_ms), "models/right_ms/%s", rule->name);
    put(to, many("ms", trials, rule->model.off_ms), "models/off_ms/%s", rule->name);
}

static void put_responses(lab_datasets *to, const lab_rule_record *rule, int trials)
{
    put(to, many("ms", trials, rule->responses.onset_ms), "responses/onset_ms/%s", rule->name);
    put(to, many("ms", trials, rule->responses.peak_ms), "responses/peak_ms/%s", rule->name);
    put(to, many("task units", trials, rule->responses.amplitude), "responses/amplitude/%s",
        rule->name);
}

static void datasets_put_rule(lab_datasets *to, const lab_rule_record *rule,
                              const lab_record *record)
{
    const int trials = record->trials;
    put(to, many("rRMSE", trials, rule->rrmse), "curves/%s", rule->name);
    if (record->repeats > 1)
        put(to, many("rRMSE", trials, rule->half_width), "half_widths/%s", rule->name);
    put(to, many("1", rule->bases, rule->weights), "weights/%s", rule->name);
    if (rule->gain)
        put(to, many("1", trials, rule->gain), "gain/%s", rule->name);
    if (rule->worst_window)
        put(to, many("1", trials, rule->worst_window), "windows/%s", rule->name);
    if (rule->model.peak_ms)
        put_model(to, rule, trials);
    if (rule->responses.peak_ms)
        put_responses(to, rule, trials);
}

static void datasets_put_curves(lab_datasets *to, const lab_record *record)
{
    for (int i = 0; i < record->rules; i++)
        datasets_put_rule(to, &record->rule[i], record);
    put(to, many("rRMSE", record->trials, record->optimum), "curves/optimum");
    if (!record->nonlinear)
        put(to, many("1", record->bases, record->w_optimum), "weights/optimum");
    put(to, axis(to, "trial", record->trials, 1, 1), "curves/trial");
}

// ---- step by step ----------------------------------------------------------------------------

static void datasets_put_signals(lab_datasets *to, const lab_record *record)
{
    const lab_signals *signals = &record->signals;
    const int n = record->steps;
    put(to, axis(to, "s", n, 0, record->step_s), "signals/time_s");
    put(to, many("task units", n, signals->r_last), "signals/r");
    put(to, many("task units", n, signals->y_first), "signals/y_first");
    put(to, many("task units", n, signals->y_last), "signals/y_last");
    put(to, many("task units", n, signals->e_first), "signals/e_first");
    put(to, many("task units", n, signals->e_last), "signals/e_last");
    put(to, many("task units", n, signals->o_last), "signals/o_last");
    put(to, many("command units", n, signals->u_last), "signals/u_last");
    put(to, many("task units", n, signals->m_first), "signals/m_first");
    put(to, many("task units", n, signals->m_last), "signals/m_last");
    put(to, many("task units per unit pulse", n, signals->response), "signals/response");
    put(to, matrix("1", n, record->bases, record->x), "traces/basis");
    put(to, matrix("1", n, record->bases, record->traces), "traces/trace");
}

static void put_scan(lab_datasets *to, const lab_record *record)
{
    if (record->scan_count == 0)
        return;
    put(to, many("ms", record->scan_count, record->scan_delay_ms), "delays/delay_ms");
    put(to, many("rRMSE", record->scan_count, record->scan_rrmse), "delays/rrmse");
}

static void put_phase(lab_datasets *to, const char *phase, const lab_rule_record *rule,
                      const lab_phase_signals *last, int n)
{
    put(to, many("task units", n, last->r), "phases/%s/%s/r", phase, rule->name);
    put(to, many("task units", n, last->y), "phases/%s/%s/y", phase, rule->name);
    put(to, many("task units", n, last->e), "phases/%s/%s/e", phase, rule->name);
    put(to, many("task units", n, last->o), "phases/%s/%s/o", phase, rule->name);
    put(to, many("command units", n, last->u), "phases/%s/%s/u", phase, rule->name);
}

// The last trial of each phase, by rule.
static void datasets_put_phases(lab_datasets *to, const lab_result *result)
{
    const lab_record *record = result->record;
    for (int p = 0; p < result->spec->phases.count; p++)
        for (int i = 0; i < record->rules; i++)
            put_phase(to, lab_phases(result->spec)[p].name, &record->rule[i],
                      &record->rule[i].last[p], record->steps);
}

// ---- several runs ----------------------------------------------------------------------------

// What was tried of a constant, which the record holds evaluation by evaluation.
static lab_dataset tried(lab_datasets *to, const lab_tuning *tuning, int constant)
{
    const int count = tuning->evaluations;
    double *values = lab_take(&to->arena, (size_t)count, sizeof *values);
    for (int k = 0; values && k < count; k++)
        values[k] = tuning->values[(size_t)k * (size_t)tuning->constants + (size_t)constant];
    return many(lab_unit(tuning->keys[constant].text), count, values);
}

// What was tried of each constant of a rule, and what it came to.
static void put_tuning(lab_datasets *to, const char *rule, const lab_tuning *tuning)
{
    for (int i = 0; i < tuning->constants; i++)
        put(to, tried(to, tuning, i), "tuning/%s/%s", rule, tuning->keys[i].text);
    put(to, many("rRMSE", tuning->evaluations, tuning->error), "tuning/%s/rrmse", rule);
}

static void put_scale(lab_datasets *to, const lab_scale_point *size, int trials)
{
    put(to, many("rRMSE", trials, size->rrmse), "scale/%d/rrmse", size->synapses);
    put(to, one("1", &size->rate), "scale/%d/rate", size->synapses);
    put(to, one("1", &size->lambda_max), "scale/%d/lambda_max", size->synapses);
}

// The cells of a zone: delay in ms, time constant, and what is left of the error of each.
static void datasets_put_zone(lab_datasets *to, const lab_zone *zone, double step_s)
{
    if (!lab_has_cells(zone))
        return;
    const int cells = zone->cells;
    double *delay_ms = lab_take(&to->arena, (size_t)cells, sizeof *delay_ms);
    double *time_ms = lab_take(&to->arena, (size_t)cells, sizeof *time_ms);
    for (int p = 0; delay_ms && time_ms && p < cells; p++) {
        delay_ms[p] = zone->loop[p].delay_steps * step_s * 1e3;
        time_ms[p] = zone->loop[p].time_constant_ms;
    }
    put(to, many("ms", cells, delay_ms), "zone/delay");
    put(to, many("ms", cells, time_ms), "zone/time_constant");
    put(to, many("task units", cells, zone->reactive), "zone/reactive");
    put(to, many("rRMSE", cells, zone->optimum), "zone/optimum");
    put(to, many("1", cells, zone->clash), "zone/clash");
    for (int way = 0; way < LAB_ZONE_WAY_COUNT; way++)
        if (zone->way[way].is_run)
            put(to, many("rRMSE", cells, zone->way[way].last), "zone/last/%s",
                lab_zone_way_name((lab_zone_way)way));
}

// One number of each coupling of two joints.
static double *per_coupling(lab_datasets *to, const lab_joints *joints)
{
    return lab_take(&to->arena, (size_t)joints->count, sizeof(double));
}

static void datasets_put_joints(lab_datasets *to, const lab_joints *joints)
{
    if (joints->count == 0)
        return;
    double *coupling = per_coupling(to, joints);
    for (int i = 0; coupling && i < joints->count; i++)
        coupling[i] = joints->joint[i].coupling;
    put(to, many("1", joints->count, coupling), "joints/coupling");
    for (int rule = 0; rule < LAB_JOINT_RULE_COUNT; rule++) {
        double *last = per_coupling(to, joints);
        for (int i = 0; last && i < joints->count; i++)
            last[i] = joints->joint[i].score[rule].rrmse_last;
        put(to, many("rRMSE", joints->count, last), "joints/last/%s",
            lab_joint_rule_name((lab_joint_rule)rule));
    }
}

// What was tuned, and each number of synapses.
static void put_sweeps(lab_datasets *to, const lab_record *record)
{
    for (int i = 0; i < record->rules; i++)
        if (lab_tuning_of(record, i))
            put_tuning(to, record->rule[i].name, lab_tuning_of(record, i));
    for (int i = 0; i < record->scale_sizes; i++)
        put_scale(to, &record->scale[i], record->scale_trials);
}

// ---- measures --------------------------------------------------------------------------------

// A measure's dotted name becomes a path.
static void datasets_put_measure(lab_datasets *to, const lab_measure *measure)
{
    char path[LAB_MEASURE_NAME];
    snprintf(path, sizeof path, "%s", measure->name);
    for (char *dot; (dot = strchr(path, '.'));)
        *dot = '/';
    lab_dataset dataset = one(lab_unit(measure->name), &measure->value);
    dataset.of_clock = lab_is_of_clock(measure->name);
    put(to, dataset, "summary/%s", path);
}

static void datasets_put_measures(lab_datasets *to, const lab_measures *measures)
{
    for (int i = 0; i < measures->count; i++)
        datasets_put_measure(to, &measures->measure[i]);
    for (int i = 0; i < measures->claims; i++) {
        const lab_claim *claim = &measures->claim[i];
        lab_dataset dataset = one(lab_unit(claim->spec->measure), &claim->measured);
        dataset.claim = claim;
        dataset.of_clock = lab_is_of_clock(claim->spec->measure);
        put(to, dataset, "claims/%s", claim->spec->name);
    }
}

lab_outcome lab_datasets_make(lab_datasets *sets, const lab_result *result, lab_why *why)
{
    *sets = (lab_datasets){0};
    datasets_put_curves(sets, result->record);
    datasets_put_signals(sets, result->record);
    put_scan(sets, result->record);
    datasets_put_phases(sets, result);
    put_sweeps(sets, result->record);
    datasets_put_zone(sets, &result->record->zone, result->record->step_s);
    datasets_put_joints(sets, &result->record->zone.joints);
    datasets_put_measures(sets, result->measures);
    return sets->arena.failed ? lab_no_memory(why, NULL) : LAB_DONE;
}

void lab_datasets_free(lab_datasets *sets)
{
    lab_arena_free(&sets->arena);
    *sets = (lab_datasets){0};
}
