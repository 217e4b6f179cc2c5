// SPDX-License-Identifier: Apache-2.0
#include "run/phase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/compile.h"
#include "math/elementary.h"
#include "math/order.h"
#include "run/gain.h"
#include "run/learned.h"
#include "run/lifted.h"

// How far the computed and the running loop may be apart, relative to the rRMSE.
#define AGREEMENT (CFPC_REAL_IS_FLOAT ? 1e-3 : 1e-9)

// Above this rRMSE the numbers of the running loop may overflow, and there is nothing to compare.
#define DIVERGED (CFPC_REAL_IS_FLOAT ? 1e15 : 1e140)

// ---- diverged --------------------------------------------------------------------------------

static void blank(double *values, int from, int to)
{
    for (int i = from; values && i < to; i++)
        values[i] = NAN;
}

// Sets to NAN what a rule no longer has from this trial of the phase on, counted from 0.
static void blank_from(const lab_phase_run *phase, int trial)
{
    const int first = phase->first + trial, end = phase->first + phase->trials;
    blank(phase->rrmse, trial, phase->trials);
    blank(phase->weights, 0, phase->setup->bases);
    const lab_rule_record unasked = {0}, *record = phase->record ? phase->record : &unasked;
    double *const of_run[] = {record->gain, record->worst_window, record->responses.onset_ms,
                              record->responses.peak_ms, record->responses.amplitude};
    for (size_t i = 0; i < sizeof of_run / sizeof of_run[0]; i++)
        blank(of_run[i], first, end);
    const lab_trial none = {0}, *kept = phase->last ? phase->last : &none;
    double *const last[] = {kept->y, kept->e, kept->o, kept->u, kept->m};
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++)
        blank(last[i], 0, phase->setup->rig.steps);
}

static bool overflowed(const lab_cell *cell)
{
    return (cfpc_flags(cell->data) & CFPC_FLAG_NOT_FINITE) != 0;
}

lab_outcome lab_skip_phase(const lab_phase_run *phase, lab_pace *pace, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    blank_from(phase, 0);
    for (int k = 0; outcome == LAB_DONE && k < phase->trials; k++)
        outcome = lab_tick(pace, phase->name, why);
    return outcome;
}

// ---- on the loop -----------------------------------------------------------------------------

static void set_weights(lab_cell *cell, const double *weights, int count)
{
    for (int j = 0; j < count; j++)
        cfpc_weights(cell->data)[j] = (cfpc_real)weights[j];
}

// Notes that the guard acted: in trial k of the phase, or, where a batch is judged, after the one
// before.
static void phase_note_act(lab_phase_run *phase, const lab_cell *cell, int k)
{
    const cfpc_guard_act last = cfpc_guard_last(cell->data);
    const bool compared = last.reason == CFPC_GUARD_WORSE,
               before = compared && cfpc_model_rule(cell->model).mode == CFPC_BATCH;
    const uint32_t frozen = CFPC_FLAG_GUARDED | CFPC_FLAG_FROZEN;
    bool to_zero = true;
    for (int32_t j = 0; j < cfpc_model_synapses(cell->model); j++)
        to_zero &= cfpc_weights(cell->data)[j] == 0;
    phase->guard.act[phase->guard.acts] =
        (lab_guard_act){.trial = phase->first + k + (before ? 0 : 1),
                        .reason = last.reason,
                        .with_cell = compared ? (double)last.with_cell : NAN,
                        .alone = compared ? (double)last.alone : NAN,
                        .world_changed = last.world_changed,
                        .to_zero = to_zero,
                        .froze = (cfpc_flags(cell->data) & frozen) == frozen};
}

// What the guard had done before this phase.
static const cfpc_data *phase_earlier(const lab_phase_run *phase)
{
    return phase->carried && phase->guarded ? phase->carried->guarding : NULL;
}

static void note_guard(lab_phase_run *phase, const lab_cell *cell, int k)
{
    const cfpc_data *before = phase_earlier(phase);
    if (!cfpc_model_guard(cell->model).on)
        return;
    const int acts = cfpc_guard_acts(cell->data) - (before ? cfpc_guard_acts(before) : 0);
    if (acts > phase->guard.acts && phase->guard.acts < LAB_GUARD_ACTS)
        phase_note_act(phase, cell, k);
    phase->guard.acts = acts;
    phase->guard.pauses = cfpc_guard_pauses(cell->data) - (before ? cfpc_guard_pauses(before) : 0);
    phase->guard.paused_steps = (long)(cfpc_guard_paused_steps(cell->data) -
                                       (before ? cfpc_guard_paused_steps(before) : 0));
    phase->guard.window_steps = cfpc_model_guard(cell->model).window_steps;
}

