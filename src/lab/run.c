// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/transfer.h"
#include "simulate.h"

// How far the computed and the running loop may be apart, relative to the rRMSE.
#define AGREEMENT (CFPC_REAL_IS_FLOAT ? 1e-3 : 1e-9)

// One run, and what its parts share.
typedef struct runner {
    lab_record *record;
    const lab_setup *setup;
    const lab_spec *spec;
    const lab_progress *progress;
    lab_running running; // the loop
    int done, total;     // pieces of work, for the progress
    lab_why *why;
} runner;

static lab_outcome tick(runner *it, const char *what)
{
    const lab_progress *progress = it->progress;
    it->done++;
    if (progress && !progress->tick(progress->context, what, it->done, it->total))
        return lab_fail(it->why, "stopped");
    return LAB_DONE;
}

static lab_outcome from_status(runner *it, cfpc_status status)
{
    return status == CFPC_OK ? LAB_DONE
                             : lab_fail(it->why, "%s: %s", it->spec->name, cfpc_sentence(status));
}

// Learns on the running loop, step by step. `last`, if not NULL, keeps the last trial's signals.
static lab_outcome learn_online(runner *it, const cfpc_system *trace, int trials,
                                lab_rule_record *rule, lab_trial *last)
{
    lab_cell cell;
    lab_outcome outcome = from_status(it, lab_cell_make(&cell, it->setup, trace));
    for (int k = 0; outcome == LAB_DONE && k < trials; k++) {
        lab_trial none = {0};
        lab_trial *trial = last && k == trials - 1 ? last : &none;
        lab_simulate_trial(it->setup, &it->running, &cell, trial);
        rule->rrmse[k] = trial->rrmse;
        outcome = tick(it, rule->name);
    }
    if (outcome == LAB_DONE) {
        rule->frozen = (cfpc_flags(cell.data) & CFPC_FLAG_FROZEN) != 0;
        for (int j = 0; rule->weights && j < it->setup->bases; j++)
            rule->weights[j] = cfpc_weights(cell.data)[j];
    }
    lab_cell_free(&cell);
    return outcome;
}

// A trial on the running loop with weights that stand still.
static lab_outcome run_frozen(runner *it, const double *weights, lab_trial *trial)
{
    lab_cell cell;
    cfpc_system none = {0};
    lab_outcome outcome = from_status(it, cfpc_gain(&none, 1));
    if (outcome == LAB_DONE)
        outcome = from_status(it, lab_cell_make(&cell, it->setup, &none));
    if (outcome == LAB_DONE) {
        for (int j = 0; weights && j < it->setup->bases; j++)
            cfpc_weights(cell.data)[j] = (cfpc_real)weights[j];
        cfpc_freeze(cell.data);
        lab_simulate_trial(it->setup, &it->running, &cell, trial);
        lab_cell_free(&cell);
    }
    cfpc_system_free(&none);
    return outcome;
}

// Whether the running loop's trial is what the computed curve says of it.
static lab_outcome check_agreement(runner *it, const lab_rule_record *rule, double computed,
                                   double simulated)
{
    if (!isfinite(computed) || fabs(computed - simulated) <= AGREEMENT * fmax(1, computed))
        return LAB_DONE;
    return lab_fail(it->why,
                    "rule %s: the computed rRMSE %.12g and the simulated %.12g differ; this is a "
                    "fault of cfpc, please report it with the spec",
                    rule->name, computed, simulated);
}

static lab_outcome learn_batch(runner *it, const cfpc_system *trace, int trials,
                               lab_rule_record *rule, lab_trial *last)
{
    lab_outcome outcome =
        from_status(it, cfpc_batch_learn(&it->setup->problem, trace, it->setup->rate, trials,
                                         rule->rrmse, rule->weights));
    if (outcome == LAB_DONE && last)
        outcome = run_frozen(it, rule->weights, last);
    if (outcome == LAB_DONE && last)
        outcome = check_agreement(it, rule, rule->rrmse[trials - 1], last->rrmse);
    return outcome == LAB_DONE ? tick(it, rule->name) : outcome;
}

