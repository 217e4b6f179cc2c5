// SPDX-License-Identifier: Apache-2.0
#include "identify/fir.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/response.h"
#include "identify/statistics.h"

enum {
    MOST_LAGS = 800,     // of the FIR, if they are found
    LEAST_TAPS = 8,      //
    EARLIER = 2,         // steps by which the FIR of the band starts before the dead time found
    WHITENER_ORDER = 20, // maximum
};

// Taps after which less than this of Σ|g| follows are left out.
static const double negligible = 0.002;
// A response may have a slow part of 3 % of its size that the noise hides: a PI controller leaves
// one. Without it the band would be too narrow at low frequencies.
static const double slow_part = 1e-3;

void cfpci_fir_free(cfpci_fir *fir)
{
    cfpci_products_free(&fir->products);
    cfpci_posterior_free(&fir->posterior);
}

// Rows whose input is not known as far back as there are lags are left out, if enough remain.
static cfpc_status fir_multiply(cfpci_fir *fir, const cfpci_split_log *log, const double *input,
                                const double *output)
{
    const int32_t first = log->estimation >= 4 * fir->lags ? fir->lags : log->estimation / 8;
    cfpci_products_free(&fir->products);
    return cfpci_products_make(&fir->products, first, log->estimation, fir->lags, input, output);
}

// Fewer taps, where the last ones are next to nothing.
static void fir_shorten(cfpci_fir *fir)
{
    double all = 0, rest = 0;
    int32_t taps = fir->prior.taps;
    for (int32_t k = 0; k < taps; k++)
        all += fabs(fir->posterior.mean[k]);
    while (taps > 1 && rest + fabs(fir->posterior.mean[taps - 1]) < negligible * all)
        rest += fabs(fir->posterior.mean[--taps]);
    fir->prior.taps = cfpci_least(fir->prior.taps, taps + taps / 4 + LEAST_TAPS);
    fir->posterior.taps = fir->prior.taps;
}

cfpc_status cfpci_fir_estimate(cfpci_fir *fir, const cfpci_split_log *log,
                               const cfpc_identify_settings *set)
{
    const bool given = set->dead_time_steps >= 0;
    // How many lags, and how many of them may be dead time; the log may be too short for them.
    fir->lags = cfpci_least(MOST_LAGS, log->estimation / 3);
    fir->max_dead_time = given                           ? set->dead_time_steps
                         : set->max_dead_time_steps >= 0 ? set->max_dead_time_steps
                                                         : fir->lags / 4;
    if (set->taps > 0)
        fir->lags = fir->max_dead_time + set->taps;
    if (fir->max_dead_time + LEAST_TAPS > fir->lags || fir->lags > log->estimation * 3 / 4)
        return CFPC_BAD_SHAPE;
    cfpc_status status = fir_multiply(fir, log, log->input, log->output);
    // The dead time and the prior's constants depend on each other: twice in turn.
    const int32_t start = given ? fir->max_dead_time : 0;
    fir->prior = (cfpci_prior){.dead_time = start, .taps = fir->lags - start};
    if (status == CFPC_OK)
        status = cfpci_prior_search(&fir->products, &fir->prior);
    for (int turn = 0; turn < 2 && !given && status == CFPC_OK; turn++) {
        status = cfpci_prior_dead_time(&fir->products, &fir->prior, fir->max_dead_time);
        if (status == CFPC_OK)
            status = cfpci_prior_search(&fir->products, &fir->prior);
    }
    if (status == CFPC_OK)
        status = cfpci_posterior_make(&fir->posterior, &fir->products, &fir->prior, false);
    if (status == CFPC_OK && set->taps == 0)
        fir_shorten(fir);
    return status;
}

void cfpci_fir_output(const cfpci_split_log *log, int32_t dead, int32_t count, const double *taps,
                      double *output)
{
    for (int32_t n = 0; n < log->steps; n++) {
        output[n] = 0;
        for (int32_t k = 0; k < count; k++)
            output[n] += taps[k] * log->input[n > dead + k ? n - dead - k : 0];
    }
}

// A log whose input and output (steps each, in one array) have passed the filter that makes what a
// model leaves white. What the model answers after the last tap is taken off the output first: the
// FIR cannot explain it. Free the signals in either case.
static cfpc_status fir_whiten(double **signals, const cfpci_split_log *log,
                              const cfpci_candidate *model, int32_t taps, bool white)
{
    const size_t steps = (size_t)log->steps;
    *signals = malloc((3 * steps + (size_t)taps) * sizeof **signals);
    if (!*signals)
        return CFPC_NO_MEMORY;
    double *late = *signals + 2 * steps, *response = late + steps;
    const cfpc_status status = cfpc_impulse_response(&model->model, taps, response);
    if (status != CFPC_OK)
        return status;
    cfpci_fir_output(log, 0, taps, response, late);
    for (size_t n = 0; n < steps; n++) // what is left, and what the taps explain
        late[n] += model->left[n];
    cfpci_whitener whitener = {.taps = {1}};
    if (white)
        whitener = cfpci_whitener_of(log->estimation - log->settled, model->left + log->settled,
                                     cfpci_least(WHITENER_ORDER, log->estimation / 20));
    cfpci_whiten(&whitener, log->estimation, log->input, *signals);
    cfpci_whiten(&whitener, log->estimation, late, *signals + steps);
    return CFPC_OK;
}

cfpc_status cfpci_fir_estimate_again(cfpci_fir *fir, const cfpci_split_log *log,
                                     const cfpci_candidate *model, bool white)
{
    double *signals;
    cfpc_status status =
        fir_whiten(&signals, log, model, fir->prior.dead_time + fir->prior.taps, white);
    if (status == CFPC_OK)
        status = fir_multiply(fir, log, signals, signals + log->steps);
    free(signals);
    if (status == CFPC_OK)
        status = cfpci_prior_search(&fir->products, &fir->prior);
    if (status == CFPC_OK)
        status = cfpci_prior_tune(&fir->products, &fir->prior);
    cfpci_posterior_free(&fir->posterior);
    if (status == CFPC_OK)
        status = cfpci_posterior_make(&fir->posterior, &fir->products, &fir->prior, true);
    return status;
}

void cfpci_fir_start_earlier(cfpci_fir *fir, const cfpc_identify_settings *set, int32_t dead_time)
{
    const int32_t end = fir->prior.dead_time + fir->prior.taps;
    int32_t start = cfpci_least(dead_time, fir->prior.dead_time);
    if (set->dead_time_steps < 0)
        start = start > EARLIER ? start - EARLIER : 0;
    fir->prior.dead_time = start;
    fir->prior.taps = end - start;
    fir->prior.slow = slow_part;
}

cfpc_status cfpci_fir_keep(cfpc_identified *found, const cfpci_fir *fir)
{
    const size_t dead = (size_t)fir->prior.dead_time, n = (size_t)fir->prior.taps;
    found->taps = fir->prior.dead_time + fir->prior.taps;
    found->decay = fir->prior.decay;
    found->response = calloc(dead + n, sizeof(double));
    found->deviation = calloc(dead + n, sizeof(double));
    if (!found->response || !found->deviation)
        return CFPC_NO_MEMORY;
    memcpy(found->response + dead, fir->posterior.mean, n * sizeof(double));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            found->deviation[dead + j] +=
                fir->posterior.spread[i * n + j] * fir->posterior.spread[i * n + j];
    for (size_t j = 0; j < n; j++)
        found->deviation[dead + j] = sqrt(found->deviation[dead + j]);
    return CFPC_OK;
}
