// SPDX-License-Identifier: Apache-2.0
#include "plant/banks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/basis.h"
#include "cfpc/loop.h"
#include "math/order.h"
#include "plant/granules.h"
#include "spec/beside.h"

enum { MAX_ENTRIES = 50000000 }; // of the table: steps times bases

bool lab_hears_loop(const lab_basis_spec *bank)
{
    return lab_family_of_basis(bank->kind) == LAB_DRIVEN &&
           (bank->input == LAB_FROM_MEASUREMENT || bank->input == LAB_FROM_COMMAND ||
            bank->input == LAB_FROM_TOTAL_COMMAND);
}

int32_t lab_heard_output(const lab_basis_spec *bank)
{
    return bank->input == LAB_FROM_COMMAND         ? CFPC_LOOP_U
           : bank->input == LAB_FROM_TOTAL_COMMAND ? LAB_LOOP_TOTAL
                                                   : CFPC_LOOP_M;
}

// ---- banks in time ---------------------------------------------------------------------------

// The cue of this name, or NULL.
static const lab_cue_spec *find_cue(const lab_spec *spec, const char *name)
{
    const int i = *name ? lab_cue_of(spec, name) : -1;
    return i < 0 ? NULL : &lab_cues(spec)[i];
}

cfpc_time_basis_def lab_bank_in_time(const lab_spec *spec, const lab_basis_spec *bank, int steps)
{
    const lab_cue_spec *cue = find_cue(spec, bank->cue);
    const double step_s = spec->step_ms / 1e3;
    cfpc_time_basis_def time = cfpc_default_time_basis_def();
    time.kind = bank->kind == LAB_RAISED_COSINE      ? CFPC_RAISED_COSINE
                : bank->kind == LAB_ALPHA_BANK       ? CFPC_ALPHA
                : bank->kind == LAB_EXPONENTIAL_BANK ? CFPC_EXPONENTIAL
                                                     : CFPC_GAUSSIAN;
    time.count = bank->count;
    time.origin_s = cue ? cue->at_s : 0;
    if (lab_family_of_basis(bank->kind) == LAB_CENTRED) {
        // centred in the trial, unless the spec says where it begins
        time.first_s = (steps * step_s - (bank->count - 1) * bank->spacing_ms / 1e3) / 2;
        time.spacing_s = bank->spacing_ms / 1e3;
        time.width_s = bank->width_ms / 1e3;
    } else {
        time.first_s = step_s;
        time.last_s = bank->last_ms / 1e3;
    }
    if (!isnan(bank->first_ms))
        time.first_s = bank->first_ms / 1e3;
    return time;
}

// A bank whose cue does not come is 0.
static lab_outcome fill_time(lab_basis *banks, const lab_spec *spec, const lab_basis_spec *bank,
                             int column, lab_why *why)
{
    const lab_cue_spec *cue = find_cue(spec, bank->cue);
    if (cue && !cue->on)
        return LAB_DONE;
    const cfpc_time_basis_def time = lab_bank_in_time(spec, bank, banks->steps);
    return lab_spec_from_status(spec, bank->place, "the basis",
                                cfpc_time_basis(&time, spec->step_ms / 1e3, banks->steps,
                                                banks->bases, column, banks->table),
                                why);
}

static lab_outcome fill_granules(lab_basis *banks, const lab_spec *spec, const lab_basis_spec *bank,
                                 int column, lab_why *why)
{
    lab_granules granules;
    const cfpc_status status = lab_granules_make(&granules, bank, spec->step_ms / 1e3, banks->steps,
                                                 bank->count, spec->seed);
    for (int n = 0; status == CFPC_OK && n < banks->steps; n++)
        for (int j = 0; j < bank->count; j++)
            banks->table[(size_t)n * (size_t)banks->bases + (size_t)(column + j)] =
                lab_granule(&granules, j, n);
    lab_granules_free(&granules);
    return lab_spec_from_status(spec, bank->place, "the basis", status, why);
}

// A file is in trial time, 0 after its last row. Where time goes on from trial to trial, so does
// the file, which must then last for all trials.
static lab_outcome fill_csv(lab_basis *banks, const lab_spec *spec, const lab_basis_spec *bank,
                            int column, lab_why *why)
{
    lab_csv csv;
    lab_outcome outcome = lab_read_beside(&csv, spec, bank->place, bank->file, NULL, NULL, why);
    if (!spec->task.repeats) {
        const long wanted = (long)lab_spec_trials(spec) * banks->steps;
        banks->going[banks->going_count++] = (lab_going_on){.column = column, .csv = csv};
        if (outcome == LAB_DONE && csv.rows < wanted)
            return lab_spec_refuse(
                spec, bank->place, why,
                "'%s' has %d rows, but with `repeats: no` time runs on for %ld steps (%d trials of "
                "%d): give it one row per step, or set `repeats: yes`",
                bank->file, csv.rows, wanted, lab_spec_trials(spec), banks->steps);
        return outcome;
    }
    for (int n = 0; outcome == LAB_DONE && n < banks->steps && n < csv.rows; n++)
        memcpy(banks->table + (size_t)n * (size_t)banks->bases + (size_t)column,
               csv.values + (size_t)n * (size_t)csv.columns,
               (size_t)csv.columns * sizeof *csv.values);
    lab_csv_free(&csv);
    return outcome;
}

