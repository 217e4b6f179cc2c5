// SPDX-License-Identifier: Apache-2.0
#include "run/prediction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/batch.h"
#include "cfpc/compile.h"
#include "cfpc/loop.h"
#include "math/elementary.h"

// ---- what it converges to --------------------------------------------------------------------

// Its least-squares problem: d = D x v, D the delay by the lead.
static cfpc_status prediction_pose(cfpc_problem *problem, lab_prediction *prediction,
                                   const cfpc_system *late, int trial)
{
    const lab_heard nothing = {0};
    lab_basis *basis = &prediction->basis;
    const size_t steps = (size_t)basis->steps, bases = (size_t)basis->bases;
    double *x = calloc(steps * (bases + 1), sizeof *x);
    if (!x)
        return CFPC_NO_MEMORY;
    // The basis signals x (N x G) and the disturbance d (N) of the trial.
    double *d = x + steps * bases;
    for (int n = 0; n < basis->steps; n++) {
        lab_basis_step(basis, &nothing, trial, n, prediction->x);
        for (size_t j = 0; j < bases; j++)
            x[(size_t)n * bases + j] = prediction->x[j];
        d[n] = lab_world_expected(basis->world, prediction->source, trial, n);
    }
    lab_basis_reset(basis);
    const cfpc_status status = cfpc_problem_pose(problem, late, basis->steps, basis->bases, x, d);
    free(x);
    return status;
}

// ---- the cell --------------------------------------------------------------------------------

static lab_outcome prediction_make_cell(lab_prediction *prediction, const lab_spec *spec, int trial,
                                        lab_why *why)
{
    const lab_prediction_spec *prediction_spec = &spec->prediction;
    cfpc_system late = {0};
    cfpc_problem problem = {0};
    cfpc_status status = cfpc_delay(&late, spec->step_ms / 1e3, prediction->lead);
    if (status == CFPC_OK)
        status = prediction_pose(&problem, prediction, &late, trial);
    const bool silent = status == CFPC_OK && !(problem.lambda_max > 0);
    prediction->rate = silent ? 0 : cfpc_problem_rate(&problem, prediction_spec->rate_fraction);
    const cfpc_cell_def def = {
        .synapses = prediction->basis.bases,
        .trace = &late,
        .rule = {.rate = (cfpc_real)prediction->rate,
                 .mode = spec->learning.mode == LAB_ONLINE ? CFPC_ONLINE : CFPC_BATCH,
                 .inhibition = 1, // of what was predicted a lead ago
                 .inhibition_delay_steps = prediction->lead}};
    if (status == CFPC_OK)
        status = cfpc_compile(&prediction->model, &def);
    if (status == CFPC_OK)
        status = cfpc_data_make(&prediction->data, prediction->model);
    if (status == CFPC_OK)
        lab_prediction_start(prediction, problem.optimum, false);
    cfpc_problem_free(&problem);
    cfpc_system_free(&late);
    return silent
               ? lab_spec_refuse(spec, prediction_spec->place, why,
                                 "no basis signal of the prediction comes 'lead_ms' (%g ms) "
                                 "before the end of a trial",
                                 prediction_spec->lead_ms)
               : lab_spec_from_status(spec, prediction_spec->place, "the prediction", status, why);
}

lab_outcome lab_prediction_make(lab_prediction *prediction, const lab_spec *spec,
                                const lab_world *world, int steps, int trial, lab_why *why)
{
    lab_spec of_first = *spec; // borrows all but the banks
    of_first.basis = spec->prediction.basis;
    *prediction = (lab_prediction){.source = lab_disturbance_of(spec, spec->prediction.source),
                                   .lead = (int)lround(spec->prediction.lead_ms / spec->step_ms)};
    lab_outcome outcome = lab_basis_make(&prediction->basis, &of_first, world, steps, why);
    if (outcome != LAB_DONE)
        return outcome;
    prediction->x = calloc((size_t)prediction->basis.bases, sizeof *prediction->x);
    prediction->p = calloc((size_t)steps, sizeof *prediction->p);
    return prediction->x && prediction->p ? prediction_make_cell(prediction, spec, trial, why)
                                          : lab_no_memory(why, NULL);
}

void lab_prediction_free(lab_prediction *prediction)
{
    cfpc_data_free(prediction->data);
    cfpc_model_free(prediction->model);
    lab_basis_free(&prediction->basis);
    free(prediction->x);
    free(prediction->p);
    *prediction = (lab_prediction){0};
}

// ---- it runs ---------------------------------------------------------------------------------

void lab_prediction_start(lab_prediction *prediction, const double *weights, bool learns)
{
    for (int j = 0; j < prediction->basis.bases; j++)
        cfpc_weights(prediction->data)[j] = (cfpc_real)weights[j];
    if (learns)
        cfpc_clear_flags(prediction->data, CFPC_FLAG_FROZEN);
    else
        cfpc_freeze(prediction->data);
}

void lab_prediction_end(lab_prediction *prediction, bool to_next, double *weights)
{
    if (to_next)
        cfpc_next_trial(prediction->model, prediction->data);
    for (int j = 0; j < prediction->basis.bases; j++)
        weights[j] = cfpc_weights(prediction->data)[j];
}

void lab_prediction_reset(lab_prediction *prediction)
{
    lab_basis_reset(&prediction->basis);
    if (cfpc_clock(prediction->data) > 0)
        cfpc_next_trial(prediction->model, prediction->data);
}

double lab_prediction_step(lab_prediction *prediction, int trial, int n)
{
    const lab_heard nothing = {0};
    const double d = lab_world_disturbance(prediction->basis.world, prediction->source, trial, n);
    lab_basis_step(&prediction->basis, &nothing, trial, n, prediction->x);
    prediction->p[n] = (double)cfpc_act(prediction->model, prediction->data, prediction->x);
    cfpc_teach(prediction->model, prediction->data, (cfpc_real)d);
    if (n == 0)
        prediction->wrong = prediction->power = 0;
    prediction->wrong +=
        cfpci_pow(d - (n >= prediction->lead ? prediction->p[n - prediction->lead] : 0), 2);
    prediction->power += d * d;
    return prediction->p[n];
}

double lab_prediction_error(const lab_prediction *prediction)
{
    return prediction->power > 0 ? sqrt(prediction->wrong / prediction->power) : NAN;
}
