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
#include "run/windows.h"

// How far the computed and the running loop may be apart, relative to the rRMSE.
#define AGREEMENT (CFPC_REAL_IS_FLOAT ? 1e-3 : 1e-9)

// Above this rRMSE the numbers of the running loop may overflow, and there is nothing to compare.
#define DIVERGED (CFPC_REAL_IS_FLOAT ? 1e15 : 1e140)

// A curve this close to the guard's limit is run on the loop instead of computed.

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
    blank(phase->gain, first, end);
    blank(phase->worst_window, first, end);
    if (phase->responses) {
        blank(phase->responses->onset_ms, first, end);
        blank(phase->responses->peak_ms, first, end);
        blank(phase->responses->amplitude, first, end);
    }
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

static bool phase_all_zero(const lab_cell *cell)
{
    for (int32_t j = 0; j < cfpc_model_synapses(cell->model); j++)
        if (cfpc_weights(cell->data)[j] != 0)
            return false;
    return true;
}

static bool has_frozen(const lab_cell *cell)
{
    const uint32_t both = CFPC_FLAG_GUARDED | CFPC_FLAG_FROZEN;
    return (cfpc_flags(cell->data) & both) == both;
}

// Notes that the guard acted: in trial k of the phase, or, where a batch is judged, after the one
// before.
static void phase_note_act(lab_phase_run *phase, const lab_cell *cell, int k)
{
    const cfpc_guard_act last = cfpc_guard_last(cell->data);
    const bool compared = last.reason == CFPC_GUARD_WORSE,
               before = compared && cfpc_model_rule(cell->model).mode == CFPC_BATCH;
    phase->guard.act[phase->guard.acts] =
        (lab_guard_act){.trial = phase->first + k + (before ? 0 : 1),
                        .reason = last.reason,
                        .with_cell = compared ? (double)last.with_cell : NAN,
                        .alone = compared ? (double)last.alone : NAN,
                        .world_changed = last.world_changed,
                        .to_zero = phase_all_zero(cell),
                        .froze = has_frozen(cell)};
}

