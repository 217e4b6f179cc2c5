// SPDX-License-Identifier: Apache-2.0
#include "write/datasets.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- the table -------------------------------------------------------------------------------

// Adds a dataset of any rank, its name by a format.
__attribute__((format(printf, 3, 4))) static void put(lab_datasets *to, lab_dataset dataset,
                                                      const char *name, ...)
{
    if (to->count == to->room) {
        const int room = to->room > 0 ? 2 * to->room : 256;
        lab_dataset *set = lab_take(&to->arena, (size_t)room, sizeof *set);
        if (!set)
            return;
        if (to->count > 0)
            memcpy(set, to->set, (size_t)to->count * sizeof *set);
        to->set = set;
        to->room = room;
    }
    va_list arguments, again;
    va_start(arguments, name);
    va_copy(again, arguments);
    const size_t size = (size_t)vsnprintf(NULL, 0, name, again) + 1;
    va_end(again);
    char *kept = lab_take(&to->arena, size, 1);
    if (kept) {
        vsnprintf(kept, size, name, arguments);
        dataset.name = kept;
        to->set[to->count++] = dataset;
    }
    va_end(arguments);
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

static void datasets_put_curves(lab_datasets *to, const lab_record *record)
{
    const int n = record->trials;
    for (int i = 0; i < record->rules; i++) {
        const lab_rule_record *rule = &record->rule[i];
        const char *name = rule->name;
        put(to, many("rRMSE", n, rule->rrmse), "curves/%s", name);
        if (record->repeats > 1)
            put(to, many("rRMSE", n, rule->half_width), "half_widths/%s", name);
        put(to, many("1", rule->bases, rule->weights), "weights/%s", name);
        if (rule->gain)
            put(to, many("1", n, rule->gain), "gain/%s", name);
        if (rule->worst_window)
            put(to, many("1", n, rule->worst_window), "windows/%s", name);
        if (rule->model.peak_ms) {
            put(to, many("ms", n, rule->model.peak_ms), "models/peak_ms/%s", name);
            put(to, many("ms", n, rule->model.right_ms), "models/right_ms/%s", name);
            put(to, many("ms", n, rule->model.off_ms), "models/off_ms/%s", name);
        }
        if (rule->responses.peak_ms) {
            put(to, many("ms", n, rule->responses.onset_ms), "responses/onset_ms/%s", name);
            put(to, many("ms", n, rule->responses.peak_ms), "responses/peak_ms/%s", name);
            put(to, many("task units", n, rule->responses.amplitude), "responses/amplitude/%s",
                name);
        }
    }
    put(to, many("rRMSE", n, record->optimum), "curves/optimum");
    if (!record->nonlinear)
        put(to, many("1", record->bases, record->w_optimum), "weights/optimum");
    put(to, axis(to, "trial", n, 1, 1), "curves/trial");
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
    if (record->scan_count > 0) {
        put(to, many("ms", record->scan_count, record->scan_delay_ms), "delays/delay_ms");
        put(to, many("rRMSE", record->scan_count, record->scan_rrmse), "delays/rrmse");
    }
}

// The last trial of each phase, by rule.
static void datasets_put_phases(lab_datasets *to, const lab_result *result)
{
    const int n = result->record->steps;
    for (int p = 0; p < result->spec->phases.count; p++)
        for (int i = 0; i < result->record->rules; i++) {
            const lab_rule_record *rule = &result->record->rule[i];
            const lab_phase_signals *last = &rule->last[p];
            const char *phase = lab_phases(result->spec)[p].name;
            put(to, many("task units", n, last->r), "phases/%s/%s/r", phase, rule->name);
            put(to, many("task units", n, last->y), "phases/%s/%s/y", phase, rule->name);
            put(to, many("task units", n, last->e), "phases/%s/%s/e", phase, rule->name);
            put(to, many("task units", n, last->o), "phases/%s/%s/o", phase, rule->name);
            put(to, many("command units", n, last->u), "phases/%s/%s/u", phase, rule->name);
        }
}

// ---- several runs ----------------------------------------------------------------------------

// What was tried of each constant that is tuned, which the record holds evaluation by evaluation,
// and what it came to; then each number of synapses.
static void put_sweeps(lab_datasets *to, const lab_record *record)
{
    for (int i = 0; i < record->rules; i++) {
        const lab_tuning *tuning = lab_tuning_of(record, i);
        const char *rule = record->rule[i].name;
        const int count = tuning ? tuning->evaluations : 0;
        for (int c = 0; tuning && c < tuning->constants; c++) {
            const char *key = tuning->keys[c].text;
            double *values = lab_take(&to->arena, (size_t)count, sizeof *values);
            for (int k = 0; values && k < count; k++)
                values[k] = tuning->values[(size_t)k * (size_t)tuning->constants + (size_t)c];
            put(to, many(lab_unit(key), count, values), "tuning/%s/%s", rule, key);
        }
        if (tuning)
            put(to, many("rRMSE", count, tuning->error), "tuning/%s/rrmse", rule);
    }
    for (int i = 0; i < record->scale_sizes; i++) {
        const lab_scale_point *size = &record->scale[i];
        put(to, many("rRMSE", record->scale_trials, size->rrmse), "scale/%d/rrmse", size->synapses);
        put(to, one("1", &size->rate), "scale/%d/rate", size->synapses);
        put(to, one("1", &size->lambda_max), "scale/%d/lambda_max", size->synapses);
    }
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

// One number of each coupling of two joints; and what is left of the error, by rule.
static void datasets_put_joints(lab_datasets *to, const lab_joints *joints)
{
    const int count = joints->count;
    for (int rule = -1; count > 0 && rule < LAB_JOINT_RULE_COUNT; rule++) {
        double *values = lab_take(&to->arena, (size_t)count, sizeof *values);
        for (int i = 0; values && i < count; i++)
            values[i] =
                rule < 0 ? joints->joint[i].coupling : joints->joint[i].score[rule].rrmse_last;
        if (rule < 0)
            put(to, many("1", count, values), "joints/coupling");
        else
            put(to, many("rRMSE", count, values), "joints/last/%s",
                lab_joint_rule_name((lab_joint_rule)rule));
    }
}

// ---- measures --------------------------------------------------------------------------------

static lab_dataset measured(const char *measure, const double *value)
{
    lab_dataset dataset = one(lab_unit(measure), value);
    dataset.of_clock = lab_is_of_clock(measure);
    return dataset;
}

// A measure's dotted name becomes a path.
static void datasets_put_measures(lab_datasets *to, const lab_measures *measures)
{
    for (int i = 0; i < measures->count; i++) {
        const lab_measure *measure = &measures->measure[i];
        char path[LAB_MEASURE_NAME];
        snprintf(path, sizeof path, "%s", measure->name);
        for (char *dot; (dot = strchr(path, '.'));)
            *dot = '/';
        put(to, measured(measure->name, &measure->value), "summary/%s", path);
    }
    for (int i = 0; i < measures->claims; i++) {
        const lab_claim *claim = &measures->claim[i];
        lab_dataset dataset = measured(claim->spec->measure, &claim->measured);
        dataset.claim = claim;
        put(to, dataset, "claims/%s", claim->spec->name);
    }
}

lab_outcome lab_datasets_make(lab_datasets *sets, const lab_result *result, lab_why *why)
{
    *sets = (lab_datasets){0};
    datasets_put_curves(sets, result->record);
    datasets_put_signals(sets, result->record);
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
