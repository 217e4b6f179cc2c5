// SPDX-License-Identifier: Apache-2.0
#include "run/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/response.h"
#include "math/order.h"
#include "run/learned.h"
#include "run/q_filter.h"

lab_outcome lab_simulation_make(lab_simulation *simulation, const lab_rig *rig, lab_why *why)
{
    *simulation = (lab_simulation){.turns = rig->spec->angle.start};
    lab_outcome outcome = lab_from_status(
        why, lab_running_loop_make(&simulation->running, rig->spec, &rig->loop), rig->spec->file);
    if (outcome == LAB_DONE)
        outcome = lab_basis_make(&simulation->basis, rig->spec, &rig->world, rig->steps, why);
    simulation->predicts = lab_hears_prediction(rig->spec);
    if (outcome == LAB_DONE && simulation->predicts)
        outcome = lab_prediction_make(&simulation->prediction, rig->spec, &rig->world, rig->steps,
                                      rig->first, why);
    if (outcome == LAB_DONE &&
        !(simulation->x = calloc((size_t)simulation->basis.bases, sizeof *simulation->x)))
        outcome = lab_no_memory(why, NULL);
    return outcome;
}

void lab_simulation_free(lab_simulation *simulation)
{
    lab_running_loop_free(&simulation->running);
    lab_prediction_free(&simulation->prediction);
    lab_basis_free(&simulation->basis);
    free(simulation->x);
    *simulation = (lab_simulation){0};
}

// The weights that the guard put back stay as they were.
void lab_next_trial(lab_cell *cell)
{
    const int acts = cfpc_guard_acts(cell->data);
    cfpc_next_trial(cell->model, cell->data);
    if (!cell->q || cell->status != CFPC_OK || cfpc_guard_acts(cell->data) != acts ||
        (cfpc_flags(cell->data) & CFPC_FLAG_FROZEN))
        return;
    // The weights, one per step, through the Q-filter.
    const int32_t steps = cfpc_model_synapses(cell->model);
    cfpc_real *weights = cfpc_weights(cell->data);
    double *w = cell->smoothed;
    for (int32_t n = 0; n < steps; n++)
        w[n] = (double)weights[n];
    cell->status = lab_q_filter_apply(cell->q, steps, w, w + steps);
    for (int32_t n = 0; n < steps; n++)
        weights[n] = (cfpc_real)w[n];
}

// ---- the loop --------------------------------------------------------------------------------

static void begin_trial(const lab_rig *rig, lab_simulation *simulation, lab_cell *cell, int trial)
{
    lab_running_loop_seed(&simulation->running, trial);
    if (cell)
        lab_fibre_begin(&cell->fibre, trial);
    if (!rig->spec->task.reset)
        return;
    lab_running_loop_reset(&simulation->running);
    simulation->turns = rig->spec->angle.start;
    lab_basis_reset(&simulation->basis);
    if (simulation->predicts)
        lab_prediction_reset(&simulation->prediction);
    if (cell && cfpc_clock(cell->data) > 0) { // a new cell has no trial to learn from
        lab_next_trial(cell);
        memset(cell->late, 0, (size_t)cell->ring * sizeof *cell->late);
    }
}

// The basis signals of a step. What the first stage of a cascade predicts reaches them at once.
static void receive(const lab_rig *rig, lab_simulation *simulation, int trial, int n)
{
    const lab_running_loop *running = &simulation->running;
    const int counts = rig->spec->angle.counts;
    lab_heard heard = {.measurement = running->m,
                       .command = running->u,
                       .total_command = running->total,
                       .phase = simulation->turns - floor(simulation->turns)};
    if (counts > 0) // as the encoder gives it
        heard.phase = floor(heard.phase * counts) / counts;
    if (simulation->predicts)
        heard.prediction = lab_prediction_step(&simulation->prediction, trial, n);
    lab_basis_step(&simulation->basis, &heard, trial, n, simulation->x);
}