// Measures what the spec asks for in trial k of the phase; room: (N).
static void measure_trial(const lab_phase_run *phase, const lab_trial *kept, int k, double *room)
{
    const lab_setup *setup = phase->setup;
    const lab_rig *rig = &setup->rig;
    lab_rule_record *record = phase->record;
    const double step_ms = rig->spec->step_ms;
    const int trial = phase->first + k;
    if (!record)
        return;
    if (record->worst_window) {
        const int row = k < setup->window_trials ? k : setup->window_trials - 1;
        record->worst_window[trial] =
            lab_worst_window(setup->windows, rig->steps, kept->e,
                             setup->window_norms + (size_t)row * (size_t)setup->windows);
    }
    if (record->model.peak_ms && phase->rule->is_learned) {
        record->model.peak_ms[trial] = kept->model_peak * step_ms;
        record->model.right_ms[trial] = kept->model_right * step_ms;
        record->model.off_ms[trial] = kept->model_off * step_ms;
        if (isnan(record->model.ready_s) && kept->predicts_from >= 0)
            record->model.ready_s =
                ((double)trial * rig->steps + kept->predicts_from + 1) * rig->step_s;
    }
    if (record->responses.peak_ms) {
        // What the cell changed in the output is what it took off the error, y - y0 = e0 - e.
        const bool of_cell = rig->spec->response.signal == LAB_CELL_RESPONSE;
        for (int n = 0; n < rig->steps; n++)
            room[n] = of_cell ? kept->o[n] : setup->e0[n] - kept->e[n];
        lab_measure_response(&record->responses, trial, rig->spec, rig->steps, room);
    }
    if (record->gain)
        record->gain[trial] = lab_measure_gain(&rig->world, trial, kept->y);
}

static lab_outcome run_trials(lab_phase_run *phase, lab_simulation *simulation, lab_cell *cell,
                              lab_pace *pace, lab_why *why)
{
    const size_t steps = (size_t)phase->setup->rig.steps;
    double *room = calloc(4 * steps, sizeof *room);
    lab_outcome outcome = room ? LAB_DONE : lab_no_memory(why, NULL);
    for (int k = 0; outcome == LAB_DONE && k < phase->trials && phase->diverged_at == 0; k++) {
        lab_trial passing = {.e = room, .o = room + steps, .y = room + 3 * steps};
        lab_trial *kept = phase->last && k == phase->trials - 1 ? phase->last : &passing;
        lab_simulate_trial(&phase->setup->rig, simulation, cell, phase->first + k, kept);
        phase->rrmse[k] = kept->norm / phase->setup->baseline;
        measure_trial(phase, kept, k, room + 2 * steps);
        // Where the guard acted in a trial that diverged, it put the rule right.
        const int acts = phase->guard.acts;
        note_guard(phase, cell, k);
        if (phase->guard.acts <= acts &&
            (!isfinite(phase->rrmse[k]) || (overflowed(cell) && phase->guard.acts == 0)))
            phase->diverged_at = phase->first + k + 1;
        outcome = lab_from_status(why, cell->status, phase->name);
        if (outcome == LAB_DONE)
            outcome = lab_tick(pace, phase->name, why);
    }
    free(room);
    for (int k = phase->diverged_at;
         outcome == LAB_DONE && k > 0 && k < phase->first + phase->trials; k++)
        outcome = lab_tick(pace, phase->name, why);
    return outcome;
}

// Goes on with what earlier phases left: the weights, the learned model if that was learned with
// the same settings, what the guard knows, and the first stage of a cascade, which learns along.
static lab_outcome phase_take_over(const lab_phase_run *phase, lab_simulation *simulation,
                                   lab_cell *cell, lab_why *why)
{
    const lab_spec *spec = phase->setup->rig.spec;
    const lab_prediction_learns when = spec->prediction.learns;
    const lab_carried *carried = phase->carried;
    if (simulation->predicts) {
        double *none = calloc((size_t)phase->setup->predictors, sizeof *none);
        if (!none)
            return lab_no_memory(why, NULL);
        lab_prediction_start(&simulation->prediction, carried ? carried->prediction : none,
                             when == LAB_LEARNS_ALWAYS ||
                                 (when == LAB_LEARNS_WITH_CELL && !spec->learning.frozen));
        free(none);
    }
    set_weights(cell, phase->weights, phase->setup->bases);
    if (carried && carried->learned && cell->learned &&
        carried->learned_by->probe == phase->rule->probe &&
        lab_learned_carries(&carried->learned_by->learned, &phase->rule->learned)) {
        memcpy(cell->learned, carried->learned, cfpc_learned_bytes(cell->learned));
        cfpc_learned_set_rms(cell->learned, phase->rule->learned.probe_rms);
        cfpc_set_taps(cell->model, cell->data, cfpc_learned_taps(cell->learned));
    }
    if (phase_earlier(phase))
        cfpc_guard_carry(phase_earlier(phase), cell->model, cell->data);
    if (spec->learning.frozen)
        cfpc_freeze(cell->data);
    return LAB_DONE;
}

