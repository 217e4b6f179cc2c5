// SPDX-License-Identifier: Apache-2.0
// regularised_fir: with g = W ε, ε ~ N(0, c) and ρ = c/σ²,
//
//     M = I + ρ WᵀΦᵀΦW,   h = WᵀΦᵀy,   q = yᵀy - ρ hᵀM⁻¹h,
//     -2 log p(y) = N log(q/N) + log det M + constant, at σ² = q/N,
//     ε | y ~ N(ρ M⁻¹h, ρσ² M⁻¹).
//
// φ(max(i,j)) = Σ w_k over k >= i, j with w_k = φ(k) - φ(k+1), and φ(k) for the last: W_ik = √w_k
// for k >= i. So WᵀΦᵀΦW is D P D, where P are the sums of ΦᵀΦ over all i <= k, j <= l, and D = √w.
// Order 2 sums twice. With a stride, ε is zero but at the end of each stride: P is read at these
// only, and w sums what lies between.
#include "identify/regularised_fir.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "math/elementary.h"
#include "math/order.h"

enum {
    SEARCHED = 120, // the search strides to no more unknowns than these
    DECAYS = 14,    // of the grid
    GOLDEN = 9      // steps of a golden section, which narrow by 0.618 each
};

// Of the output's energy at least this is noise: no log is better than 100 dB, and double
// precision cannot tell less from the products.
static const double least_noise = 1e-10;
static const double golden_share = 0.61803398874989485;

// ---- products --------------------------------------------------------------------------------

static double past(const double *x, int32_t n)
{
    return n < 0 ? 0 : x[n];
}

static double sum_of_products(int32_t first, int32_t end, const double *a, const double *b,
                              int32_t late)
{
    double sum = 0;
    for (int32_t n = first > late ? first : late; n < end; n++)
        sum += a[n] * b[n - late];
    return sum;
}

// Along a diagonal the window moves by one step: one product enters, one leaves.
static void fir_prior_fill_gram(cfpci_products *products, int32_t first, int32_t end,
                                const double *u)
{
    const size_t lags = (size_t)products->lags;
    for (int32_t j = 0; j < products->lags; j++)
        products->gram[j] = products->gram[(size_t)j * lags] = sum_of_products(first, end, u, u, j);
    for (int32_t i = 1; i < products->lags; i++)
        for (int32_t j = i; j < products->lags; j++) {
            const double enters = past(u, first - i) * past(u, first - j);
            const double leaves = past(u, end - i) * past(u, end - j);
            const double value =
                products->gram[(size_t)(i - 1) * lags + (size_t)(j - 1)] + enters - leaves;
            products->gram[(size_t)i * lags + (size_t)j] = value;
            products->gram[(size_t)j * lags + (size_t)i] = value;
        }
}

// Products with an offset and a slope of length 1 that are orthogonal to each other.
static void fill_trend(const cfpci_products *products, int32_t first, int32_t end, const double *u,
                       double *with)
{
    const double rows = end - first, middle = (first + end - 1) / 2.0;
    const double scale = sqrt(12 / (rows * (rows * rows - 1)));
    for (int32_t j = 0; j < products->lags; j++) {
        double offset = 0, slope = 0;
        for (int32_t n = first; n < end; n++) {
            offset += past(u, n - j);
            slope += (n - middle) * past(u, n - j);
        }
        with[2 * j] = offset / sqrt(rows);
        with[2 * j + 1] = slope * scale;
    }
}

