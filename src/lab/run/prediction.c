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

// The basis signals x (N x G) and the disturbance d (N) of a trial.
static void hear_trial(lab_prediction *it, int trial, double *x, double *d)
{
    const lab_heard nothing = {0};
    const lab_world *world = it->basis.world;
    const size_t bases = (size_t)it->basis.bases;
    for (int n = 0; n < it->basis.steps; n++) {
        lab_basis_step(&it->basis, &nothing, trial, n, it->x);
        for (size_t j = 0; j < bases; j++)
            x[(size_t)n * bases + j] = it->x[j];
        d[n] = lab_world_expected(world, it->source, trial, n);
    }
    lab_basis_reset(&it->basis);
}

// Its least-squares problem: d = D x v, D the delay by the lead.
static cfpc_status pose(cfpc_problem *problem, lab_prediction *it, const cfpc_system *late,
                        int trial)
{
    const size_t steps = (size_t)it->basis.steps, bases = (size_t)it->basis.bases;
    double *x = calloc(steps * (bases + 1), sizeof *x);
    if (!x)
        return CFPC_NO_MEMORY;
    double *d = x + steps * bases;
    hear_trial(it, trial, x, d);
    const cfpc_status status =
        cfpc_problem_pose(problem, late, it->basis.steps, it->basis.bases, x, d);
    free(x);
    return status;
}

// ---- the cell --------------------------------------------------------------------------------

static cfpc_status compile(lab_prediction *it, const lab_spec *spec, const cfpc_system *late)
{
    const cfpc_cell_def def = {
        .synapses = it->basis.bases,
        .trace = late,
        .rule = {.rate = (cfpc_real)it->rate,
                 .mode = spec->learning.mode == LAB_ONLINE ? CFPC_ONLINE : CFPC_BATCH,
                 .inhibition = 1, // of what was predicted a lead ago
                 .inhibition_delay_steps = it->lead}};
    const cfpc_status status = cfpc_compile(&it->model, &def);
    return status == CFPC_OK ? cfpc_data_make(&it->data, it->model) : status;
}

static lab_outcome make_cell(lab_prediction *it, const lab_spec *spec, int trial, lab_why *why)
{
    const lab_prediction_spec *of = &spec->prediction;
    cfpc_system late = {0};
    cfpc_problem problem = {0};
    cfpc_status status = cfpc_delay(&late, spec->step_ms / 1e3, it->lead);
    if (status == CFPC_OK)
        status = pose(&problem, it, &late, trial);
    const bool silent = status == CFPC_OK && !(problem.lambda_max > 0);
    it->rate = silent ? 0 : cfpc_rate(&problem, of->rate_fraction);
    if (status == CFPC_OK)
        status = compile(it, spec, &late);
    if (status == CFPC_OK)
        lab_prediction_start(it, problem.optimum, false);
    cfpc_problem_free(&problem);
    cfpc_system_free(&late);
    return silent ? lab_spec_refuse(spec, of->place, why,
                                    "no basis signal of the prediction comes 'lead_ms' (%g ms) "
                                    "before the end of a trial",
                                    of->lead_ms)
                  : lab_spec_from_status(spec, of->place, "the prediction", status, why);
}

lab_outcome lab_prediction_make(lab_prediction *it, const lab_spec *spec, const lab_world *world,
                                int steps, int trial, lab_why *why)
{
    lab_spec of_first = *spec; // borrows all but the banks
    of_first.basis = spec->prediction.basis;
    *it = (lab_prediction){.source = lab_disturbance_of(spec, spec->prediction.source),
                           .lead = (int)lround(spec->prediction.lead_ms / spec->step_ms)};
    lab_outcome outcome = lab_basis_make(&it->basis, &of_first, world, steps, why);
    if (outcome != LAB_DONE)
        return outcome;
    it->x = calloc((size_t)it->basis.bases, sizeof *it->x);
    it->p = calloc((size_t)steps, sizeof *it->p);
    return it->x && it->p ? make_cell(it, spec, trial, why) : lab_no_memory(why, NULL);
}

void lab_prediction_free(lab_prediction *it)
{
    cfpc_data_free(it->data);
    cfpc_model_free(it->model);
    lab_basis_free(&it->basis);
    free(it->x);
    free(it->p);
    *it = (lab_prediction){0};
}

// ---- it runs ---------------------------------------------------------------------------------

void lab_prediction_start(lab_prediction *it, const double *weights, bool learns)
{
    for (int j = 0; j < it->basis.bases; j++)
        cfpc_weights(it->data)[j] = (cfpc_real)weights[j];
    if (learns)
        cfpc_clear_flags(it->data, CFPC_FLAG_FROZEN);
    else
        cfpc_freeze(it->data);
}

void lab_prediction_end(lab_prediction *it, bool to_next, double *weights)
{
    if (to_next)
        cfpc_next_trial(it->model, it->data);
    for (int j = 0; j < it->basis.bases; j++)
        weights[j] = cfpc_weights(it->data)[j];
}

void lab_prediction_reset(lab_prediction *it)
{
    lab_basis_reset(&it->basis);
    if (cfpc_clock(it->data) > 0)
        cfpc_next_trial(it->model, it->data);
}

double lab_prediction_step(lab_prediction *it, int trial, int n)
{
    const lab_heard nothing = {0};
    const double d = lab_world_disturbance(it->basis.world, it->source, trial, n);
    lab_basis_step(&it->basis, &nothing, trial, n, it->x);
    it->p[n] = (double)cfpc_act(it->model, it->data, it->x);
    cfpc_teach(it->model, it->data, (cfpc_real)d);
    if (n == 0)
        it->wrong = it->power = 0;
    it->wrong += cfpci_pow(d - (n >= it->lead ? it->p[n - it->lead] : 0), 2);
    it->power += d * d;
    return it->p[n];
}

double lab_prediction_error(const lab_prediction *it)
{
    return it->power > 0 ? sqrt(it->wrong / it->power) : NAN;
}
