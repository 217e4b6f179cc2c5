// SPDX-License-Identifier: Apache-2.0
// identify: offset and trend, the FIR, the models of few states made of it, which of them predicts
// best, and what the log tells of it.
#include "cfpc/identify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "cfpc/system.h"
#include "identify/candidates.h"
#include "identify/identify_models.h"
#include "identify/judge.h"
#include "identify/output_error.h"
#include "identify/regularised_fir.h"
#include "identify/statistics.h"
#include "math/order.h"

cfpc_identify_settings cfpc_default_identify_settings(void)
{
    return (cfpc_identify_settings){.dead_time_steps = -1,
                                    .max_dead_time_steps = -1,
                                    .max_order = 12,
                                    .estimation = 0.5,
                                    .confidence = 0.95};
}

// ---- the log ---------------------------------------------------------------------------------

static bool in_range(const cfpc_identify_settings *set)
{
    return set->taps >= 0 && set->taps <= CFPC_FIR_MAX && set->order >= 0 &&
           set->order <= CFPCI_MAX_ORDER && set->max_order >= 1 &&
           set->max_order <= CFPCI_MAX_ORDER && set->dead_time_steps >= -1 &&
           set->max_dead_time_steps >= -1;
}

static cfpc_status identify_check(const cfpc_log *log, const cfpc_identify_settings *set)
{
    if (!log || !log->input || !log->output || !set)
        return CFPC_MISSING;
    if (!in_range(set))
        return CFPC_BAD_SIZE;
    if (log->steps < CFPC_LOG_STEPS)
        return CFPC_BAD_SHAPE;
    if (!(log->step_s > 0) || !isfinite(log->step_s) || !(set->estimation > 0) ||
        !(set->estimation < 1) || !(set->confidence > 0) || !(set->confidence < 1))
        return CFPC_BAD_VALUE;
    if (!cfpci_are_finite((size_t)log->steps, log->input) ||
        !cfpci_are_finite((size_t)log->steps, log->output))
        return CFPC_BAD_VALUE;
    cfpc_log_flaw flaw;
    const cfpc_status status = cfpc_log_check(log, set->estimation, &flaw);
    return status == CFPC_OK && flaw.kind != CFPC_LOG_SOUND ? CFPC_BAD_VALUE : status;
}

// A copy without offset and trend; CFPC_BAD_VALUE if nothing is left of it.
static cfpc_status without_trend(int32_t steps, const double *x, double trend[2], double **left)
{
    *left = malloc((size_t)steps * sizeof **left);
    if (!*left)
        return CFPC_NO_MEMORY;
    memcpy(*left, x, (size_t)steps * sizeof **left);
    cfpci_trend(steps, x, trend);
    cfpci_add_trend(steps, -1, trend, *left);
    return cfpci_dense_norm(steps, *left) > 1e-12 * cfpci_dense_norm(steps, x) ? CFPC_OK
                                                                               : CFPC_BAD_VALUE;
}

static cfpc_status identify_split(cfpci_split_log *split_log, cfpc_identified *found,
                                  const cfpc_log *log, const cfpc_identify_settings *set)
{
    *split_log = (cfpci_split_log){.steps = log->steps,
                                   .estimation = (int32_t)(set->estimation * log->steps),
                                   .settled = (int32_t)(set->estimation * log->steps / 4),
                                   .step_s = log->step_s};
    if (split_log->estimation < CFPC_LOG_STEPS / 2 ||
        split_log->steps - split_log->estimation < CFPC_LOG_STEPS / 2)
        return CFPC_BAD_SHAPE;
    found->first_held_back = split_log->estimation;
    const cfpc_status status =
        without_trend(split_log->steps, log->input, found->trend, &split_log->input);
    if (status != CFPC_OK)
        return status;
    return without_trend(split_log->steps, log->output, found->trend + 2, &split_log->output);
}

// ---- the models ------------------------------------------------------------------------------