// One step of the loop; returns the error.
static double simulate_advance(const lab_rig *rig, lab_simulation *simulation, int trial, int n,
                               double o)
{
    const lab_world *world = &rig->world;
    const lab_angle_spec *angle = &rig->spec->angle;
    lab_running_loop *running = &simulation->running;
    const double r = lab_world_reference(world, trial, n), turns = simulation->turns;
    if (simulation->silent)
        lab_running_loop_answer(running, o);
    else
        lab_running_loop_step(running, r, lab_world_push_at(world, trial, n, turns),
                              lab_world_shift_at(world, trial, n, turns), o);
    // The output of this step leads to the angle of the next.
    const double y = simulation->silent ? r : running->y;
    simulation->turns = angle->output == LAB_OUTPUT_IS_POSITION
                            ? angle->start + angle->turns * y
                            : turns + rig->step_s * angle->turns * y;
    return simulation->silent ? -running->y : r - running->y;
}

// The teaching signal, before its delay.
static double teaching_of(const lab_rig *rig, const lab_simulation *simulation, int trial, int n,
                          double e)
{
    const lab_teach_spec *teach = &rig->spec->teach;
    if (teach->signal == LAB_TEACH_DISTURBANCE)
        return simulation->silent
                   ? 0
                   : teach->gain * lab_world_disturbance(&rig->world, rig->teacher, trial, n);
    return teach->signal == LAB_TEACH_COMMAND          ? simulation->running.u
           : teach->signal == LAB_TEACH_MEASURED_ERROR ? simulation->running.seen
                                                       : e;
}

// ---- the cell --------------------------------------------------------------------------------

// Steps that the teaching signal is late now.
static double lateness(const lab_cell *cell)
{
    const double share = cfpci_min(1, (double)cell->arrived / (double)cell->late_over);
    return cell->late_from + share * (cell->late_to - cell->late_from);
}

// The teaching signal that arrives, as the cell is given it. Spikes tell what is left of it after
// the olive's inhibition, which the cell takes off again: it is added back.
static double carried(lab_cell *cell, double arrived)
{
    const double teaching = lab_fibre_blur(&cell->fibre, arrived);
    if (cell->fibre.expected == 0)
        return teaching;
    const double left = (double)cfpc_teaching_signal(cell->model, cell->data, (cfpc_real)teaching);
    return lab_fibre_spike(&cell->fibre, left) + (teaching - left);
}

// Gives the cell what a step says to it. It learns at once, or keeps it until the trial is over.
static void simulate_teach(lab_cell *cell, const lab_simulation *simulation, int n, double present,
                           double watched)
{
    cfpc_saturated(cell->model, cell->data, simulation->running.is_saturated);
    // What teaches goes into the delay; what arrives lies between two steps, if need be.
    const double late = lateness(cell), part = late - floor(late);
    const long at = cell->arrived + cell->ring - (long)floor(late);
    cell->late[cell->arrived++ % cell->ring] = present;
    double arrived = cell->late[at % cell->ring];
    if (part > 0)
        arrived = (1 - part) * arrived + part * cell->late[(at - 1) % cell->ring];
    const cfpc_real teaching = (cfpc_real)(simulation->silent ? arrived : carried(cell, arrived));
    if (cell->learned)
        cfpc_learned_teach(cell->model, cell->data, cell->learned, teaching);
    else if (cell->lesson)
        cell->lesson[n] = (double)cfpc_teaching_signal(cell->model, cell->data, teaching);
    else
        cfpc_teach(cell->model, cell->data, teaching);
    cfpc_watch(cell->model, cell->data, (cfpc_real)watched);
}

// Notes where a learned model is, and where it should be.
static void simulate_note_model(const lab_cell *cell, lab_trial *kept, int n)
{
    if (!cell->learned)
        return;
    kept->model_right = cell->answer_peak + lateness(cell);
    if (!cfpc_learned_ready(cell->learned))
        return;
    const int peak = lab_peak_of_model(cell->learned, cell->taps);
    const double off = fabs(peak - kept->model_right);
    kept->predicts_from = kept->predicts_from < 0 ? n : kept->predicts_from;
    kept->model_peak = peak;
    kept->model_off = isnan(kept->model_off) ? off : cfpci_max(kept->model_off, off);
}

