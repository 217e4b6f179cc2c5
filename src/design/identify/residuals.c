// SPDX-License-Identifier: Apache-2.0
// residuals: a regression of the residuals, whitened, on earlier inputs, whitened by the same
// filter. What they explain is, over the noise, chi-square distributed, whatever the input is,
// random or not. Inputs are summed over lags in groups that become wider with distance, so that a
// few numbers reach far. A group that the groups before determine completely is left out.
//
// Feedback: an input that does not react to the residuals is not correlated with earlier ones
// (Sims: in a regression on all inputs, those of the future count for nothing). The residuals are
// white, so that their correlations with any later signal are normal; that signal is the input's
// innovations, which stand out from what the input repeats anyway.
#include "identify/residuals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "identify/statistics.h"
#include "math/elementary.h"
#include "math/order.h"

enum {
    MAX_GROUPS = 40,
    ROWS_PER_GROUP = 12 // at least
};

static const double determined = 1e-6; // of a column that is left after those before it

void cfpci_correlation(int32_t steps, const double *a, const double *b, int32_t from, int32_t to,
                       double *out)
{
    double mean_a = 0, mean_b = 0, square_a = 0, square_b = 0;
    for (int32_t n = 0; n < steps; n++) {
        mean_a += a[n] / steps;
        mean_b += b[n] / steps;
    }
    for (int32_t n = 0; n < steps; n++) {
        square_a += (a[n] - mean_a) * (a[n] - mean_a);
        square_b += (b[n] - mean_b) * (b[n] - mean_b);
    }
    const double scale = sqrt(square_a * square_b);
    for (int32_t lag = from; lag <= to; lag++) {
        double sum = 0;
        const int32_t first = lag > 0 ? lag : 0, end = lag < 0 ? steps + lag : steps;
        for (int32_t n = first; n < end; n++)
            sum += (a[n] - mean_a) * (b[n - lag] - mean_b);
        out[lag - from] = scale > 0 ? sum / scale : 0;
    }
}

double cfpci_whiteness(int32_t steps, int32_t lags, const double *autocorrelation)
{
    double sum = 0;
    for (int32_t k = 1; k <= lags; k++)
        sum += autocorrelation[k] * autocorrelation[k] / (steps - k);
    return cfpci_above_chi_square(sum * steps * (steps + 2.0), lags);
}

// ---- regression ------------------------------------------------------------------------------

// Lags 0 (or 1), 1, 2, …, in groups.
typedef struct groups {
    int32_t count;
    int32_t start[MAX_GROUPS + 1]; // of each, and the end of the last
} groups;

static groups make_groups(int32_t steps, int32_t from, int32_t horizon)
{
    groups split = {.start = {from}};
    const int32_t most = steps / (2 * ROWS_PER_GROUP);
    while (split.count < MAX_GROUPS && split.count < most && split.start[split.count] < horizon) {
        const int32_t next = split.start[split.count] + 1 + split.start[split.count] / 6;
        split.start[++split.count] = next < horizon ? next : horizon;
    }
    return split;
}

// What earlier inputs explain of the last column: QR takes them in turn, so that each has its row
// of the last column.
static cfpc_status residuals_explained(int32_t rows, int32_t columns, double *matrix, double unit,
                                       double *probability)
{
    const size_t wide = (size_t)columns + 1;
    double *r = malloc((wide * wide + wide) * sizeof *r), sum = 0;
    if (!r)
        return CFPC_NO_MEMORY;
    double *size = r + wide * wide;
    for (int32_t j = 0; j <= columns; j++)
        size[j] = cfpci_dense_norm(rows, matrix + (size_t)j * (size_t)rows);
    const cfpc_status status = cfpci_dense_qr(rows, columns + 1, matrix, r);
    int32_t freedom = 0;
    for (int32_t i = 0; status == CFPC_OK && i < columns; i++) {
        const double *row = r + (size_t)i * wide;
        if (fabs(row[i]) <= determined * size[i])
            continue;
        sum += row[columns] * row[columns];
        freedom++;
    }
    const double left = r[wide * wide - 1] * r[wide * wide - 1];
    if (status == CFPC_OK && left > 0)
        *probability =
            cfpci_above_chi_square((rows - columns - 1) * cfpci_log1p(sum / left) / unit, freedom);
    free(r);
    return status;
}

// Both signals whitened by the residuals' filter, the input also by its own, and the rows that have
// all earlier inputs.
typedef struct prepared {
    groups before;
    int32_t first, rows;
    double *e, *u, *fresh; // (steps)
    double *matrix;        // groups of earlier inputs, and e  (before.count + 1 x rows)
    double *room;          // (2 horizon)
} prepared;

static void prepared_free(prepared *prepared)
{
    free(prepared->e);
    free(prepared->matrix);
}