// Keeps what the phase leaves, and hands on to the next one the learned model and the guard.
static void phase_hand_on(lab_phase_run *phase, lab_simulation *simulation, lab_cell *cell)
{
    lab_carried *carried = phase->carried;
    // A batch learns from its last trial only if another follows. On line the last trial has been
    // learned from, but for what is still due in adjoint form.
    const bool batch = phase->setup->rig.spec->learning.mode == LAB_BATCH;
    if (batch ? phase->to_next : lab_has_filter(phase->rule))
        lab_next_trial(cell);
    else if (batch)
        cfpc_end_trial(cell->model, cell->data);
    if (simulation->predicts && carried)
        lab_prediction_end(&simulation->prediction, phase->to_next, carried->prediction);
    note_guard(phase, cell, phase->trials);
    for (int j = 0; j < phase->setup->bases; j++)
        phase->weights[j] = cfpc_weights(cell->data)[j];
    phase->saturated = simulation->running.saturated_steps;
    phase->fibre = cell->fibre;
    if (phase->diverged_at > 0)
        blank_from(phase, phase->diverged_at - 1 - phase->first);
    if (carried && cell->learned) {
        free(carried->learned);
        carried->learned = cell->learned;
        carried->learned_by = phase->rule;
        cell->learned = NULL;
    }
    if (carried && phase->guarded && cfpc_model_guard(cell->model).on) {
        cfpc_data_free(carried->guarding);
        carried->guarding = cell->data;
        cell->data = NULL;
    }
}

// Runs all trials of a phase on the loop.
static lab_outcome simulate_phase(lab_phase_run *phase, lab_pace *pace, lab_why *why)
{
    const lab_setup *setup = phase->setup;
    lab_simulation simulation;
    lab_cell cell = {0};
    lab_outcome outcome = lab_simulation_make(&simulation, &setup->rig, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, lab_cell_make(&cell, setup, phase->rule, phase->guarded),
                                  setup->rig.spec->name);
    if (outcome == LAB_DONE)
        outcome = phase_take_over(phase, &simulation, &cell, why);
    if (outcome == LAB_DONE)
        outcome = run_trials(phase, &simulation, &cell, pace, why);
    if (outcome == LAB_DONE)
        phase_hand_on(phase, &simulation, &cell);
    lab_cell_free(&cell);
    lab_simulation_free(&simulation);
    return outcome;
}

// The last trial on the loop, with the weights that were computed: no trace and no rate are needed.
// If the output is not finite there is no rRMSE: the loop ran alone.
static lab_outcome run_frozen(lab_phase_run *phase, lab_why *why)
{
    const lab_setup *setup = phase->setup;
    double *computed = &phase->rrmse[phase->trials - 1], simulated = NAN;
    lab_simulation simulation = {0};
    lab_cell cell = {0};
    lab_rule still = {0};
    lab_outcome outcome = lab_from_status(why, cfpc_gain(&still.trace, 1), setup->rig.spec->name);
    if (outcome == LAB_DONE)
        outcome = lab_simulation_make(&simulation, &setup->rig, why);
    if (outcome == LAB_DONE)
        outcome =
            lab_from_status(why, lab_cell_make(&cell, setup, &still, false), setup->rig.spec->name);
    if (outcome == LAB_DONE) {
        set_weights(&cell, phase->weights, setup->bases);
        cfpc_freeze(cell.data);
        lab_simulate_trial(&setup->rig, &simulation, &cell, setup->rig.first, phase->last);
        simulated = overflowed(&cell) ? NAN : phase->last->norm / setup->baseline;
        outcome = lab_check_agreement(phase->name, *computed, simulated, why);
    }
    *computed = isfinite(simulated) ? *computed : NAN;
    lab_cell_free(&cell);
    lab_simulation_free(&simulation);
    cfpc_system_free(&still.trace);
    return outcome;
}