cfpc_status cfpci_products_make(cfpci_products *products, int32_t first, int32_t end, int32_t lags,
                                const double *input, const double *output)
{
    const size_t count = (size_t)lags;
    *products = (cfpci_products){.lags = lags,
                                 .rows = end - first - 2,
                                 .gram = malloc(count * count * sizeof(double)),
                                 .cross = malloc(count * sizeof(double)),
                                 .energy = sum_of_products(first, end, output, output, 0)};
    double *with = calloc(2 * count, sizeof *with), y[2] = {0};
    if (!products->gram || !products->cross || !with) {
        free(with);
        return CFPC_NO_MEMORY;
    }
    fir_prior_fill_gram(products, first, end, input);
    fill_trend(products, first, end, input, with);
    fill_trend(&(cfpci_products){.lags = 1}, first, end, output, y);
    // Offset and trend projected out.
    for (size_t i = 0; i < count; i++) {
        const double offset = with[2 * i], slope = with[2 * i + 1];
        for (size_t j = 0; j < count; j++)
            products->gram[i * count + j] -= offset * with[2 * j] + slope * with[2 * j + 1];
        products->cross[i] = sum_of_products(first, end, output, input, (int32_t)i);
        products->cross[i] -= offset * y[0] + slope * y[1];
    }
    products->energy -= y[0] * y[0] + y[1] * y[1];
    free(with);
    return CFPC_OK;
}

void cfpci_products_free(cfpci_products *products)
{
    free(products->gram);
    free(products->cross);
    *products = (cfpci_products){0};
}

// ---- sums ------------------------------------------------------------------------------------

// P and its counterpart of Φᵀy, and what a factorisation needs.
typedef struct sums {
    int32_t count;   // of unknowns
    int32_t stride;  // taps per unknown
    int32_t rows;    // of the log
    double energy;   // yᵀy
    double *squares; // P; owns what follows, too  (count x count)
    double *cross;   // (count)
    double *root;    // √w  (count)
    double *matrix;  // M, then its Cholesky factor  (count x count)
    double *solved;  // (count)
} sums;

// x[i] becomes x[0] + … + x[i].
static void sum_up(size_t count, double *x)
{
    for (size_t i = 1; i < count; i++)
        x[i] += x[i - 1];
}

// The products summed over all taps (gram, taps x taps, followed by cross, taps), and read where an
// unknown moves: at the last tap of its stride.
static void fill_sums(sums *sums, const cfpci_products *log, const cfpci_prior *prior, double *gram)
{
    const size_t n = (size_t)prior->taps, lags = (size_t)log->lags, dead = (size_t)prior->dead_time;
    const size_t count = (size_t)sums->count, stride = (size_t)sums->stride;
    double *cross = gram + n * n;
    for (size_t i = 0; i < n; i++) {
        memcpy(gram + i * n, log->gram + (dead + i) * lags + dead, n * sizeof *gram);
        cross[i] = log->cross[dead + i];
    }
    for (int32_t order = 0; order < prior->order; order++) {
        for (size_t i = 0; i < n; i++)
            sum_up(n, gram + i * n);
        for (size_t i = 1; i < n; i++) // all columns together
            for (size_t k = 0; k < n; k++)
                gram[i * n + k] += gram[(i - 1) * n + k];
        sum_up(n, cross);
    }
    for (size_t k = 0; k < count; k++) {
        const size_t row = k + 1 < count ? (k + 1) * stride - 1 : n - 1;
        sums->cross[k] = cross[row];
        for (size_t l = 0; l < count; l++)
            sums->squares[k * count + l] =
                gram[row * n + (l + 1 < count ? (l + 1) * stride - 1 : n - 1)];
    }
}

static cfpc_status sums_make(sums *made, const cfpci_products *log, const cfpci_prior *prior,
                             int32_t stride)
{
    const int32_t count = (prior->taps + stride - 1) / stride;
    const size_t n = (size_t)count, taps = (size_t)prior->taps;
    double *gram = malloc(taps * (taps + 1) * sizeof *gram);
    *made = (sums){.count = count,
                   .stride = stride,
                   .rows = log->rows,
                   .energy = log->energy,
                   .squares = calloc(n * (2 * n + 3), sizeof(double))};
    const bool whole = made->squares && gram;
    if (whole) {
        made->cross = made->squares + n * n;
        made->root = made->cross + n;
        made->matrix = made->root + n;
        made->solved = made->matrix + n * n;
        fill_sums(made, log, prior, gram);
    }
    free(gram);
    return whole ? CFPC_OK : CFPC_NO_MEMORY;
}

// ---- likelihood ------------------------------------------------------------------------------