// Earlier inputs are those of `from` steps ago and more. Rows also have `ahead` later ones; it has
// none if there are too few.
static cfpc_status residuals_prepare(prepared *made, int32_t steps, const double *residual,
                                     const double *input, int32_t from, int32_t horizon,
                                     int32_t ahead)
{
    *made =
        (prepared){.before = make_groups(steps, from, horizon), .first = horizon + CFPCI_AR_MAX};
    const int32_t rows = steps - made->first - ahead, columns = made->before.count;
    if (rows < 2 * columns + 2)
        return CFPC_OK;
    const size_t count = (size_t)steps;
    made->e = malloc((3 * count + 2 * (size_t)horizon) * sizeof *made->e);
    made->matrix = malloc((size_t)rows * (size_t)(columns + 1) * sizeof *made->matrix);
    if (!made->e || !made->matrix)
        return CFPC_NO_MEMORY;
    made->rows = rows;
    made->u = made->e + count;
    made->fresh = made->u + count;
    made->room = made->fresh + count;
    const cfpci_whitener both = cfpci_whitener_of(steps, residual, steps / 20);
    const cfpci_whitener own = cfpci_whitener_of(steps, input, steps / 20);
    cfpci_whiten(&both, steps, residual, made->e);
    cfpci_whiten(&both, steps, input, made->u);
    cfpci_whiten(&own, steps, input, made->fresh);
    double *column = made->matrix; // groups of earlier inputs, and the residual as the last one
    for (int32_t g = 0; g < columns; g++, column += rows)
        for (int32_t n = 0; n < rows; n++) {
            column[n] = 0;
            for (int32_t lag = made->before.start[g]; lag < made->before.start[g + 1]; lag++)
                column[n] += made->u[made->first + n - lag];
        }
    memcpy(column, made->e + made->first, (size_t)rows * sizeof *column);
    return CFPC_OK;
}

// ---- correlations ----------------------------------------------------------------------------

// Correlations of e (rows) with a, `apart` steps and up to horizon - 1 more later (or earlier, if
// apart is negative), each of standard deviation 1 if there is none.
static void correlate_white(int32_t rows, const double *e, const double *a, int32_t apart,
                            int32_t horizon, double *z)
{
    double square_e = 0, square_a = 0;
    for (int32_t n = 0; n < rows; n++) {
        square_e += e[n] * e[n];
        square_a += a[n] * a[n];
    }
    const double scale = square_e > 0 && square_a > 0 ? sqrt(rows / (square_e * square_a)) : 0;
    for (int32_t k = 0; k < horizon; k++) {
        z[k] = 0;
        for (int32_t n = 0; n < rows; n++)
            z[k] += e[n] * a[n + apart + k] * scale;
    }
}

// The least probable sum of `width` neighbours, at any place: the probability of a normal number as
// far from 0, on either side.
static double least_probable(int32_t horizon, int32_t width, double unit, const double *z,
                             const double *own)
{
    double variance = width, least = 1;
    for (int32_t k = 1; k < width; k++)
        variance += 2 * (width - k) * own[k];
    variance *= unit;
    for (int32_t first = 0; variance > 1e-3 * width && first + width <= horizon; first += width) {
        double sum = 0;
        for (int32_t k = first; k < first + width; k++)
            sum += z[k];
        const double far = fabs(sum / sqrt(variance));
        least = cfpci_min(least, cfpci_erfc(far / 1.4142135623730951));
    }
    return least;
}

// The probability of so large a correlation of e with a, from `apart` steps later on. All widths 1,
// 2, 4, … at all places are about twice as many sums as there are steps; the least probable of so
// many is as many times likelier (Bonferroni).
static double any_correlation(const prepared *prepared, int32_t apart, int32_t horizon, double unit)
{
    double *z = prepared->room, *own = z + horizon, least = 1;
    const double *a = prepared->fresh + prepared->first;
    int32_t sums = 0;
    cfpci_correlation(prepared->rows, a, a, 0, horizon - 1, own);
    correlate_white(prepared->rows, prepared->e + prepared->first, a, apart, horizon, z);
    for (int32_t width = 1; width == 1 || width <= horizon / 4; width *= 2) {
        least = cfpci_min(least, least_probable(horizon, width, unit, z, own));
        sums += horizon / width;
    }
    return cfpci_min(1, least * sums);
}

// ---- the two questions -----------------------------------------------------------------------

