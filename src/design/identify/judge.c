// SPDX-License-Identifier: Apache-2.0
#include "identify/judge.h"

#include <math.h>
#include <stdlib.h>

#include "algebra/dense.h"
#include "identify/identify_band.h"
#include "identify/residuals.h"
#include "math/order.h"

enum {
    RESIDUAL_LAGS = 50,     //
    FEEDBACK_HORIZON = 400, // in steps
};

static const double worse = 1; // fit in %, that a filter may cost
// What is left of the output's deviation below which it is no noise that an input could react to.
static const double no_noise = 0.005;

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static double deviation_of(int32_t steps, const double *x)
{
    return cfpci_dense_norm(steps, x) / sqrt(steps);
}

static cfpc_status judge_fir(cfpc_identified *found, const cfpci_split_log *log,
                             const cfpci_fir *it)
{
    double trend[2], *left = malloc((size_t)log->steps * sizeof *left);
    if (!left)
        return CFPC_NO_MEMORY;
    cfpci_fir_output(log, it->prior.dead_time, it->prior.taps, it->posterior.mean, left);
    cfpci_leave(log, left, trend);
    found->fit_fir = cfpci_fit(log->estimation, log->steps, left, log->output);
    found->noise = deviation_of(log->estimation - log->settled, left + log->settled);
    free(left);
    return CFPC_OK;
}

// The FIR that the band is made of. If it predicts worse with white noise, what the model leaves is
// not noise alone, and the filter misleads: then without.
static cfpc_status final_fir(cfpc_identified *found, const cfpci_split_log *log, cfpci_fir *it,
                             const cfpc_identify_settings *set, const cfpci_candidate *model)
{
    cfpc_status status = judge_fir(found, log, it);
    const double before = found->fit_fir;
    cfpci_fir_start_earlier(it, set, model->dead_time);
    for (int turn = 0; turn < 2 && status == CFPC_OK; turn++) {
        status = cfpci_fir_estimate_again(it, log, model, turn == 0);
        if (status == CFPC_OK)
            status = judge_fir(found, log, it);
        if (found->fit_fir >= before - worse)
            break;
    }
    return status == CFPC_OK ? cfpci_fir_keep(found, it) : status;
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
    return cfpci_feedback(rows, left + first, log->input + first, least(FEEDBACK_HORIZON, rows / 8),
                          found->dead_time_steps > 0, &found->feedback);
}

static cfpc_status examine(cfpc_identified *found, const cfpci_split_log *log, const double *left)
{
    const int32_t first = log->estimation, held = log->steps - first;
    const int32_t lags = least(RESIDUAL_LAGS, held / 10);
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
        status = cfpci_unexplained(held, later, input, least(found->taps, held / 8), twice,
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

cfpc_status cfpci_judge(cfpc_identified *found, const cfpci_split_log *log, cfpci_fir *it,
                        const cfpc_identify_settings *set, const cfpci_candidate *model)
{
    cfpc_status status = final_fir(found, log, it, set, model);
    if (status == CFPC_OK)
        status = cfpci_identify_band(&found->band, &found->model, &it->posterior,
                                     it->prior.dead_time, set->confidence);
    if (status == CFPC_OK)
        status = find_excited(found, log, model);
    return status == CFPC_OK ? examine(found, log, model->left) : status;
}
