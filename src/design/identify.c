// SPDX-License-Identifier: Apache-2.0
// identify: offset and trend, the regularised FIR, the models of few states made of it, which of
// them predicts best, its band, and what the residuals tell.
#include "cfpc/identify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/realise.h"
#include "cfpc/transfer.h"
#include "dense.h"
#include "identify_band.h"
#include "realise_parts.h"
#include "regularised_fir.h"
#include "residuals.h"
#include "trend.h"

enum {
    LEAST_STEPS = 64,
    MOST_LAGS = 800,       // of the FIR, if they are found
    LEAST_TAPS = 8,        //
    PATH_SAMPLES = 601,    // of an open path, that are realised
    RESIDUAL_LAGS = 50,    //
    FEEDBACK_HORIZON = 400 // in steps
};

cfpc_identify_settings cfpc_default_identify_settings(void)
{
    return (cfpc_identify_settings){.dead_time_steps = -1,
                                    .max_dead_time_steps = -1,
                                    .max_order = 12,
                                    .estimation = 0.5,
                                    .confidence = 0.95};
}

// ---- the log ---------------------------------------------------------------------------------

// What every stage uses.
typedef struct work {
    int32_t steps;
    int32_t estimation; // steps that estimate: the first ones
    double step_s;
    double *input;  // without offset and trend                    (steps)
    double *output; // likewise                                    (steps)
    double *tried;  // output of a candidate, then what it leaves  (steps)
} work;

static void work_free(work *it)
{
    free(it->input);
    free(it->output);
    free(it->tried);
}

static bool all_finite(int32_t count, const double *x)
{
    for (int32_t n = 0; n < count; n++)
        if (!isfinite(x[n]))
            return false;
    return true;
}

