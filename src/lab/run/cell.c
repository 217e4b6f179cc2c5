// SPDX-License-Identifier: Apache-2.0
#include "run/cell.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/compile.h"
#include "math/elementary.h"
#include "math/order.h"
#include "run/learned.h"

cfpc_guard lab_guard_of(const lab_setup *setup)
{
    const lab_spec *spec = setup->rig.spec;
    const lab_guard_spec *guard_spec = &spec->guard;
    cfpc_guard guard = cfpc_default_guard();
    guard.on = guard_spec->on && !spec->learning.frozen;
    guard.factor = (cfpc_real)guard_spec->factor;
    // how much the loop's own error varies from trial to trial, relative to its power
    const double power = cfpci_pow(setup->watched_norm, 2);
    guard.spread = (cfpc_real)(power > 0 ? setup->watched_spread / power : 0);
    guard.repeats = spec->task.repeats;
    guard.window_steps =
        spec->task.reset || isnan(guard_spec->window_s)
            ? setup->rig.steps
            : (int32_t)cfpci_max(1, round(guard_spec->window_s / setup->rig.step_s));
    if (!isnan(guard_spec->saturated_ms)) // the loop alone may saturate as long
        guard.saturated_steps =
            (int32_t)cfpci_max(setup->longest_saturation,
                               cfpci_max(1, round(guard_spec->saturated_ms / spec->step_ms)));
    if (spec->task.reset) // every trial begins at rest
        guard.settle_steps = 0;
    guard.resume = (cfpc_real)guard_spec->resume;
    guard.tries = guard_spec->tries;
    return guard;
}

// Whether a rule can learn all of a trial after it: traces, or a teaching filter at every step,
// cost more than the rest of the trial.
static bool cell_learns_after(const lab_setup *setup, const lab_rule *rule, bool guarded)
{
    const cfpc_rule *r = &rule->rule;
    return r->mode == CFPC_BATCH && r->normaliser == 0 && r->output_penalty == 0 &&
           !(guarded && setup->rig.spec->guard.on) && !setup->hears_loop && !setup->predictors &&
           !lab_uses_angle(setup->rig.spec) && setup->rig.spec->task.reset;
}

// The delay of what teaches, which may change within the phase.
static cfpc_status make_delay(lab_cell *cell, const lab_setup *setup)
{
    const lab_teach_spec *teach = &setup->rig.spec->teach;
    const double end_ms = isnan(teach->delay_end_ms) ? teach->delay_ms : teach->delay_end_ms;
    int32_t late = 0;
    const cfpc_status status = cfpc_steps_of(teach->delay_ms / 1e3, setup->rig.step_s, &late);
    cell->late_from = late;
    cell->late_to = isnan(teach->delay_end_ms) ? late : end_ms / setup->rig.spec->step_ms;
    cell->late_over = (long)setup->rig.trials * setup->rig.steps;
    cell->ring = (int)cfpci_max(cell->late_from, ceil(cell->late_to)) + 2;
    cell->late = calloc((size_t)cell->ring, sizeof *cell->late);
    return status == CFPC_OK && !cell->late ? CFPC_NO_MEMORY : status;
}

