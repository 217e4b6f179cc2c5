// SPDX-License-Identifier: Apache-2.0
// identify: offset and trend, the FIR, the models of few states made of it, which of them predicts
// best, and what the log tells of it.
#include "cfpc/identify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "cfpc/response.h"
#include "cfpc/system.h"
#include "identify/fir.h"
#include "identify/output_error.h"
#include "identify/residuals.h"
#include "identify/statistics.h"
#include "math/elementary.h"
#include "math/order.h"

enum {
    RESIDUAL_LAGS = 50,     //
    FEEDBACK_HORIZON = 400, // in steps
};

static const double worse = 1;                // fit in %, that a filter may cost
static const double no_fit = 5, low_fit = 50; // in %, of held-back data
static const double lost_fit = 20;            // by which that of the held-back data may be lower
static const double worse_fit = 3;            // by which that of the FIR may be better
static const double outlying = 20;            // standard deviations of a residual that is no noise
static const double shown = 0.1; // of the largest |T|: below, relative errors say little
// What is left of the output's deviation below which it is no noise that an input could react to.
static const double no_noise = 0.005;

cfpc_identify_settings cfpc_default_identify_settings(void)
{
    return (cfpc_identify_settings){.dead_time_steps = -1,
                                    .max_dead_time_steps = -1,
                                    .max_order = 12,
                                    .estimation = 0.5,
                                    .confidence = 0.95};
}

// ---- the log ---------------------------------------------------------------------------------

