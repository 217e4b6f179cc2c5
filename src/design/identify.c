// SPDX-License-Identifier: Apache-2.0
// identify: offset and trend, the regularised FIR, the models of few states made of it, which of
// them predicts best, its band, and what the residuals tell.
#include "cfpc/identify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "autoregression.h"
#include "candidates.h"
#include "cfpc/realise.h"
#include "cfpc/transfer.h"
#include "dense.h"
#include "dense_size.h"
#include "identify_band.h"
#include "identify_models.h"
#include "math/order.h"
#include "output_error.h"
#include "regularised_fir.h"
#include "residuals.h"
#include "trend.h"

enum {
    LEAST_STEPS = 64,       //
    MOST_LAGS = 800,        // of the FIR, if they are found
    LEAST_TAPS = 8,         //
    EARLIER = 2,            // steps by which the FIR of the band starts before the dead time found
    RESIDUAL_LAGS = 50,     //
    WHITENER_ORDER = 20,    // at most
    FEEDBACK_HORIZON = 400, // in steps
};

// Taps after which less than this of Σ|g| follows are left out.
static const double negligible = 0.002;
static const double worse = 1; // fit in %, that a filter may cost
// A response may have a slow part of 3 % of its size that the noise hides: a PI controller leaves
// one. Without it the band would be too narrow at low frequencies.
static const double slow_part = 1e-3;
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

static bool in_range(const cfpc_identify_settings *set)
{
    return set->taps >= 0 && set->taps <= CFPC_FIR_MAX && set->order >= 0 &&
           set->order <= CFPCI_MAX_ORDER && set->max_order >= 1 &&
           set->max_order <= CFPCI_MAX_ORDER && set->dead_time_steps >= -1 &&
           set->max_dead_time_steps >= -1;
}