// ---- driven banks ----------------------------------------------------------------------------

cfpc_status lab_bank_network(cfpc_system *sys, const lab_basis_spec *bank, double step_s)
{
    int32_t spacing = 0;
    cfpc_status status;
    switch (bank->kind) {
    case LAB_TAPPED_DELAY:
        status = cfpc_steps_of(bank->spacing_ms / 1e3, step_s, &spacing);
        return status == CFPC_OK ? cfpc_tapped_delay(sys, step_s, bank->count, spacing) : status;
    case LAB_LEAKY_CASCADE:
        return cfpc_leaky_cascade(sys, step_s, bank->count, bank->time_constant_ms / 1e3);
    case LAB_LAGUERRE:
        return cfpc_laguerre(sys, step_s, bank->count, bank->time_constant_ms / 1e3);
    case LAB_DERIVATIVES:
        return cfpc_derivatives(sys, step_s, bank->count);
    case LAB_GAUSSIAN:
    case LAB_RAISED_COSINE:
    case LAB_ALPHA_BANK:
    case LAB_EXPONENTIAL_BANK:
    case LAB_PERIODIC:
    case LAB_IDENTITY:
    case LAB_CSV_BASIS:
    case LAB_GRANULE:
        break; // no signal drives them
    }
    return CFPC_BAD_VALUE;
}

static lab_outcome add_driven(lab_basis *banks, const lab_spec *spec, const lab_basis_spec *bank,
                              int column, lab_why *why)
{
    cfpc_system sys = {0};
    lab_driven *driven = &banks->driven[banks->driven_count++];
    *driven = (lab_driven){
        .spec = bank, .column = column, .ahead = (int)lround(bank->preview_ms / spec->step_ms)};
    if (bank->input == LAB_FROM_CUE) // the spec is checked: it is there
        driven->source = lab_cue_of(spec, bank->source);
    if (bank->input == LAB_FROM_DISTURBANCE)
        driven->source = lab_disturbance_of(spec, bank->source);
    banks->hears_loop |= lab_hears_loop(bank);
    cfpc_status status = lab_bank_network(&sys, bank, spec->step_ms / 1e3);
    if (status == CFPC_OK)
        status = lab_system_start(&driven->lti, &driven->state, &sys);
    cfpc_system_free(&sys);
    return lab_spec_from_status(spec, bank->place, "the basis", status, why);
}

// ---- banks over the angle --------------------------------------------------------------------

static lab_outcome add_turning(lab_basis *banks, const lab_spec *spec, const lab_basis_spec *bank,
                               int column, lab_why *why)
{
    lab_turning *turning = &banks->turning[banks->turning_count++];
    turning->column = column;
    return lab_spec_from_status(
        spec, bank->place, "the basis",
        cfpc_periodic_make(
            &turning->periodic, bank->count,
            cfpci_min(0.5, isnan(bank->width_turns) ? 1.0 / bank->count : bank->width_turns)),
        why);
}

// ---- all banks -------------------------------------------------------------------------------

// How many basis signals a bank has.
static lab_outcome count_bases(const lab_spec *spec, const lab_basis_spec *bank, int steps,
                               int *count, lab_why *why)
{
    const lab_basis_family family = lab_family_of_basis(bank->kind);
    *count = family == LAB_PER_STEP ? steps : bank->count;
    if (family != LAB_PER_COLUMN)
        return LAB_DONE;
    lab_csv csv = {0};
    lab_outcome outcome = lab_read_beside(&csv, spec, bank->place, bank->file, NULL, NULL, why);
    *count = csv.columns;
    lab_csv_free(&csv);
    return outcome;
}

static lab_outcome fill_bank(lab_basis *banks, const lab_spec *spec, const lab_basis_spec *bank,
                             int column, lab_why *why)
{
    switch (lab_family_of_basis(bank->kind)) {
    case LAB_CENTRED:
    case LAB_DECAYING:
        return fill_time(banks, spec, bank, column, why);
    case LAB_DRIVEN:
        return add_driven(banks, spec, bank, column, why);
    case LAB_TURNING:
        return add_turning(banks, spec, bank, column, why);
    case LAB_PER_STEP:
        for (int n = 0; n < banks->steps; n++)
            banks->table[(size_t)n * (size_t)banks->bases + (size_t)(column + n)] = 1;
        return LAB_DONE;
    case LAB_PER_COLUMN:
        return fill_csv(banks, spec, bank, column, why);
    case LAB_SCATTERED:
        return fill_granules(banks, spec, bank, column, why);
    }
    return lab_spec_from_status(spec, bank->place, "the basis", CFPC_BAD_VALUE, why);
}