// What the guard had done before this phase.
static const cfpc_data *phase_earlier(const lab_phase_run *phase)
{
    return phase->guarding && phase->guarded ? *phase->guarding : NULL;
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

// The guard goes on with what it knows, and the next phase with what it knows then.
static void take_guard(const lab_phase_run *phase, lab_cell *cell)
{
    if (phase_earlier(phase))
        cfpc_guard_carry(phase_earlier(phase), cell->model, cell->data);
}

static void give_guard(const lab_phase_run *phase, lab_cell *cell)
{
    if (!phase->guarding || !phase->guarded || !cfpc_model_guard(cell->model).on)
        return;
    cfpc_data_free(*phase->guarding);
    *phase->guarding = cell->data;
    cell->data = NULL;
}

// What the cell changed in the output is what it took off the error, y - y0 = e0 - e.
static void phase_measure_response(const lab_phase_run *phase, const lab_trial *trial, int k,
                                   double *change)
{
    const lab_setup *setup = phase->setup;
    const bool of_cell = setup->rig.spec->response.signal == LAB_CELL_RESPONSE;
    for (int n = 0; n < setup->rig.steps; n++)
        change[n] = of_cell ? trial->o[n] : setup->e0[n] - trial->e[n];
    lab_measure_response(phase->responses, phase->first + k, setup->rig.spec, setup->rig.steps,
                         change);
}

// Whether the rule diverged in this trial. Where the guard acted in it, the guard put it right.
static bool phase_diverges(lab_phase_run *phase, const lab_cell *cell, int k)
{
    const int acts = phase->guard.acts;
    note_guard(phase, cell, k);
    if (phase->guard.acts > acts)
        return false;
    return !isfinite(phase->rrmse[k]) || (overflowed(cell) && phase->guard.acts == 0);
}

static void phase_note_model(const lab_phase_run *phase, const lab_trial *kept, int trial)
{
    const lab_rig *rig = &phase->setup->rig;
    phase->model->peak_ms[trial] = kept->model_peak * rig->spec->step_ms;
    phase->model->right_ms[trial] = kept->model_right * rig->spec->step_ms;
    phase->model->off_ms[trial] = kept->model_off * rig->spec->step_ms;
    if (isnan(phase->model->ready_s) && kept->predicts_from >= 0)
        phase->model->ready_s =
            ((double)trial * rig->steps + kept->predicts_from + 1) * rig->step_s;
}

static double phase_worst_window(const lab_setup *setup, const lab_trial *kept, int k)
{
    const int row = k < setup->window_trials ? k : setup->window_trials - 1;
    return lab_worst_window(setup->windows, setup->rig.steps, kept->e,
                            setup->window_norms + (size_t)row * (size_t)setup->windows);
}

static void measure_trial(const lab_phase_run *phase, const lab_trial *kept, int k, double *room)
{
    if (phase->worst_window)
        phase->worst_window[phase->first + k] = phase_worst_window(phase->setup, kept, k);
    if (phase->model && phase->rule->is_learned)
        phase_note_model(phase, kept, phase->first + k);
    if (phase->responses)
        phase_measure_response(phase, kept, k, room);
    if (phase->gain)
        phase->gain[phase->first + k] =
            lab_measure_gain(&phase->setup->rig.world, phase->first + k, kept->y);
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
        if (phase_diverges(phase, cell, k))
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

// A batch learns from its last trial only if another follows. On line the last trial has been
// learned from, but for what is still due in adjoint form.
static void end_phase(const lab_phase_run *phase, lab_cell *cell)
{
    const bool batch = phase->setup->rig.spec->learning.mode == LAB_BATCH;
    if (batch ? phase->to_next : lab_has_filter(phase->rule))
        lab_next_trial(cell);
    else if (batch)
        cfpc_end_trial(cell->model, cell->data);
}

// The cell goes on with the model that it has learned so far, if that was with the same settings.
static void take_model(const lab_phase_run *phase, lab_cell *cell)
{
    if (!phase->learned || !*phase->learned || !cell->learned ||
        phase->learned_by->probe != phase->rule->probe ||
        !lab_learned_carries(&phase->learned_by->learned, &phase->rule->learned))
        return;
    memcpy(cell->learned, *phase->learned, cfpc_learned_bytes(cell->learned));
    cfpc_learned_set_rms(cell->learned, phase->rule->learned.probe_rms);
    cfpc_set_taps(cell->model, cell->data, cfpc_learned_taps(cell->learned));
}

static void give_model(const lab_phase_run *phase, lab_cell *cell)
{
    if (!phase->learned || !cell->learned)
        return;
    free(*phase->learned);
    *phase->learned = cell->learned;
    cell->learned = NULL;
}

// The first stage of a cascade learns along, from what it has learned in earlier phases.
static lab_outcome start_prediction(const lab_phase_run *phase, lab_simulation *simulation,
                                    lab_why *why)
{
    const lab_spec *spec = phase->setup->rig.spec;
    const lab_prediction_learns when = spec->prediction.learns;
    const bool learns =
        when == LAB_LEARNS_ALWAYS || (when == LAB_LEARNS_WITH_CELL && !spec->learning.frozen);
    if (!simulation->predicts)
        return LAB_DONE;
    double *none = calloc((size_t)phase->setup->predictors, sizeof *none);
    if (!none)
        return lab_no_memory(why, NULL);
    lab_prediction_start(&simulation->prediction, phase->prediction ? phase->prediction : none,
                         learns);
    free(none);
    return LAB_DONE;
}

static void end_prediction(const lab_phase_run *phase, lab_simulation *simulation)
{
    if (simulation->predicts && phase->prediction)
        lab_prediction_end(&simulation->prediction, phase->to_next, phase->prediction);
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
        outcome = start_prediction(phase, &simulation, why);
    if (outcome == LAB_DONE) {
        set_weights(&cell, phase->weights, setup->bases);
        take_model(phase, &cell);
        take_guard(phase, &cell);
        if (setup->rig.spec->learning.frozen)
            cfpc_freeze(cell.data);
        outcome = run_trials(phase, &simulation, &cell, pace, why);
    }
    if (outcome == LAB_DONE) {
        end_phase(phase, &cell);
        end_prediction(phase, &simulation);
        note_guard(phase, &cell, phase->trials);
        for (int j = 0; j < setup->bases; j++)
            phase->weights[j] = cfpc_weights(cell.data)[j];
        phase->saturated = simulation.running.saturated_steps;
        phase->fibre = cell.fibre;
        if (phase->diverged_at > 0)
            blank_from(phase, phase->diverged_at - 1 - phase->first);
        give_model(phase, &cell);
        give_guard(phase, &cell);
    }
    lab_cell_free(&cell);
    lab_simulation_free(&simulation);
    return outcome;
}

// A trial with constant weights: no trace and no rate are needed. If the output is not finite there
// is no rRMSE: the loop ran alone.
static lab_outcome run_frozen(const lab_setup *setup, const double *weights, lab_trial *kept,
                              double *rrmse, lab_why *why)
{
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
        set_weights(&cell, weights, setup->bases);
        cfpc_freeze(cell.data);
        lab_simulate_trial(&setup->rig, &simulation, &cell, setup->rig.first, kept);
        *rrmse = overflowed(&cell) ? NAN : kept->norm / setup->baseline;
    }
    lab_cell_free(&cell);
    lab_simulation_free(&simulation);
    cfpc_system_free(&still.trace);
    return outcome;
}

// ---- computed --------------------------------------------------------------------------------

static bool phase_is_plain(const lab_setup *setup, const lab_rule *rule)
{
    const cfpc_rule *r = &rule->rule;
    const lab_spec *spec = setup->rig.spec;
    return !setup->nonlinear && !lab_has_filter(rule) && r->mode == CFPC_BATCH && !r->rectified &&
           r->normaliser == 0 && r->leak == 0 && r->momentum == 0 && r->output_penalty == 0 &&
           r->inhibition == 0 && r->weight_low == r->weight_high && !rule->preconditioner &&
           !lab_has_q(rule) && !spec->learning.frozen && spec->teach.signal == LAB_TEACH_ERROR &&
           spec->teach.delay_ms == 0 && !lab_has_noisy_teacher(spec);
}

bool lab_is_computed(const lab_setup *setup, const lab_rule *rule)
{
    return phase_is_plain(setup, rule) || (lab_has_q(rule) && lab_can_lift(setup, rule));
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

// The last trial on the loop, with the weights that were computed.
static lab_outcome run_last(lab_phase_run *phase, lab_why *why)
{
    double *computed = &phase->rrmse[phase->trials - 1], simulated = NAN;
    lab_outcome outcome = run_frozen(phase->setup, phase->weights, phase->last, &simulated, why);
    if (outcome == LAB_DONE)
        outcome = lab_check_agreement(phase->name, *computed, simulated, why);
    *computed = isfinite(simulated) ? *computed : NAN;
    return outcome;
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
        outcome = run_last(phase, why);
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
    const lab_guard_spec *guard = &phase->setup->rig.spec->guard;
    double sum = 0;
    for (int k = 0; guard->on && phase->guarded && k < phase->trials; k++) {
        sum += cfpci_pow(phase->rrmse[k], 2);
        sum -= k >= CFPC_GUARD_ROUNDS ? cfpci_pow(phase->rrmse[k - CFPC_GUARD_ROUNDS], 2) : 0;
        if (!(phase->rrmse[k] < guard->factor) ||
            (k + 1 >= CFPC_GUARD_ROUNDS && sum > CFPC_GUARD_ROUNDS))
            return true;
    }
    return false;
}

// Whether the guard may be left out of it: its model is right, so that what it says is so.
static bool guard_agrees(const lab_phase_run *phase)
{
    return !phase->guarded || !phase->setup->rig.spec->guard.on || phase->setup->believes_right;
}

// What can be computed is, unless the guard would look into it.
lab_outcome lab_run_phase(lab_phase_run *phase, lab_pace *pace, lab_why *why)
{
    if (!phase->may_compute || phase->responses || phase->gain || phase->worst_window ||
        !lab_is_computed(phase->setup, phase->rule) || !guard_agrees(phase))
        return simulate_phase(phase, pace, why);
    const lab_outcome outcome = compute_phase(phase, pace, why);
    if (outcome != LAB_DONE || !guard_looks(phase))
        return outcome;
    memset(phase->weights, 0, (size_t)phase->setup->bases * sizeof *phase->weights);
    phase->diverged_at = 0;
    return simulate_phase(phase, pace, why);
}