// φ at a tap.
static double variance_at(const cfpci_prior *prior, double tap)
{
    const double slow = cfpci_exp(-2.0 / prior->taps),
                 ratio = cfpci_log(slow) / cfpci_log(prior->decay);
    const double share = prior->order == 2 ? prior->slow * ratio * ratio * ratio : prior->slow;
    return cfpci_pow(prior->decay, tap) + share * cfpci_pow(slow, tap);
}

// √w
static void fill_roots(sums *sums, const cfpci_prior *prior)
{
    double here = variance_at(prior, 0);
    for (int32_t k = 0; k < sums->count; k++) {
        const double next = k + 1 < sums->count ? variance_at(prior, (k + 1.0) * sums->stride) : 0;
        sums->root[k] = sqrt(cfpci_max(here - next, 0));
        here = next;
    }
}

// M = L Lᵀ, and solved = L⁻¹ h.
static cfpc_status fir_prior_factor(sums *sums, double ratio)
{
    const size_t n = (size_t)sums->count;
    for (size_t k = 0; k < n; k++) {
        for (size_t l = 0; l <= k; l++)
            sums->matrix[k * n + l] =
                ratio * sums->root[k] * sums->root[l] * sums->squares[k * n + l];
        sums->matrix[k * n + k] += 1;
        sums->solved[k] = sums->root[k] * sums->cross[k];
    }
    const cfpc_status status = cfpci_dense_cholesky(sums->count, sums->matrix);
    if (status != CFPC_OK)
        return status;
    return cfpci_dense_solve_lower(false, sums->count, 1, sums->matrix, sums->solved);
}

// q, at least the least noise.
static double left_over(const sums *sums, double ratio)
{
    double explained = 0;
    for (int32_t k = 0; k < sums->count; k++)
        explained += sums->solved[k] * sums->solved[k];
    return cfpci_max(sums->energy - ratio * explained, 0) + least_noise * sums->energy;
}

static cfpc_status misfit_of(sums *sums, double ratio, double *misfit)
{
    *misfit = INFINITY; // where M is not positive definite in double precision
    const cfpc_status status = fir_prior_factor(sums, ratio);
    if (status != CFPC_OK)
        return status == CFPC_BAD_VALUE ? CFPC_OK : status;
    double log_det = 0;
    for (int32_t k = 0; k < sums->count; k++)
        log_det += 2 * cfpci_log(sums->matrix[(size_t)k * (size_t)(sums->count + 1)]);
    *misfit = sums->rows * cfpci_log(left_over(sums, ratio) / sums->rows) + log_det;
    return CFPC_OK;
}

cfpc_status cfpci_prior_misfit(const cfpci_products *log, const cfpci_prior *prior, int32_t stride,
                               double *misfit)
{
    sums sums;
    cfpc_status status = sums_make(&sums, log, prior, stride);
    if (status == CFPC_OK) {
        fill_roots(&sums, prior);
        status = misfit_of(&sums, prior->ratio, misfit);
    }
    free(sums.squares);
    return status;
}

// ---- search ----------------------------------------------------------------------------------

// The likeliest ratio between two powers of ten, times `unit`, by a golden section.
static cfpc_status best_ratio(sums *sums, double unit, double low, double high, double *ratio,
                              double *misfit)
{
    double at[2] = {high - golden_share * (high - low), low + golden_share * (high - low)};
    double value[2] = {INFINITY, INFINITY};
    cfpc_status status = misfit_of(sums, unit * cfpci_pow(10, at[0]), &value[0]);
    if (status == CFPC_OK)
        status = misfit_of(sums, unit * cfpci_pow(10, at[1]), &value[1]);
    for (int step = 0; status == CFPC_OK && step < GOLDEN + 4; step++) {
        const bool lower = value[0] <= value[1];
        *(lower ? &high : &low) = at[lower];
        at[lower] = at[!lower];
        value[lower] = value[!lower];
        at[!lower] = lower ? high - golden_share * (high - low) : low + golden_share * (high - low);
        status = misfit_of(sums, unit * cfpci_pow(10, at[!lower]), &value[!lower]);
    }
    const bool second = value[1] < value[0];
    *ratio = unit * cfpci_pow(10, at[second]);
    *misfit = value[second];
    return status;
}

