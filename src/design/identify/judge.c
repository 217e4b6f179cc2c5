// SPDX-License-Identifier: Apache-2.0
#include "identify/judge.h"

#include <math.h>
#include <stdlib.h>

#include "algebra/dense.h"
#include "cfpc/response.h"
#include "identify/identify_band.h"
#include "identify/residuals.h"
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

static int32_t judge_least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

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

// Over all rows but the first, where the simulation may still settle. Where the output does not
// answer within the same step, an input that follows the output within it reacts to it.
static cfpc_status look_for_feedback(cfpc_identified *found, const cfpci_split_log *log,
                                     const double *left)
{
    const int32_t first = log->settled, rows = log->steps - first;
    found->feedback = 1;
    if (is_nothing(rows, left + first, log->output + first))
        return CFPC_OK;
    return cfpci_feedback(rows, left + first, log->input + first,
                          judge_least(FEEDBACK_HORIZON, rows / 8), found->dead_time_steps > 0,
                          &found->feedback);
}

static cfpc_status judge_examine(cfpc_identified *found, const cfpci_split_log *log,
                                 const double *left)
{
    const int32_t first = log->estimation, held = log->steps - first;
    const int32_t lags = judge_least(RESIDUAL_LAGS, held / 10);
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
    const double twice = 1 + (double)held / (first - log->settled);
    cfpc_status status = CFPC_OK;
    found->unexplained = 1;
    if (!is_nothing(held, later, log->output + first))
        status = cfpci_unexplained(held, later, input, judge_least(found->taps, held / 8), twice,
                                   &found->unexplained);
    return status == CFPC_OK ? look_for_feedback(found, log, left) : status;
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

cfpc_status cfpci_judge(cfpc_identified *found, const cfpci_split_log *log, cfpci_fir *fir,
                        const cfpc_identify_settings *set, const cfpci_candidate *model)
{
    cfpc_status status = final_fir(found, log, fir, set, model);
    if (status == CFPC_OK)
        status = cfpci_identify_band(&found->band, &found->model, &fir->posterior,
                                     fir->prior.dead_time, set->confidence);
    if (status == CFPC_OK)
        status = find_excited(found, log, model);
    if (status == CFPC_OK)
        status = find_radius(found);
    return status == CFPC_OK ? judge_examine(found, log, model->left) : status;
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