// Xᵀ(Aᵀe): one backward filter of the lessons, then one pass over the basis signals.
static void draw_lessons(const lab_rig *rig, lab_simulation *simulation, lab_cell *cell, int trial)
{
    const lab_heard nothing = {0};
    double *drawn = cell->lesson + rig->steps;
    cell->status =
        cell->filter
            ? cfpc_teaching_filter_adjoint(cell->filter, rig->steps, 1, cell->lesson, drawn)
            : cfpc_apply_transpose(cell->trace, rig->steps, 1, cell->lesson, drawn);
    lab_basis_reset(&simulation->basis);
    for (int n = 0; cell->status == CFPC_OK && n < rig->steps; n++) {
        lab_basis_step(&simulation->basis, &nothing, trial, n, simulation->x);
        cfpc_add_teaching(cell->model, cell->data, simulation->x, (cfpc_real)drawn[n]);
    }
}

void lab_simulate_trial(const lab_rig *rig, lab_simulation *simulation, lab_cell *cell, int trial,
                        lab_trial *kept)
{
    const lab_running_loop *running = &simulation->running;
    const size_t bases = (size_t)simulation->basis.bases;
    double *const signals[] = {kept->y, kept->e,    kept->o,        kept->u,      kept->total,
                               kept->m, kept->push, kept->teaching, kept->watched};
    double sum = 0, watched_sum = 0, peak = 0;
    int saturated = 0;
    kept->longest_saturation = 0;
    kept->predicts_from = -1;
    kept->model_peak = kept->model_right = kept->model_off = NAN;
    begin_trial(rig, simulation, cell, trial);
    for (int n = 0; n < rig->steps; n++) {
        receive(rig, simulation, trial, n);
        const double push =
            kept->push ? lab_world_push_at(&rig->world, trial, n, simulation->turns) : 0;
        double o = cell ? cfpc_act(cell->model, cell->data, simulation->x) : 0;
        if (cell && cell->learned) // the probe is part of it
            o += (double)cfpc_learned_probe(cell->learned);
        const double e = simulate_advance(rig, simulation, trial, n, o);
        const double teaching = teaching_of(rig, simulation, trial, n, e);
        // the guard watches the error that firmware would give it
        const bool measures = rig->spec->teach.signal == LAB_TEACH_MEASURED_ERROR;
        const double watched = measures ? running->seen : e;
        if (cell) {
            simulate_teach(cell, simulation, n, teaching, watched);
            simulate_note_model(cell, kept, n);
        }
        saturated = running->is_saturated ? saturated + 1 : 0;
        if (saturated > kept->longest_saturation)
            kept->longest_saturation = saturated;
        sum += e * e;
        watched_sum += watched * watched;
        peak = cfpci_max(peak, fabs(e));
        const double values[] = {running->y, e,    o,        running->u, running->total,
                                 running->m, push, teaching, watched};
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            if (signals[i])
                signals[i][n] = values[i];
        for (size_t j = 0; kept->x && j < bases; j++)
            kept->x[(size_t)n * bases + j] = simulation->x[j];
    }
    kept->norm = sqrt(sum);
    kept->watched_norm = sqrt(watched_sum);
    kept->peak = peak;
    kept->prediction = simulation->predicts ? lab_prediction_error(&simulation->prediction) : NAN;
    if (cell && cell->lesson)
        draw_lessons(rig, simulation, cell, trial);
}

lab_outcome lab_simulate_alone(const lab_rig *rig, int first, int end, lab_trial *kept,
                               lab_why *why)
{
    lab_simulation simulation;
    const lab_outcome outcome = lab_simulation_make(&simulation, rig, why);
    for (int trial = first; outcome == LAB_DONE && trial < end; trial++)
        lab_simulate_trial(rig, &simulation, NULL, trial, kept);
    lab_simulation_free(&simulation);
    return outcome;
}