lab_outcome lab_basis_make(lab_basis *banks, const lab_spec *spec, const lab_world *world,
                           int steps, lab_why *why)
{
    const size_t count = (size_t)spec->basis.count;
    *banks = (lab_basis){.world = world, .steps = steps};
    int *counts = calloc(count + 1, sizeof *counts);
    lab_outcome outcome = counts ? LAB_DONE : lab_no_memory(why, NULL);
    double bases = 0;
    for (size_t i = 0; outcome == LAB_DONE && i < count; i++) {
        outcome = count_bases(spec, &lab_banks(spec)[i], steps, &counts[i], why);
        bases += counts[i];
    }
    if (outcome == LAB_DONE && bases * steps > MAX_ENTRIES)
        outcome = lab_spec_refuse(spec, lab_banks(spec)[0].place, why,
                                  "%d steps times %g bases are more than the maximum of %d values",
                                  steps, bases, MAX_ENTRIES);
    if (outcome == LAB_DONE) {
        banks->bases = (int)bases;
        banks->table = calloc((size_t)steps * (size_t)banks->bases, sizeof *banks->table);
        banks->driven = calloc(count + 1, sizeof *banks->driven);
        banks->going = calloc(count + 1, sizeof *banks->going);
        banks->first = calloc(count + 1, sizeof *banks->first);
        banks->turning = calloc(count + 1, sizeof *banks->turning);
        if (!banks->table || !banks->driven || !banks->going || !banks->first || !banks->turning)
            outcome = lab_no_memory(why, NULL);
    }
    int column = 0;
    for (size_t i = 0; outcome == LAB_DONE && i < count; i++) {
        banks->first[i] = column;
        outcome = fill_bank(banks, spec, &lab_banks(spec)[i], column, why);
        column += counts[i];
    }
    free(counts);
    return outcome;
}

void lab_basis_free(lab_basis *banks)
{
    for (int i = 0; i < banks->driven_count; i++) {
        free(banks->driven[i].state);
        cfpc_lti_free(banks->driven[i].lti);
    }
    for (int i = 0; i < banks->going_count; i++)
        lab_csv_free(&banks->going[i].csv);
    for (int i = 0; i < banks->turning_count; i++)
        cfpc_periodic_free(&banks->turning[i].periodic);
    free(banks->turning);
    free(banks->first);
    free(banks->going);
    free(banks->driven);
    free(banks->table);
    *banks = (lab_basis){0};
}

void lab_basis_reset(lab_basis *banks)
{
    for (int i = 0; i < banks->driven_count; i++)
        cfpc_bank_reset(banks->driven[i].state);
}

static double drive_of(const lab_basis *banks, const lab_driven *driven, const lab_heard *heard,
                       int trial, int n)
{
    switch (driven->spec->input) {
    case LAB_FROM_REFERENCE:
        return lab_world_preview(banks->world, trial, n, driven->ahead);
    case LAB_FROM_CUE:
        return lab_world_cue(banks->world, driven->source, n);
    case LAB_FROM_DISTURBANCE:
        return lab_world_disturbance(banks->world, driven->source, trial, n);
    case LAB_FROM_MEASUREMENT:
        return heard->measurement;
    case LAB_FROM_COMMAND:
        return heard->command;
    case LAB_FROM_TOTAL_COMMAND:
        return heard->total_command;
    case LAB_FROM_PREDICTION:
        return heard->prediction;
    case LAB_FROM_ANGLE:
        break; // drives no network
    }
    return 0;
}

void lab_basis_step(lab_basis *banks, const lab_heard *heard, int trial, int n, cfpc_real *x)
{
    const double *row = banks->table + (size_t)n * (size_t)banks->bases;
    for (int j = 0; j < banks->bases; j++)
        x[j] = (cfpc_real)row[j];
    for (int i = 0; i < banks->going_count; i++) { // after its last row a table is 0
        const lab_csv *csv = &banks->going[i].csv;
        const long now = (long)trial * banks->steps + n;
        for (int j = 0; now < csv->rows && j < csv->columns; j++)
            x[banks->going[i].column + j] =
                (cfpc_real)csv->values[(size_t)now * (size_t)csv->columns + (size_t)j];
    }
    for (int i = 0; i < banks->turning_count; i++)
        cfpc_periodic_row(&banks->turning[i].periodic, (cfpc_real)heard->phase,
                          x + banks->turning[i].column);
    for (int i = 0; i < banks->driven_count; i++) {
        const lab_driven *driven = &banks->driven[i];
        const cfpc_real drive = (cfpc_real)drive_of(banks, driven, heard, trial, n);
        cfpc_bank_step(driven->lti, driven->state, &drive, x + driven->column);
    }
}