static cfpc_status make_models(cfpci_candidates *models, const cfpci_split_log *log,
                               const cfpc_identify_settings *set, const cfpci_fir *fir)
{
    const int32_t dead = fir->prior.dead_time, taps = dead + fir->prior.taps;
    double *response = calloc((size_t)taps, sizeof *response);
    double *nearby = malloc((size_t)log->steps * sizeof *nearby);
    cfpc_status status = response && nearby ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        memcpy(response + dead, fir->posterior.mean, (size_t)fir->prior.taps * sizeof *response);
        cfpci_fir_output(log, dead, fir->prior.taps, fir->posterior.mean, nearby);
        const cfpci_models_from from = {.log = log,
                                        .settings = set,
                                        .dead_time = dead,
                                        .taps = taps,
                                        .response = response,
                                        .nearby = nearby};
        status = cfpci_identify_models(models, &from);
    }
    free(response);
    free(nearby);
    return status;
}

static cfpc_status keep_model(cfpc_identified *found, const cfpci_candidate *best)
{
    found->method = best->method;
    found->order = best->order;
    found->dead_time_steps = best->dead_time;
    found->fit = best->fit;
    found->fit_estimation = best->fit_estimation;
    const cfpc_status status = cfpc_series(&found->part, 1, &best->part);
    return status == CFPC_OK ? cfpc_series(&found->model, 1, &best->model) : status;
}

// The largest of what is left, and how many standard deviations of the rest it is.
static void find_outlier(cfpc_identified *found, int32_t steps, const double *left)
{
    double most = 0, power = 0; // of the others
    for (int32_t n = 0; n < steps; n++) {
        const double residual = fabs(left[n]);
        const bool is_most = residual > most;
        power += is_most ? most * most : residual * residual;
        found->outlier_step = is_most ? n : found->outlier_step;
        most = cfpci_max(most, residual);
    }
    found->outlier = power > 0 ? most / sqrt(power / (steps - 1)) : 0;
}

// The model's output: the log's, less what is left.
static cfpc_status keep_simulated(cfpc_identified *found, const cfpci_split_log *log,
                                  const double *raw)
{
    double more[2];
    double *left = malloc(2 * (size_t)log->steps * sizeof *left);
    found->simulated = malloc((size_t)log->steps * sizeof *found->simulated);
    cfpc_status status = left && found->simulated ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = cfpci_run_free(log, &found->model, left);
    if (status == CFPC_OK) {
        cfpci_leave(log, left, more);
        found->trend[2] += more[0];
        found->trend[3] += more[1];
        for (int32_t n = 0; n < log->steps; n++)
            found->simulated[n] = raw[n] - left[n];
        find_outlier(found, log->steps, left);
    }
    free(left);
    return status;
}

static cfpc_status identify(cfpc_identified *found, const cfpci_split_log *log, cfpci_fir *fir,
                            cfpci_candidates *models, const cfpc_log *raw,
                            const cfpc_identify_settings *set)
{
    cfpc_status status = cfpci_fir_estimate(fir, log, set);
    if (status == CFPC_OK)
        status = make_models(models, log, set, fir);
    if (status != CFPC_OK)
        return status;
    const cfpci_candidate *best = cfpci_choose(models, log);
    if (!best)
        return CFPC_UNSTABLE;
    status = keep_model(found, best);
    if (status == CFPC_OK)
        status = keep_simulated(found, log, raw->output);
    return status == CFPC_OK ? cfpci_judge(found, log, fir, set, best) : status;
}

cfpc_status cfpc_identify(cfpc_identified *identified, const cfpc_log *log,
                          const cfpc_identify_settings *settings)
{
    *identified = (cfpc_identified){0};
    cfpc_status status = identify_check(log, settings);
    if (status != CFPC_OK)
        return status;
    cfpci_split_log parts;
    cfpci_fir taps = {0};
    cfpci_candidates *models = calloc(1, sizeof *models);
    status = identify_split(&parts, identified, log, settings);
    if (status == CFPC_OK && !models)
        status = CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = identify(identified, &parts, &taps, models, log, settings);
    if (models)
        cfpci_candidates_free(models);
    free(models);
    cfpci_fir_free(&taps);
    free(parts.input);
    free(parts.output);
    return status;
}

void cfpc_identified_free(cfpc_identified *identified)
{
    cfpc_system_free(&identified->part);
    cfpc_system_free(&identified->model);
    cfpc_band_free(&identified->band);
    free(identified->simulated);
    free(identified->response);
    free(identified->deviation);
    free(identified->autocorrelation);
    free(identified->cross);
    *identified = (cfpc_identified){0};
}