static void fir_prior_keep_better(cfpci_prior *best, double *least, const cfpci_prior *tried,
                                  double misfit)
{
    if (misfit >= *least)
        return;
    *least = misfit;
    *best = *tried;
}

// Keeps a decay, with the likeliest ratio, if it is better. It is given by the time after which a
// tap's deviation has fallen to 1/e, in steps; centre: that of the best.
static cfpc_status try_decay(sums *sums, double log_time, cfpci_prior *best, double *least,
                             double *centre)
{
    cfpci_prior tried = *best;
    double misfit, trace = 0;
    tried.decay = cfpci_exp(-2 / cfpci_exp(log_time));
    fill_roots(sums, &tried);
    for (int32_t k = 0; k < sums->count; k++) // of D P D: what the data says per unit of ratio
        trace +=
            sums->root[k] * sums->root[k] * sums->squares[(size_t)k * (size_t)(sums->count + 1)];
    if (!(trace > 0))
        return CFPC_BAD_VALUE;
    const cfpc_status status = best_ratio(sums, 1 / trace, -2, 14, &tried.ratio, &misfit);
    if (status != CFPC_OK)
        return status;
    *centre = misfit < *least ? log_time : *centre;
    fir_prior_keep_better(best, least, &tried, misfit);
    return CFPC_OK;
}

// A grid over the decay, then a golden section between the neighbours of its best.
static cfpc_status search_decay(sums *sums, cfpci_prior *best, double *least)
{
    const double first = cfpci_log(2), step = (cfpci_log(2.0 * best->taps) - first) / (DECAYS - 1);
    double centre = first, reach = step / 2;
    cfpc_status status = CFPC_OK;
    for (int k = 0; status == CFPC_OK && k < DECAYS; k++)
        status = try_decay(sums, first + k * step, best, least, &centre);
    for (int k = 0; status == CFPC_OK && k < GOLDEN; k++, reach /= 2) {
        const double from = centre;
        for (int side = -1; status == CFPC_OK && side <= 1; side += 2)
            status = try_decay(sums, from + side * reach, best, least, &centre);
    }
    return status;
}

static int32_t stride_of(int32_t taps)
{
    return (taps + SEARCHED - 1) / SEARCHED;
}

cfpc_status cfpci_prior_search(const cfpci_products *log, cfpci_prior *prior)
{
    cfpci_prior best = *prior;
    double least = INFINITY;
    cfpc_status status = CFPC_OK;
    for (int32_t order = 1; status == CFPC_OK && order <= 2; order++) {
        cfpci_prior of_order = *prior;
        double misfit = INFINITY;
        of_order.order = order;
        sums sums;
        status = sums_make(&sums, log, &of_order, stride_of(prior->taps));
        if (status == CFPC_OK)
            status = search_decay(&sums, &of_order, &misfit);
        free(sums.squares);
        if (status == CFPC_OK)
            fir_prior_keep_better(&best, &least, &of_order, misfit);
    }
    *prior = best;
    return status == CFPC_OK && !isfinite(least) ? CFPC_BAD_VALUE : status;
}

// The ratio may be larger by decades: what strides leave out seems noise.
cfpc_status cfpci_prior_tune(const cfpci_products *log, cfpci_prior *prior)
{
    sums sums;
    double misfit;
    cfpc_status status = sums_make(&sums, log, prior, 1);
    if (status == CFPC_OK) {
        fill_roots(&sums, prior);
        status = best_ratio(&sums, prior->ratio, -1, 3, &prior->ratio, &misfit);
    }
    free(sums.squares);
    return status;
}

// ---- dead time -------------------------------------------------------------------------------

static cfpc_status misfit_of_dead_time(const cfpci_products *log, const cfpci_prior *prior,
                                       int32_t dead_time, cfpci_prior *tried, double *misfit)
{
    *tried = *prior;
    tried->dead_time = dead_time;
    tried->taps = prior->dead_time + prior->taps - dead_time;
    sums sums;
    cfpc_status status = sums_make(&sums, log, tried, stride_of(tried->taps));
    if (status == CFPC_OK) {
        fill_roots(&sums, tried);
        status = best_ratio(&sums, prior->ratio, -2, 2, &tried->ratio, misfit);
    }
    free(sums.squares);
    return status;
}

