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

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

void cfpci_fir_free(cfpci_fir *it)
{
    cfpci_products_free(&it->products);
    cfpci_posterior_free(&it->posterior);
}

// How many lags, and how many of them may be dead time; false if the log is too short for them.
static bool choose_lags(cfpci_fir *it, const cfpci_split_log *log,
                        const cfpc_identify_settings *set)
{
    it->lags = least(MOST_LAGS, log->estimation / 3);
    it->max_dead_time = set->dead_time_steps >= 0       ? set->dead_time_steps
                        : set->max_dead_time_steps >= 0 ? set->max_dead_time_steps
                                                        : it->lags / 4;
    if (set->taps > 0)
        it->lags = it->max_dead_time + set->taps;
    return it->max_dead_time + LEAST_TAPS <= it->lags && it->lags <= log->estimation * 3 / 4;
}

// Rows whose input is not known as far back as there are lags are left out, if enough remain.
static cfpc_status multiply(cfpci_fir *it, const cfpci_split_log *log, const double *input,
                            const double *output)
{
    const int32_t first = log->estimation >= 4 * it->lags ? it->lags : log->estimation / 8;
    cfpci_products_free(&it->products);
    return cfpci_products_make(&it->products, first, log->estimation, it->lags, input, output);
}

// The dead time and the prior's constants depend on each other: twice in turn.
static cfpc_status search(cfpci_fir *it, const cfpc_identify_settings *set)
{
    const bool given = set->dead_time_steps >= 0;
    const int32_t start = given ? it->max_dead_time : 0;
    it->prior = (cfpci_prior){.dead_time = start, .taps = it->lags - start};
    cfpc_status status = cfpci_prior_search(&it->products, &it->prior);
    for (int turn = 0; turn < 2 && !given && status == CFPC_OK; turn++) {
        status = cfpci_prior_dead_time(&it->products, &it->prior, it->max_dead_time);
        if (status == CFPC_OK)
            status = cfpci_prior_search(&it->products, &it->prior);
    }
    return status;
}

// Fewer taps, where the last ones are next to nothing.
static void shorten(cfpci_fir *it)
{
    double all = 0, rest = 0;
    int32_t taps = it->prior.taps;
    for (int32_t k = 0; k < taps; k++)
        all += fabs(it->posterior.mean[k]);
    while (taps > 1 && rest + fabs(it->posterior.mean[taps - 1]) < negligible * all)
        rest += fabs(it->posterior.mean[--taps]);
    it->prior.taps = least(it->prior.taps, taps + taps / 4 + LEAST_TAPS);
    it->posterior.taps = it->prior.taps;
}

cfpc_status cfpci_fir_estimate(cfpci_fir *it, const cfpci_split_log *log,
                               const cfpc_identify_settings *set)
{
    if (!choose_lags(it, log, set))
        return CFPC_BAD_SHAPE;
    cfpc_status status = multiply(it, log, log->input, log->output);
    if (status == CFPC_OK)
        status = search(it, set);
    if (status == CFPC_OK)
        status = cfpci_posterior_make(&it->posterior, &it->products, &it->prior, false);
    if (status == CFPC_OK && set->taps == 0)
        shorten(it);
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

// A log whose input and output have passed the filter that makes what a model leaves white. What
// the model answers after the last tap is taken off the output first: the FIR cannot explain it.
typedef struct whitened {
    double *input, *output; // (estimation)
} whitened;

static cfpc_status whiten(whitened *it, const cfpci_split_log *log, const cfpci_candidate *model,
                          int32_t taps, bool white)
{
    const size_t steps = (size_t)log->steps;
    it->input = malloc((3 * steps + (size_t)taps) * sizeof *it->input);
    if (!it->input)
        return CFPC_NO_MEMORY;
    it->output = it->input + steps;
    double *late = it->output + steps, *response = late + steps;
    const cfpc_status status = cfpc_response(&model->model, taps, response);
    if (status != CFPC_OK)
        return status;
    cfpci_fir_output(log, 0, taps, response, late);
    for (size_t n = 0; n < steps; n++) // what is left, and what the taps explain
        late[n] += model->left[n];
    cfpci_whitener whitener = {.taps = {1}};
    if (white)
        whitener = cfpci_whitener_of(log->estimation - log->settled, model->left + log->settled,
                                     least(WHITENER_ORDER, log->estimation / 20));
    cfpci_whiten(&whitener, log->estimation, log->input, it->input);
    cfpci_whiten(&whitener, log->estimation, late, it->output);
    return CFPC_OK;
}

cfpc_status cfpci_fir_estimate_again(cfpci_fir *it, const cfpci_split_log *log,
                                     const cfpci_candidate *model, bool white)
{
    whitened signals;
    cfpc_status status = whiten(&signals, log, model, it->prior.dead_time + it->prior.taps, white);
    if (status == CFPC_OK)
        status = multiply(it, log, signals.input, signals.output);
    free(signals.input);
    if (status == CFPC_OK)
        status = cfpci_prior_search(&it->products, &it->prior);
    if (status == CFPC_OK)
        status = cfpci_prior_tune(&it->products, &it->prior);
    cfpci_posterior_free(&it->posterior);
    if (status == CFPC_OK)
        status = cfpci_posterior_make(&it->posterior, &it->products, &it->prior, true);
    return status;
}

void cfpci_fir_start_earlier(cfpci_fir *it, const cfpc_identify_settings *set, int32_t dead_time)
{
    const int32_t end = it->prior.dead_time + it->prior.taps;
    int32_t start = least(dead_time, it->prior.dead_time);
    if (set->dead_time_steps < 0)
        start = start > EARLIER ? start - EARLIER : 0;
    it->prior.dead_time = start;
    it->prior.taps = end - start;
    it->prior.slow = slow_part;
}

cfpc_status cfpci_fir_keep(cfpc_identified *found, const cfpci_fir *it)
{
    const size_t dead = (size_t)it->prior.dead_time, n = (size_t)it->prior.taps;
    found->taps = it->prior.dead_time + it->prior.taps;
    found->decay = it->prior.decay;
    found->response = calloc(dead + n, sizeof(double));
    found->deviation = calloc(dead + n, sizeof(double));
    if (!found->response || !found->deviation)
        return CFPC_NO_MEMORY;
    memcpy(found->response + dead, it->posterior.mean, n * sizeof(double));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            found->deviation[dead + j] +=
                it->posterior.spread[i * n + j] * it->posterior.spread[i * n + j];
    for (size_t j = 0; j < n; j++)
        found->deviation[dead + j] = sqrt(found->deviation[dead + j]);
    return CFPC_OK;
}