// By regression, which sees what is spread over many inputs, or by the largest correlation, which
// sees a single one: the smaller probability of both is twice as likely.
cfpc_status cfpci_unexplained(int32_t steps, const double *residual, const double *input,
                              int32_t horizon, double unit, double *probability)
{
    prepared prepared;
    *probability = 1;
    cfpc_status status = residuals_prepare(&prepared, steps, residual, input, 0, horizon, 0);
    if (status == CFPC_OK && prepared.rows > 0) {
        status = residuals_explained(prepared.rows, prepared.before.count, prepared.matrix, unit,
                                     probability);
        const double single = any_correlation(&prepared, 1 - horizon, horizon, unit);
        *probability = cfpci_min(1, 2 * cfpci_min(*probability, single));
    }
    prepared_free(&prepared);
    return status;
}

// What is left of the last column after all others, in its place: the others (columns) are copied,
// factored, and what each explains is subtracted.
static cfpc_status subtract_explained(int32_t rows, int32_t columns, const double *matrix,
                                      double *last)
{
    const size_t wide = (size_t)columns + 1, all = wide * (size_t)rows;
    double *copy = malloc((all + wide * wide + wide) * sizeof *copy);
    if (!copy)
        return CFPC_NO_MEMORY;
    double *r = copy + all, *share = r + wide * wide;
    memcpy(copy, matrix, all * sizeof *copy);
    const cfpc_status status = cfpci_dense_qr(rows, columns + 1, copy, r);
    for (int32_t i = columns - 1; status == CFPC_OK && i >= 0; i--) {
        const double *row = r + (size_t)i * wide;
        const double *column = matrix + (size_t)i * (size_t)rows;
        share[i] = row[columns];
        for (int32_t k = i + 1; k < columns; k++)
            share[i] -= row[k] * share[k];
        const bool tells = fabs(row[i]) > determined * cfpci_dense_norm(rows, column);
        share[i] = tells ? share[i] / row[i] : 0;
        for (int32_t n = 0; n < rows; n++)
            last[n] -= share[i] * column[n];
    }
    free(copy);
    return status;
}

// Whether an input repeats, but for a trend and rounding, at least once within the log. Noise does
// not, so such an input does not react to it; and one that is known from its past has no
// innovations but rounding. Nearly all periods are given up at the first step.
static bool repeats(int32_t steps, const double *input)
{
    double least = input[0], most = input[0];
    for (int32_t n = 1; n < steps; n++) {
        least = cfpci_min(least, input[n]);
        most = cfpci_max(most, input[n]);
    }
    const double rounding = 1e-6 * (most - least); // of numbers logged in single precision
    for (int32_t period = 2; period <= steps / 2; period++) {
        const double drift = input[period] - input[0];
        int32_t n = period;
        while (n < steps && fabs(input[n] - input[n - period] - drift) <= rounding)
            n++;
        if (n == steps)
            return true;
    }
    return false;
}

// Values beyond `most` become that.
static void residuals_clip(int32_t count, double most, double *x)
{
    for (int32_t n = 0; n < count; n++)
        x[n] = cfpci_max(-most, cfpci_min(most, x[n]));
}

// The residuals less what earlier inputs explain, against innovations of the input that follow.
cfpc_status cfpci_feedback(int32_t steps, const double *residual, const double *input,
                           int32_t horizon, bool at_once, double *probability)
{
    prepared prepared;
    *probability = 1;
    if (repeats(steps, input))
        return CFPC_OK;
    cfpc_status status =
        residuals_prepare(&prepared, steps, residual, input, at_once ? 1 : 0, horizon, horizon);
    const int32_t rows = prepared.rows;
    if (status == CFPC_OK && rows > 0) {
        double *e = prepared.e + prepared.first, *fresh = prepared.fresh, *z = prepared.room;
        double *sizes = prepared.u; // which is not needed any more
        status = subtract_explained(rows, prepared.before.count, prepared.matrix, e);
        // Beyond three standard deviations: an input that moves once, as in a step, is correlated
        // with a few residuals only, and single large ones are no sign of a reaction.
        residuals_clip(rows, 3 * cfpci_dense_norm(rows, e) / sqrt(rows), e);
        // Innovations far larger than most: where a reference jumps, a reaction to noise would not
        // be seen.
        for (int32_t n = 0; n < steps; n++)
            sizes[n] = fabs(fresh[n]);
        cfpci_sort(sizes, (size_t)steps);
        if (sizes[steps / 2] > 0)
            residuals_clip(steps, 3 * sizes[steps / 2], fresh);
        // Above a mean square of 1 of the correlations with what was before, the residuals still
        // hold something of an input, which may repeat later.
        double sum = 0;
        correlate_white(rows, e, fresh + prepared.first, -horizon, horizon, z);
        for (int32_t k = 0; k < horizon; k++)
            sum += z[k] * z[k] / horizon;
        *probability = any_correlation(&prepared, at_once ? 0 : 1, horizon, cfpci_max(1, sum));
    }
    prepared_free(&prepared);
    return status;
}