cfpc_status lab_cell_make(lab_cell *cell, const lab_setup *setup, const lab_rule *rule,
                          bool guarded)
{
    *cell = (lab_cell){.fibre = lab_fibre_make(setup->rig.spec)};
    cfpc_system none = {0};
    const bool frozen = setup->rig.spec->learning.frozen,
               after = cell_learns_after(setup, rule, guarded), traceless = after || frozen;
    const cfpc_teaching_filter *filter = lab_has_filter(rule) ? &rule->filter : NULL;
    if (after && !frozen) {
        cell->trace = &rule->trace;
        cell->filter = filter;
        cell->lesson = calloc(2 * (size_t)setup->rig.steps, sizeof *cell->lesson);
        if (!cell->lesson)
            return CFPC_NO_MEMORY;
    }
    if (lab_has_q(rule) && !frozen) {
        cell->q = rule->q;
        cell->smoothed = calloc(3 * (size_t)setup->rig.steps, sizeof *cell->smoothed);
        if (!cell->smoothed)
            return CFPC_NO_MEMORY;
    }
    if (traceless && cfpc_gain(&none, 1) != CFPC_OK)
        return CFPC_NO_MEMORY;
    const cfpc_cell_def def = {.synapses = setup->bases,
                               .trace = traceless ? &none : &rule->trace,
                               .filter = traceless ? NULL : filter,
                               .past = CFPC_PAST_KEPT,
                               .mutable_taps = rule->is_learned,
                               .rule = rule->rule,
                               .preconditioner = rule->preconditioner,
                               .guard = guarded ? lab_guard_of(setup) : (cfpc_guard){0},
                               .response = lab_response_of(rule)};
    cfpc_status status = cfpc_compile(&cell->model, &def);
    cfpc_system_free(&none);
    if (status == CFPC_OK)
        status = cfpc_data_make(&cell->data, cell->model);
    if (status == CFPC_OK)
        status = make_delay(cell, setup);
    if (status != CFPC_OK || !rule->is_learned)
        return status;
    cell->taps = rule->learned.horizon + 1;
    cell->answer_peak = lab_peak_of(setup->response, setup->rig.steps);
    return lab_learned_make(&cell->learned, &rule->learned);
}

void lab_cell_free(lab_cell *cell)
{
    cfpc_data_free(cell->data);
    cfpc_model_free(cell->model);
    free(cell->late);
    free(cell->lesson);
    free(cell->smoothed);
    free(cell->learned);
    *cell = (lab_cell){0};
}

// ---- its memory ------------------------------------------------------------------------------

static cfpc_status data_size(const cfpc_cell_def *def, double *bytes)
{
    const cfpc_model *model = NULL;
    const cfpc_status status = cfpc_compile(&model, def);
    *bytes = status == CFPC_OK ? (double)cfpc_data_size(model) : NAN;
    cfpc_model_free(model);
    return status;
}

cfpc_status lab_cell_bytes(const lab_setup *setup, const lab_rule *rule, double *per_synapse,
                           double *per_cell)
{
    enum { FEW = 64, MORE = 128 }; // synapses: whole vectors
    *per_synapse = *per_cell = NAN;
    double *zeros = calloc((size_t)MORE * MORE, sizeof *zeros); // memory depends on no value
    if (!zeros)
        return CFPC_NO_MEMORY;
    // Banks in trial time are tables, and a tapped line has its past; other networks forget theirs.
    const lab_spec *spec = setup->rig.spec;
    cfpc_past past = CFPC_PAST_GIVEN;
    for (int i = 0; i < spec->basis.count; i++) {
        const lab_basis_kind kind = lab_banks(spec)[i].kind;
        if (lab_family_of_basis(kind) == LAB_DRIVEN && kind != LAB_TAPPED_DELAY)
            past = CFPC_PAST_KEPT;
    }
    cfpc_cell_def def = {.synapses = FEW,
                         .trace = &rule->trace,
                         .filter = lab_has_filter(rule) ? &rule->filter : NULL,
                         .past = past,
                         .rule = rule->rule,
                         .preconditioner = rule->preconditioner ? zeros : NULL,
                         .guard = lab_guard_of(setup),
                         .response = lab_response_of(rule)};
    def.rule.rate = 0; // memory does not depend on it, and it may be infinite in float
    double few = 0, more = 0;
    cfpc_status status = data_size(&def, &few);
    def.synapses = MORE;
    if (status == CFPC_OK)
        status = data_size(&def, &more);
    *per_synapse = (more - few) / (MORE - FEW);
    *per_cell = few - FEW * *per_synapse;
    free(zeros);
    return status;
}