static cfpc_status check(const cfpc_log *log, const cfpc_identify_settings *set)
{
    if (!log || !log->input || !log->output || !set)
        return CFPC_MISSING;
    if (log->steps < LEAST_STEPS || set->taps < 0 || set->taps > CFPC_FIR_MAX || set->order < 0 ||
        set->max_order < 0 || set->max_order > 100 || set->order > 100 ||
        set->dead_time_steps < -1 || set->max_dead_time_steps < -1)
        return CFPC_BAD_SHAPE;
    if (!(log->step_s > 0) || !isfinite(log->step_s) || !(set->estimation > 0) ||
        !(set->estimation < 1) || !(set->confidence > 0) || !(set->confidence < 1))
        return CFPC_BAD_VALUE;
    return all_finite(log->steps, log->input) && all_finite(log->steps, log->output)
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

static cfpc_status work_make(work *it, cfpc_identified *found, const cfpc_log *log,
                             const cfpc_identify_settings *set)
{
    *it = (work){.steps = log->steps,
                 .estimation = (int32_t)(set->estimation * log->steps),
                 .step_s = log->step_s,
                 .tried = malloc((size_t)log->steps * sizeof(double))};
    const int32_t held = it->steps - it->estimation;
    if (it->estimation < LEAST_STEPS / 2 || held < LEAST_STEPS / 4)
        return CFPC_BAD_SHAPE;
    found->first_held_back = it->estimation;
    cfpc_status status = it->tried ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = without_trend(it->steps, log->input, found->trend, &it->input);
    if (status == CFPC_OK)
        status = without_trend(it->steps, log->output, found->trend + 2, &it->output);
    return status;
}

// ---- the FIR ---------------------------------------------------------------------------------

typedef struct fir {
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

static int32_t most_dead_time(const cfpc_identify_settings *set, int32_t lags)
{
    if (set->dead_time_steps >= 0)
        return set->dead_time_steps;
    return set->max_dead_time_steps >= 0 ? set->max_dead_time_steps : lags / 4;
}

// How many lags, and how many of them may be dead time; false if the log is too short for them.
static bool choose_lags(const work *it, const cfpc_identify_settings *set, int32_t *lags,
                        int32_t *dead)
{
    *lags = least(MOST_LAGS, it->estimation / 3);
    *dead = most_dead_time(set, *lags);
    if (set->taps > 0)
        *lags = *dead + set->taps;
    return *dead + LEAST_TAPS <= *lags && *lags <= it->estimation * 3 / 4;
}

// Rows whose input is not known as far back as there are lags are left out, if enough remain.
static int32_t first_row(const work *it, int32_t lags)
{
    return it->estimation >= 4 * lags ? lags : it->estimation / 8;
}

// The dead time and the prior's constants depend on each other: twice in turn.
static cfpc_status search(fir *it, const cfpc_identify_settings *set, int32_t lags, int32_t dead)
{
    const bool given = set->dead_time_steps >= 0;
    const int32_t start = given ? dead : 0;
    it->prior = (cfpci_prior){.dead_time = start, .taps = lags - start};
    cfpc_status status = cfpci_prior_search(&it->products, &it->prior);
    for (int turn = 0; turn < 2 && !given && status == CFPC_OK; turn++) {
        status = cfpci_prior_dead_time(&it->products, &it->prior, dead);
        if (status == CFPC_OK)
            status = cfpci_prior_search(&it->products, &it->prior);
    }
    return status;
}

static cfpc_status estimate(fir *it, const work *log, const cfpc_identify_settings *set)
{
    int32_t lags, dead;
    if (!choose_lags(log, set, &lags, &dead))
        return CFPC_BAD_SHAPE;
    cfpc_status status = cfpci_products_make(&it->products, first_row(log, lags), log->estimation,
                                             lags, log->input, log->output);
    if (status == CFPC_OK)
        status = search(it, set, lags, dead);
    if (status == CFPC_OK)
        status = cfpci_posterior_make(&it->posterior, &it->products, &it->prior);
    return status;
}

static cfpc_status keep_fir(cfpc_identified *found, const fir *it)
{
    const int32_t dead = it->prior.dead_time, taps = it->prior.taps;
    const size_t n = (size_t)taps;
    found->dead_time_steps = dead;
    found->taps = dead + taps;
    found->decay = it->prior.decay;
    found->noise = it->posterior.noise;
    found->response = calloc((size_t)found->taps, sizeof(double));
    found->deviation = calloc((size_t)found->taps, sizeof(double));
    if (!found->response || !found->deviation)
        return CFPC_NO_MEMORY;
    memcpy(found->response + dead, it->posterior.mean, n * sizeof(double));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            found->deviation[(size_t)dead + j] +=
                it->posterior.spread[i * n + j] * it->posterior.spread[i * n + j];
    for (int32_t j = dead; j < found->taps; j++)
        found->deviation[j] = sqrt(found->deviation[j]);
    return CFPC_OK;
}

// ---- fit -------------------------------------------------------------------------------------

// 100 (1 - ‖left‖ / ‖y - mean y‖) over some steps.
static double fit_of(int32_t from, int32_t to, const double *left, const double *y)
{
    double mean = 0, all = 0, remains = 0;
    for (int32_t n = from; n < to; n++)
        mean += y[n] / (to - from);
    for (int32_t n = from; n < to; n++) {
        all += (y[n] - mean) * (y[n] - mean);
        remains += left[n] * left[n];
    }
    return all > 0 ? 100 * (1 - sqrt(remains / all)) : -INFINITY;
}

// What a simulated output leaves of the log's, less the offset and trend of the whole: a model does
// not know them, and two constants do not flatter it.
static void leave(const work *it, double *simulated)
{
    double trend[2];
    for (int32_t n = 0; n < it->steps; n++)
        simulated[n] = it->output[n] - simulated[n];
    cfpci_trend(it->steps, simulated, trend);
    cfpci_add_trend(it->steps, -1, trend, simulated);
}

static double fit_of_fir(const work *it, const cfpc_identified *found)
{
    for (int32_t n = 0; n < it->steps; n++) {
        it->tried[n] = 0;
        for (int32_t k = found->dead_time_steps; k < found->taps && k <= n; k++)
            it->tried[n] += found->response[k] * it->input[n - k];
    }
    leave(it, it->tried);
    return fit_of(it->estimation, it->steps, it->tried, it->output);
}

// ---- candidates ------------------------------------------------------------------------------

typedef struct candidate {
    cfpc_identify_method method;
    int32_t order;
    cfpc_system part;
    cfpc_system model;
    double fit, fit_estimation;
} candidate;

static void candidate_free(candidate *it)
{
    cfpc_system_free(&it->part);
    cfpc_system_free(&it->model);
}

// A smaller order is preferred to what fits better by this, in %.
static const double margin = 0.05;

static bool better(const candidate *a, const candidate *b)
{
    if (!b->model.matrix)
        return true;
    return a->fit > b->fit + (a->order > b->order ? margin : a->order < b->order ? -margin : 0);
}

// The model of a part.
static cfpc_status close_part(candidate *it)
{
    if (it->method == CFPC_IDENTIFY_OPEN_PATH)
        return cfpci_close_path(&it->model, &it->part, 0);
    return cfpc_series(&it->model, 1, &it->part);
}

// Takes the part over, and keeps the candidate if it is stable and better than the best so far.
static cfpc_status consider(const work *log, candidate *best, cfpc_identify_method method,
                            cfpc_system *part)
{
    candidate it = {.method = method, .order = part->states, .part = *part, .fit = -INFINITY};
    *part = (cfpc_system){0};
    bool stable = false;
    cfpc_status status = close_part(&it);
    if (status == CFPC_OK)
        status = cfpc_is_stable(&it.model, &stable);
    if (status == CFPC_OK && stable) {
        status = cfpc_apply(&it.model, log->steps, 1, log->input, log->tried);
        leave(log, log->tried);
        it.fit = fit_of(log->estimation, log->steps, log->tried, log->output);
        it.fit_estimation = fit_of(0, log->estimation, log->tried, log->output);
    }
    const bool keeps = status == CFPC_OK && isfinite(it.fit) && better(&it, best);
    candidate *const out = keeps ? best : &it;
    candidate_free(out);
    if (keeps)
        *best = it;
    return status == CFPC_ALGEBRAIC_LOOP ? CFPC_OK : status;
}

// The first `order` states of a balanced realisation, which are those of the realisation with that
// order, behind the dead time.
static cfpc_status truncate(cfpc_system *part, const cfpc_system *whole, int32_t order,
                            int32_t dead_time)
{
    cfpc_system states;
    const size_t columns = (size_t)cfpc_system_columns(whole);
    const size_t from = columns - 1; // the input, or the line that delays it
    cfpc_status status = cfpc_system_make(&states, whole->step_s, order, 1, 1, 0);
    for (int32_t i = 0; status == CFPC_OK && i <= order; i++) {
        const double *row = whole->matrix + (size_t)(i < order ? i : whole->states) * columns;
        double *to = states.matrix + (size_t)i * (size_t)(order + 1);
        memcpy(to, row, (size_t)order * sizeof *to);
        to[order] = row[from];
    }
    if (status == CFPC_OK)
        status = cfpci_behind_delay(part, &states, dead_time);
    cfpc_system_free(&states);
    return status;
}

// Ho and Kalman, of every order, from a response after the dead time.
static cfpc_status realise_orders(const work *log, const cfpc_identify_settings *set,
                                  candidate *best, cfpc_identify_method method, int32_t dead_time,
                                  int32_t samples, const double *response)
{
    const int32_t most = set->order > 0 ? set->order : set->max_order;
    cfpc_system whole, part;
    cfpc_status status = cfpc_realise(&whole, log->step_s, samples, response, 0, most);
    if (status == CFPC_UNSTABLE)
        status = CFPC_OK;
    const int32_t first = set->order > 0 ? whole.states : 1;
    for (int32_t order = first; status == CFPC_OK && order <= whole.states; order++) {
        status = truncate(&part, &whole, order, dead_time);
        if (status == CFPC_OK)
            status = consider(log, best, method, &part);
        else
            cfpc_system_free(&part);
    }
    cfpc_system_free(&whole);
    return status == CFPC_BAD_VALUE ? CFPC_OK : status; // the response is zero
}

static cfpc_status realise_open_path(const work *log, const cfpc_identify_settings *set,
                                     candidate *best, const cfpc_identified *found)
{
    const int32_t dead = found->dead_time_steps, count = least(found->taps - dead, PATH_SAMPLES);
    double *path = calloc((size_t)count, sizeof *path);
    if (!path)
        return CFPC_NO_MEMORY;
    cfpc_status status = cfpci_open_path(dead, 0, count, found->response, path);
    if (status == CFPC_OK)
        status = realise_orders(log, set, best, CFPC_IDENTIFY_OPEN_PATH, dead, count, path);
    free(path);
    return status == CFPC_BAD_VALUE ? CFPC_OK : status;
}

static cfpc_status realise(const work *log, const cfpc_identify_settings *set, candidate *best,
                           const cfpc_identified *found)
{
    const int32_t dead = found->dead_time_steps;
    cfpc_status status = realise_orders(log, set, best, CFPC_IDENTIFY_DIRECT, dead,
                                        found->taps - dead, found->response + dead);
    if (status == CFPC_OK && dead > 0)
        status = realise_open_path(log, set, best, found);
    return status == CFPC_OK && !best->model.matrix ? CFPC_UNSTABLE : status;
}

// ---- what it tells ---------------------------------------------------------------------------

// The best candidate's output, with offset and trend; work->tried is what it leaves of the log.
static cfpc_status keep_best(work *log, candidate *best, cfpc_identified *found)
{
    found->method = best->method;
    found->order = best->order;
    found->part = best->part;
    found->model = best->model;
    found->fit = best->fit;
    found->fit_estimation = best->fit_estimation;
    best->part = best->model = (cfpc_system){0};
    found->simulated = malloc((size_t)log->steps * sizeof *found->simulated);
    if (!found->simulated)
        return CFPC_NO_MEMORY;
    const cfpc_status status =
        cfpc_apply(&found->model, log->steps, 1, log->input, found->simulated);
    double more[2];
    for (int32_t n = 0; status == CFPC_OK && n < log->steps; n++)
        log->tried[n] = log->output[n] - found->simulated[n];
    cfpci_trend(log->steps, log->tried, more);
    cfpci_add_trend(log->steps, -1, more, log->tried);
    found->trend[2] += more[0];
    found->trend[3] += more[1];
    cfpci_add_trend(log->steps, 1, found->trend + 2, found->simulated);
    return status;
}

static cfpc_status examine(const work *log, cfpc_identified *found)
{
    const int32_t first = log->estimation, held = log->steps - first;
    const int32_t lags = least(RESIDUAL_LAGS, held / 10);
    const double *left = log->tried + first, *input = log->input + first;
    found->lags = lags;
    found->autocorrelation = malloc(((size_t)lags + 1) * sizeof(double));
    found->cross = malloc((2 * (size_t)lags + 1) * sizeof(double));
    if (!found->autocorrelation || !found->cross)
        return CFPC_NO_MEMORY;
    cfpci_correlation(held, left, left, 0, lags, found->autocorrelation);
    cfpci_correlation(held, left, input, -lags, lags, found->cross);
    found->limit = 2.5758293035489004 / sqrt(held); // 99 % of a normal distribution
    found->whiteness = cfpci_whiteness(held, lags, found->autocorrelation);
    const int32_t horizon = least(found->taps, held / 8);
    cfpc_status status = cfpci_unexplained(held, left, input, horizon, &found->unexplained);
    if (status == CFPC_OK)
        status = cfpci_feedback(log->steps, log->tried, log->input,
                                least(FEEDBACK_HORIZON, log->steps / 8), &found->feedback);
    return status;
}

static cfpc_status identify(cfpc_identified *found, work *log, fir *taps, candidate *best,
                            const cfpc_identify_settings *set)
{
    cfpc_status status = estimate(taps, log, set);
    if (status == CFPC_OK)
        status = keep_fir(found, taps);
    if (status != CFPC_OK)
        return status;
    found->fit_fir = fit_of_fir(log, found);
    status = realise(log, set, best, found);
    if (status == CFPC_OK)
        status = keep_best(log, best, found);
    if (status == CFPC_OK)
        status = cfpci_identify_band(&found->band, &found->model, &taps->posterior,
                                     found->dead_time_steps, set->confidence);
    if (status == CFPC_OK)
        status = cfpci_excited(log->estimation, log->step_s, log->input, &found->low_hz,
                               &found->high_hz);
    return status == CFPC_OK ? examine(log, found) : status;
}

cfpc_status cfpc_identify(cfpc_identified *identified, const cfpc_log *log,
                          const cfpc_identify_settings *settings)
{
    *identified = (cfpc_identified){0};
    cfpc_status status = check(log, settings);
    if (status != CFPC_OK)
        return status;
    work it;
    fir taps = {0};
    candidate best = {.fit = -INFINITY};
    status = work_make(&it, identified, log, settings);
    if (status == CFPC_OK)
        status = identify(identified, &it, &taps, &best, settings);
    work_free(&it);
    fir_free(&taps);
    candidate_free(&best);
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