static cfpc_status identify_check(const cfpc_log *log, const cfpc_identify_settings *set)
{
    if (!log || !log->input || !log->output || !set)
        return CFPC_MISSING;
    if (set->taps < 0 || set->taps > CFPC_FIR_MAX || set->order < 0 ||
        set->order > CFPCI_MAX_ORDER || set->max_order < 1 || set->max_order > CFPCI_MAX_ORDER ||
        set->dead_time_steps < -1 || set->max_dead_time_steps < -1)
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

// The model's output, the log's less what is left, and the largest of what is left: how many
// standard deviations of the rest it is.
static cfpc_status keep_simulated(cfpc_identified *found, const cfpci_split_log *log,
                                  const double *raw)
{
    double more[2], most = 0, power = 0; // of the others
    double *left = malloc((size_t)log->steps * sizeof *left);
    found->simulated = malloc((size_t)log->steps * sizeof *found->simulated);
    cfpc_status status = left && found->simulated ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = cfpci_run_free(log, &found->model, left);
    if (status == CFPC_OK) {
        cfpci_leave(log, left, more);
        found->trend[2] += more[0];
        found->trend[3] += more[1];
        for (int32_t n = 0; n < log->steps; n++) {
            const double residual = fabs(left[n]);
            const bool is_most = residual > most;
            found->simulated[n] = raw[n] - left[n];
            power += is_most ? most * most : residual * residual;
            found->outlier_step = is_most ? n : found->outlier_step;
            most = cfpci_max(most, residual);
        }
        found->outlier = power > 0 ? most / sqrt(power / (log->steps - 1)) : 0;
    }
    free(left);
    return status;
}

// ---- what the log tells of the model ----------------------------------------------------------

static double deviation_of(int32_t steps, const double *x)
{
    return cfpci_dense_norm(steps, x) / sqrt(steps);
}

static cfpc_status judge_fir(cfpc_identified *found, const cfpci_split_log *log,
                             const cfpci_fir *fir)
{
    double trend[2], *left = malloc((size_t)log->steps * sizeof *left);
    if (!left)
        return CFPC_NO_MEMORY;
    cfpci_fir_output(log, fir->prior.dead_time, fir->prior.taps, fir->posterior.mean, left);
    cfpci_leave(log, left, trend);
    found->fit_fir = cfpci_fit(log->estimation, log->steps, left, log->output);
    found->noise = deviation_of(log->estimation - log->settled, left + log->settled);
    free(left);
    return CFPC_OK;
}

// The FIR that the band is made of. If it predicts worse with white noise, what the model leaves is
// not noise alone, and the filter misleads: then without.
static cfpc_status final_fir(cfpc_identified *found, const cfpci_split_log *log, cfpci_fir *fir,
                             const cfpc_identify_settings *set, const cfpci_candidate *model)
{
    cfpc_status status = judge_fir(found, log, fir);
    const double before = found->fit_fir;
    cfpci_fir_start_earlier(fir, set, model->dead_time);
    for (int turn = 0; turn < 2 && status == CFPC_OK; turn++) {
        status = cfpci_fir_estimate_again(fir, log, model, turn == 0);
        if (status == CFPC_OK)
            status = judge_fir(found, log, fir);
        if (found->fit_fir >= before - worse)
            break;
    }
    return status == CFPC_OK ? cfpci_fir_keep(found, fir) : status;
}

// Whether what is left of an output is too little to matter, or to be noise.
static bool is_nothing(int32_t rows, const double *left, const double *output)
{
    return deviation_of(rows, left) < no_noise * deviation_of(rows, output);
}

// What is left of the held-back part, and, over all rows but the first, where the simulation may
// still settle, whether the input reacts to it.
static cfpc_status judge_examine(cfpc_identified *found, const cfpci_split_log *log,
                                 const double *left)
{
    const int32_t first = log->estimation, held = log->steps - first;
    const int32_t settled = log->settled, rows = log->steps - settled;
    const int32_t lags = cfpci_least(RESIDUAL_LAGS, held / 10);
    const double *later = left + first, *input = log->input + first;
    found->lags = lags;
    found->autocorrelation = malloc(((size_t)lags + 1) * sizeof(double));
    found->cross = malloc((2 * (size_t)lags + 1) * sizeof(double));
    if (!found->autocorrelation || !found->cross)
        return CFPC_NO_MEMORY;
    cfpci_correlation(held, later, later, 0, lags, found->autocorrelation);
    cfpci_correlation(held, later, input, -lags, lags, found->cross);
    found->limit = 2.5758293035489004 / sqrt(held); // 99 % of a normal distribution
    found->whiteness = cfpci_whiteness(held, lags, found->autocorrelation);
    // The model has the noise of the rows that it was estimated from, which correlates with the
    // input as much as that of as many other rows.
    const double twice = 1 + (double)held / (first - settled);
    cfpc_status status = CFPC_OK;
    found->unexplained = found->feedback = 1;
    if (!is_nothing(held, later, log->output + first))
        status = cfpci_unexplained(held, later, input, cfpci_least(found->taps, held / 8), twice,
                                   &found->unexplained);
    // Where the output does not answer within the same step, an input that follows the output
    // within it reacts to it.
    if (status == CFPC_OK && !is_nothing(rows, left + settled, log->output + settled))
        status = cfpci_feedback(rows, left + settled, log->input + settled,
                                cfpci_least(FEEDBACK_HORIZON, rows / 8), found->dead_time_steps > 0,
                                &found->feedback);
    return status;
}

// Frequencies at which the input, or the output that the model makes of it, has its power: a probe
// that is small where the response is large excites there as well.
static cfpc_status find_excited(cfpc_identified *found, const cfpci_split_log *log,
                                const cfpci_candidate *model)
{
    double low, high, *made = malloc((size_t)log->estimation * sizeof *made);
    if (!made)
        return CFPC_NO_MEMORY;
    for (int32_t n = 0; n < log->estimation; n++)
        made[n] = log->output[n] - model->left[n];
    cfpc_status status =
        cfpci_excited(log->estimation, log->step_s, log->input, &found->low_hz, &found->high_hz);
    if (status == CFPC_OK)
        status = cfpci_excited(log->estimation, log->step_s, made, &low, &high);
    free(made);
    if (status == CFPC_OK) {
        found->low_hz = cfpci_min(found->low_hz, low);
        found->high_hz = cfpci_max(found->high_hz, high);
    }
    return status;
}

static cfpc_status find_radius(cfpc_identified *found)
{
    const cfpc_band *band = &found->band;
    double *size = calloc(2 * (size_t)band->count, sizeof *size), most = 0;
    found->radius = found->radius_hz = NAN;
    if (!size)
        return CFPC_NO_MEMORY;
    double *im = size + band->count;
    const cfpc_status status =
        cfpc_frequency_response(&found->model, band->count, band->hz, size, im);
    for (int32_t k = 0; k < band->count; k++) {
        size[k] = cfpci_hypot(size[k], im[k]);
        most = cfpci_max(most, size[k]);
    }
    for (int32_t k = 0; k < band->count; k++) {
        const double radius = band->radius[k] / size[k];
        const bool is_excited = band->hz[k] >= found->low_hz && band->hz[k] <= found->high_hz;
        if (!is_excited || size[k] < shown * most || radius <= found->radius)
            continue;
        found->radius = radius;
        found->radius_hz = band->hz[k];
    }
    free(size);
    return status;
}

// ---- all of it -------------------------------------------------------------------------------

static cfpc_status identify(cfpc_identified *found, const cfpci_split_log *log, cfpci_fir *fir,
                            cfpci_candidates *models, const cfpc_log *raw,
                            const cfpc_identify_settings *set)
{
    cfpc_status status = cfpci_fir_estimate(fir, log, set);
    if (status == CFPC_OK)
        status = cfpci_identify_models(models, log, set, fir);
    if (status != CFPC_OK)
        return status;
    const cfpci_candidate *best = cfpci_choose(models, log);
    if (!best)
        return CFPC_UNSTABLE;
    found->method = best->method;
    found->order = best->order;
    found->dead_time_steps = best->dead_time;
    found->fit = best->fit;
    found->fit_estimation = best->fit_estimation;
    status = cfpc_series(&found->part, 1, &best->part);
    if (status == CFPC_OK)
        status = cfpc_series(&found->model, 1, &best->model);
    if (status == CFPC_OK)
        status = keep_simulated(found, log, raw->output);
    if (status == CFPC_OK)
        status = final_fir(found, log, fir, set, best);
    if (status == CFPC_OK)
        status = cfpci_identify_band(&found->band, &found->model, fir, set->confidence);
    if (status == CFPC_OK)
        status = find_excited(found, log, best);
    if (status == CFPC_OK)
        status = find_radius(found);
    return status == CFPC_OK ? judge_examine(found, log, best->left) : status;
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

// ---- the verdict -----------------------------------------------------------------------------

// A comparison with NAN is false: what is not known does not speak against the model.
cfpc_model_fault cfpc_model_judge(const cfpc_identified *f)
{
    if (f->fit < no_fit)
        return f->outlier > outlying ? CFPC_MODEL_OUTLIER : CFPC_MODEL_NO_FIT;
    if (f->feedback < CFPC_FEEDBACK_P)
        return CFPC_MODEL_FEEDBACK;
    if (f->fit < low_fit && f->fit < f->fit_estimation - lost_fit)
        return CFPC_MODEL_CHANGES;
    if (f->fit < f->fit_fir - worse_fit)
        return CFPC_MODEL_FIR_BETTER;
    if (f->unexplained < CFPC_UNEXPLAINED_P)
        return CFPC_MODEL_LACKS;
    if (isnan(f->radius))
        return CFPC_MODEL_UNKNOWN;
    if (f->radius > 0.5)
        return CFPC_MODEL_UNCERTAIN;
    return f->fit < low_fit ? CFPC_MODEL_LOW_FIT : CFPC_MODEL_SOUND;
}

bool cfpc_model_fails(cfpc_model_fault fault)
{
    switch (fault) {
    case CFPC_MODEL_OUTLIER:
    case CFPC_MODEL_NO_FIT:
    case CFPC_MODEL_FEEDBACK:
    case CFPC_MODEL_CHANGES:
    case CFPC_MODEL_LACKS:
        return true;
    default:
        return false;
    }
}