// ---- computed --------------------------------------------------------------------------------

bool lab_is_computed(const lab_setup *setup, const lab_rule *rule)
{
    const cfpc_rule *r = &rule->rule;
    const lab_spec *spec = setup->rig.spec;
    if (lab_has_q(rule))
        return lab_can_lift(setup, rule);
    return !setup->nonlinear && !lab_has_filter(rule) && r->mode == CFPC_BATCH && !r->rectified &&
           r->normaliser == 0 && r->leak == 0 && r->momentum == 0 && r->output_penalty == 0 &&
           r->inhibition == 0 && r->weight_low == r->weight_high && !rule->preconditioner &&
           !spec->learning.frozen && spec->teach.signal == LAB_TEACH_ERROR &&
           spec->teach.delay_ms == 0 && !lab_has_noisy_teacher(spec);
}

lab_outcome lab_check_agreement(const char *rule, double computed, double simulated, lab_why *why)
{
    const bool diverged = !(computed < DIVERGED) || !isfinite(simulated);
    if (diverged || fabs(computed - simulated) <= AGREEMENT * cfpci_max(1, computed))
        return LAB_DONE;
    return lab_fail(why,
                    "rule %s: the computed rRMSE %.12g and the simulated %.12g differ; this is a "
                    "bug in cfpc, please report it with the spec",
                    rule, computed, simulated);
}

// The first trial whose error has no finite energy, as it would have none on the loop, counted from
// 0; `trials` if there is none.
static int first_not_finite(const lab_phase_run *phase)
{
    int k = 0;
    while (k < phase->trials && isfinite(cfpci_pow(phase->rrmse[k] * phase->setup->baseline, 2)))
        k++;
    return k;
}

static lab_outcome compute_phase(lab_phase_run *phase, lab_pace *pace, lab_why *why)
{
    const lab_setup *setup = phase->setup;
    const int trials = phase->trials;
    lab_outcome outcome =
        lab_has_q(phase->rule)
            ? lab_lift(setup, phase->rule, trials, phase->rrmse, phase->weights, why)
            : lab_from_status(why,
                              cfpc_batch_learn(&setup->problem, &phase->rule->trace,
                                               phase->rule->rate, trials, phase->rrmse,
                                               phase->weights),
                              setup->rig.spec->name);
    if (outcome == LAB_DONE && phase->last && first_not_finite(phase) == trials)
        outcome = run_frozen(phase, why);
    const int end = outcome == LAB_DONE ? first_not_finite(phase) : trials;
    if (end < trials) {
        phase->diverged_at = phase->first + end + 1;
        blank_from(phase, end);
    }
    return outcome == LAB_DONE ? lab_tick(pace, phase->name, why) : outcome;
}

// ---- one or the other ------------------------------------------------------------------------

// Whether the guard would look into such a curve, of which every trial alone is 1.
static bool guard_looks(const lab_phase_run *phase)
{
    double sum = 0;
    for (int k = 0; k < phase->trials; k++) {
        sum += cfpci_pow(phase->rrmse[k], 2);
        sum -= k >= CFPC_GUARD_ROUNDS ? cfpci_pow(phase->rrmse[k - CFPC_GUARD_ROUNDS], 2) : 0;
        if (!(phase->rrmse[k] < phase->setup->rig.spec->guard.factor) ||
            (k + 1 >= CFPC_GUARD_ROUNDS && sum > CFPC_GUARD_ROUNDS))
            return true;
    }
    return false;
}

// What can be computed is, unless the guard would look into it, or may say no as its model is
// wrong.
lab_outcome lab_run_phase(lab_phase_run *phase, lab_pace *pace, lab_why *why)
{
    const bool guarded = phase->guarded && phase->setup->rig.spec->guard.on;
    const lab_rule_record *record = phase->record;
    const bool measured =
        record && (record->responses.peak_ms || record->gain || record->worst_window);
    if (!phase->may_compute || measured || !lab_is_computed(phase->setup, phase->rule) ||
        (guarded && !phase->setup->believes_right))
        return simulate_phase(phase, pace, why);
    const lab_outcome outcome = compute_phase(phase, pace, why);
    if (outcome != LAB_DONE || !guarded || !guard_looks(phase))
        return outcome;
    memset(phase->weights, 0, (size_t)phase->setup->bases * sizeof *phase->weights);
    phase->diverged_at = 0;
    return simulate_phase(phase, pace, why);
}