static lab_outcome learn(runner *it, const cfpc_system *trace, int trials, lab_rule_record *rule,
                         lab_trial *last)
{
    return it->spec->learning.mode == LAB_ONLINE ? learn_online(it, trace, trials, rule, last)
                                                 : learn_batch(it, trace, trials, rule, last);
}

// All rules; the main one last, so that the trial that is kept is its own.
static lab_outcome run_rules(runner *it)
{
    lab_record *record = it->record;
    lab_trial last = {.y = record->y_last, .e = record->e_last, .o = record->o_last};
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < record->rules; i++)
        if (i != record->main_rule)
            outcome = learn(it, &it->setup->traces[i], record->trials, &record->rule[i], &last);
    if (outcome == LAB_DONE)
        outcome = learn(it, &it->setup->traces[record->main_rule], record->trials,
                        &record->rule[record->main_rule], &last);
    return outcome;
}

// What the loop does by itself: its answer to a pulse, and the first trial.
static lab_outcome run_reactive(runner *it)
{
    lab_record *record = it->record;
    cfpc_bank_reset(it->running.bank);
    lab_outcome outcome =
        from_status(it, cfpc_measure_response(lab_running_step, &it->running, it->setup->steps, 1,
                                              record->response));
    lab_trial first = {.y = record->y_first, .e = record->e_first};
    if (outcome == LAB_DONE)
        outcome = run_frozen(it, NULL, &first);
    if (outcome == LAB_DONE)
        outcome = check_agreement(it, &record->rule[record->main_rule], 1, first.rrmse);
    if (outcome == LAB_DONE)
        outcome =
            from_status(it, cfpc_apply(&it->setup->traces[record->main_rule], it->setup->steps,
                                       it->setup->bases, it->setup->basis, record->traces));
    return outcome;
}

// The delta trace of every delay, up to the trial at which they are compared.
static lab_outcome run_scan(runner *it)
{
    lab_record *record = it->record;
    const int trial = it->spec->delay_scan.trial;
    lab_rule_record rule = {.name = "delays", .rrmse = calloc((size_t)trial, sizeof(double))};
    if (!rule.rrmse)
        return from_status(it, CFPC_NO_MEMORY);
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < record->scan_count; i++) {
        cfpc_system delta = {0};
        int32_t steps = 0;
        cfpc_status status =
            cfpc_steps_of(record->scan_delay_ms[i] / 1e3, it->setup->step_s, &steps);
        if (status == CFPC_OK)
            status = cfpc_delay(&delta, it->setup->step_s, steps);
        outcome = from_status(it, status);
        if (outcome == LAB_DONE)
            outcome = learn(it, &delta, trial, &rule, NULL);
        if (outcome == LAB_DONE)
            record->scan_rrmse[i] = rule.rrmse[trial - 1];
        cfpc_system_free(&delta);
    }
    free(rule.rrmse);
    return outcome;
}

lab_outcome lab_run(lab_record *record, const lab_setup *setup, const lab_spec *spec,
                    const lab_progress *progress, lab_why *why)
{
    runner it = {.record = record, .setup = setup, .spec = spec, .progress = progress, .why = why};
    const bool online = spec->learning.mode == LAB_ONLINE;
    it.total = setup->rules * (online ? record->trials : 1) +
               record->scan_count * (online ? spec->delay_scan.trial : 1);
    lab_outcome outcome = from_status(&it, lab_running_make(&it.running, setup->running));
    if (outcome == LAB_DONE)
        outcome = run_reactive(&it);
    if (outcome == LAB_DONE)
        outcome = run_rules(&it);
    if (outcome == LAB_DONE)
        outcome = run_scan(&it);
    lab_running_free(&it.running);
    return outcome;
}