// Coarsely, then between the neighbours of the best, until every step was tried.
cfpc_status cfpci_prior_dead_time(const cfpci_products *log, cfpci_prior *prior, int32_t most)
{
    cfpci_prior best = *prior, tried;
    double least = INFINITY, misfit;
    int32_t low = 0, high = most, apart = most / 16 > 1 ? most / 16 : 1;
    cfpc_status status = CFPC_OK;
    for (;;) {
        for (int32_t d = low; status == CFPC_OK && d <= high; d += apart) {
            status = misfit_of_dead_time(log, prior, d, &tried, &misfit);
            if (status == CFPC_OK)
                fir_prior_keep_better(&best, &least, &tried, misfit);
        }
        if (status != CFPC_OK || apart == 1)
            break;
        low = best.dead_time - apart > 0 ? best.dead_time - apart : 0;
        high = best.dead_time + apart < most ? best.dead_time + apart : most;
        apart = apart / 4 > 1 ? apart / 4 : 1;
    }
    *prior = best;
    return status == CFPC_OK && !isfinite(least) ? CFPC_BAD_VALUE : status;
}

// ---- posterior -------------------------------------------------------------------------------

// g = W ε for each row: ε times √w, summed from the end, `order` times. W is (taps x taps).
static void fir_prior_shape(int32_t taps, int32_t order, const double *root, double *row)
{
    for (int32_t k = 0; k < taps; k++)
        row[k] *= root[k];
    for (int32_t o = 0; o < order; o++)
        for (int32_t k = taps - 2; k >= 0; k--)
            row[k] += row[k + 1];
}

static cfpc_status fill_posterior(cfpci_posterior *posterior, sums *sum, const cfpci_prior *prior)
{
    const int32_t taps = posterior->taps;
    const size_t n = (size_t)taps;
    fill_roots(sum, prior);
    cfpc_status status = fir_prior_factor(sum, prior->ratio);
    if (status != CFPC_OK)
        return status;
    posterior->noise = sqrt(left_over(sum, prior->ratio) / sum->rows);
    memcpy(posterior->mean, sum->solved, n * sizeof *posterior->mean);
    status = cfpci_dense_solve_lower(true, taps, 1, sum->matrix, posterior->mean);
    for (size_t k = 0; k < n; k++)
        posterior->mean[k] *= prior->ratio;
    fir_prior_shape(taps, prior->order, sum->root, posterior->mean);
    if (status != CFPC_OK || !posterior->spread)
        return status;
    // L⁻¹, each row shaped: its columns are then those of L⁻¹Wᵀ.
    for (size_t i = 0; i < n; i++)
        posterior->spread[i * n + i] = sqrt(prior->ratio) * posterior->noise;
    status = cfpci_dense_solve_lower(false, taps, taps, sum->matrix, posterior->spread);
    for (size_t i = 0; status == CFPC_OK && i < n; i++)
        fir_prior_shape(taps, prior->order, sum->root, posterior->spread + i * n);
    return status;
}

cfpc_status cfpci_posterior_make(cfpci_posterior *posterior, const cfpci_products *log,
                                 const cfpci_prior *prior, bool spread)
{
    const size_t n = (size_t)prior->taps;
    *posterior = (cfpci_posterior){.taps = prior->taps,
                                   .mean = calloc(n, sizeof(double)),
                                   .spread = spread ? calloc(n * n, sizeof(double)) : NULL};
    sums sum = {0};
    cfpc_status status =
        posterior->mean && (posterior->spread || !spread) ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = sums_make(&sum, log, prior, 1);
    if (status == CFPC_OK)
        status = fill_posterior(posterior, &sum, prior);
    free(sum.squares);
    return status;
}

void cfpci_posterior_free(cfpci_posterior *posterior)
{
    free(posterior->mean);
    free(posterior->spread);
    *posterior = (cfpci_posterior){0};
}