static cfpc_status check(const cfpc_log *log, const cfpc_identify_settings *set)
{
    if (!log || !log->input || !log->output || !set)
        return CFPC_MISSING;
    if (!in_range(set))
        return CFPC_BAD_SIZE;
    if (log->steps < LEAST_STEPS)
        return CFPC_BAD_SHAPE;
    if (!(log->step_s > 0) || !isfinite(log->step_s) || !(set->estimation > 0) ||
        !(set->estimation < 1) || !(set->confidence > 0) || !(set->confidence < 1))
        return CFPC_BAD_VALUE;
    return cfpci_are_finite((size_t)log->steps, log->input) &&
                   cfpci_are_finite((size_t)log->steps, log->output)
               ? CFPC_OK
               : CFPC_BAD_VALUE;
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

static cfpc_status split(cfpci_split_log *it, cfpc_identified *found, const cfpc_log *log,
                         const cfpc_identify_settings *set)
{
    *it = (cfpci_split_log){.steps = log->steps,
                            .estimation = (int32_t)(set->estimation * log->steps),
                            .settled = (int32_t)(set->estimation * log->steps / 4),
                            .step_s = log->step_s};
    if (it->estimation < LEAST_STEPS / 2 || it->steps - it->estimation < LEAST_STEPS / 2)
        return CFPC_BAD_SHAPE;
    found->first_held_back = it->estimation;
    const cfpc_status status = without_trend(it->steps, log->input, found->trend, &it->input);
    if (status != CFPC_OK)
        return status;
    return without_trend(it->steps, log->output, found->trend + 2, &it->output);
}

// ---- the FIR ---------------------------------------------------------------------------------

typedef struct fir {
    int32_t lags;          // that are considered
    int32_t max_dead_time; // likewise
    cfpci_products products;
    cfpci_prior prior;
    cfpci_posterior posterior;
} fir;

static void fir_free(fir *it)
{
    cfpci_products_free(&it->products);
    cfpci_posterior_free(&it->posterior);
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// How many lags, and how many of them may be dead time; false if the log is too short for them.
static bool choose_lags(fir *it, const cfpci_split_log *log, const cfpc_identify_settings *set)
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
static cfpc_status multiply(fir *it, const cfpci_split_log *log, const double *input,
                            const double *output)
{
    const int32_t first = log->estimation >= 4 * it->lags ? it->lags : log->estimation / 8;
    cfpci_products_free(&it->products);
    return cfpci_products_make(&it->products, first, log->estimation, it->lags, input, output);
}

// The dead time and the prior's constants depend on each other: twice in turn.
static cfpc_status search(fir *it, const cfpc_identify_settings *set)
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
static void shorten(fir *it)
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

// A first estimate, from which models are made.
static cfpc_status estimate(fir *it, const cfpci_split_log *log, const cfpc_identify_settings *set)
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

// The output of taps (count) that start after `dead` steps; before the log the input is its first.
static void convolve(const cfpci_split_log *log, int32_t dead, int32_t count, const double *taps,
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
    convolve(log, 0, taps, response, late);
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

// The estimate with its deviations, now that a model has told the dead time, the rest of the
// response and what the noise is like.
static cfpc_status estimate_again(fir *it, const cfpci_split_log *log, const cfpci_candidate *model,
                                  bool white)
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

// The final estimate starts somewhat earlier than the model, which may have the dead time too long,
// and allows for a slow part.
static void start_earlier(fir *it, const cfpc_identify_settings *set, int32_t dead_time)
{
    const int32_t end = it->prior.dead_time + it->prior.taps;
    int32_t start = least(dead_time, it->prior.dead_time);
    if (set->dead_time_steps < 0)
        start = start > EARLIER ? start - EARLIER : 0;
    it->prior.dead_time = start;
    it->prior.taps = end - start;
    it->prior.slow = slow_part;
}

static cfpc_status keep_fir(cfpc_identified *found, const fir *it)
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

// ---- the models ------------------------------------------------------------------------------

static cfpc_status make_models(cfpci_candidates *models, const cfpci_split_log *log,
                               const cfpc_identify_settings *set, const fir *it)
{
    const int32_t dead = it->prior.dead_time, taps = dead + it->prior.taps;
    double *response = calloc((size_t)taps, sizeof *response);
    double *nearby = malloc((size_t)log->steps * sizeof *nearby);
    cfpc_status status = response && nearby ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        memcpy(response + dead, it->posterior.mean, (size_t)it->prior.taps * sizeof *response);
        convolve(log, dead, it->prior.taps, it->posterior.mean, nearby);
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
    }
    free(left);
    return status;
}

// ---- what it tells ---------------------------------------------------------------------------

static double deviation_of(int32_t steps, const double *x)
{
    return cfpci_dense_norm(steps, x) / sqrt(steps);
}

static cfpc_status judge_fir(cfpc_identified *found, const cfpci_split_log *log, const fir *it)
{
    double trend[2], *left = malloc((size_t)log->steps * sizeof *left);
    if (!left)
        return CFPC_NO_MEMORY;
    convolve(log, it->prior.dead_time, it->prior.taps, it->posterior.mean, left);
    cfpci_leave(log, left, trend);
    found->fit_fir = cfpci_fit(log->estimation, log->steps, left, log->output);
    found->noise = deviation_of(log->estimation - log->settled, left + log->settled);
    free(left);
    return CFPC_OK;
}

// The FIR that the band is made of. If it predicts worse with white noise, what the model leaves is
// not noise alone, and the filter misleads: then without.
static cfpc_status final_fir(cfpc_identified *found, const cfpci_split_log *log, fir *it,
                             const cfpc_identify_settings *set, const cfpci_candidate *model)
{
    cfpc_status status = judge_fir(found, log, it);
    const double before = found->fit_fir;
    start_earlier(it, set, model->dead_time);
    for (int turn = 0; turn < 2 && status == CFPC_OK; turn++) {
        status = estimate_again(it, log, model, turn == 0);
        if (status == CFPC_OK)
            status = judge_fir(found, log, it);
        if (found->fit_fir >= before - worse)
            break;
    }
    return status == CFPC_OK ? keep_fir(found, it) : status;
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

static cfpc_status describe(cfpc_identified *found, const cfpci_split_log *log, fir *it,
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

static cfpc_status identify(cfpc_identified *found, const cfpci_split_log *log, fir *it,
                            cfpci_candidates *models, const cfpc_log *raw,
                            const cfpc_identify_settings *set)
{
    cfpc_status status = estimate(it, log, set);
    if (status == CFPC_OK)
        status = make_models(models, log, set, it);
    if (status != CFPC_OK)
        return status;
    const cfpci_candidate *best = cfpci_choose(models, log);
    if (!best)
        return CFPC_UNSTABLE;
    status = keep_model(found, best);
    if (status == CFPC_OK)
        status = keep_simulated(found, log, raw->output);
    return status == CFPC_OK ? describe(found, log, it, set, best) : status;
}

cfpc_status cfpc_identify(cfpc_identified *identified, const cfpc_log *log,
                          const cfpc_identify_settings *settings)
{
    *identified = (cfpc_identified){0};
    cfpc_status status = check(log, settings);
    if (status != CFPC_OK)
        return status;
    cfpci_split_log parts;
    fir taps = {0};
    cfpci_candidates *models = calloc(1, sizeof *models);
    status = split(&parts, identified, log, settings);
    if (status == CFPC_OK && !models)
        status = CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = identify(identified, &parts, &taps, models, log, settings);
    if (models)
        cfpci_candidates_free(models);
    free(models);
    fir_free(&taps);
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
