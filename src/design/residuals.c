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
#include "residuals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "autoregression.h"
#include "chi_square.h"
#include "dense.h"

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

// Lags 0, 1, 2, …, in groups.
typedef struct groups {
    int32_t count;
    int32_t start[MAX_GROUPS + 1]; // of each, and the end of the last
} groups;

static groups make_groups(int32_t steps, int32_t horizon)
{
    groups it = {0};
    const int32_t most = steps / (2 * ROWS_PER_GROUP);
    while (it.count < MAX_GROUPS && it.count < most && it.start[it.count] < horizon) {
        const int32_t next = it.start[it.count] + 1 + it.start[it.count] / 6;
        it.start[++it.count] = next < horizon ? next : horizon;
    }
    return it;
}

// The input summed over a group of lags at every row.
static void fill_column(int32_t first, int32_t rows, const double *input, int32_t from, int32_t to,
                        double *column)
{
    for (int32_t n = 0; n < rows; n++) {
        column[n] = 0;
        for (int32_t lag = from; lag < to; lag++)
            column[n] += input[first + n - lag];
    }
}

// What earlier inputs explain of the last column: QR takes them in turn, so that each has its row of
// the last column.
static cfpc_status explained(int32_t rows, int32_t columns, double *matrix, double *probability)
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
        *probability = cfpci_above_chi_square((rows - columns - 1) * log1p(sum / left), freedom);
    free(r);
    return status;
}

static void whiten_both(int32_t steps, const double *residual, const double *input, double *e,
                        double *u)
{
    const cfpci_whitener whitener = cfpci_whitener_of(steps, residual, steps / 20);
    cfpci_whiten(&whitener, steps, residual, e);
    cfpci_whiten(&whitener, steps, input, u);
}

// Rows from `first` on: groups of earlier inputs, and the residual as the last column.
static void fill_matrix(int32_t first, int32_t rows, const double *u, const groups *before,
                        const double *e, double *matrix)
{
    for (int32_t g = 0; g < before->count; g++, matrix += rows)
        fill_column(first, rows, u, before->start[g], before->start[g + 1], matrix);
    memcpy(matrix, e + first, (size_t)rows * sizeof *matrix);
}

cfpc_status cfpci_unexplained(int32_t steps, const double *residual, const double *input,
                              int32_t horizon, double *probability)
{
    const groups before = make_groups(steps, horizon);
    const int32_t first = before.start[before.count] + CFPCI_AR_MAX;
    const int32_t rows = steps - first, columns = before.count;
    *probability = 1;
    if (rows < columns + 2)
        return CFPC_OK;
    double *white = malloc(2 * (size_t)steps * sizeof *white);
    double *matrix = malloc((size_t)rows * (size_t)(columns + 1) * sizeof *matrix);
    cfpc_status status = white && matrix ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        whiten_both(steps, residual, input, white, white + steps);
        fill_matrix(first, rows, white + steps, &before, white, matrix);
        status = explained(rows, columns, matrix, probability);
    }
    free(white);
    free(matrix);
    return status;
}

// ---- feedback --------------------------------------------------------------------------------

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

// The probability of a normal number as far from 0 as z, on either side.
static double beyond(double z)
{
    return erfc(fabs(z) / 1.4142135623730951);
}

// Correlations of e (rows) with what follows in a, each of standard deviation 1 if there is none:
// z (horizon), of 1 step and more; and what a's correlations with itself add to a sum of them.
static void correlate_later(int32_t rows, const double *e, const double *a, int32_t horizon,
                            double *z, double *own)
{
    double square_e = 0, square_a = 0;
    for (int32_t n = 0; n < rows; n++) {
        square_e += e[n] * e[n];
        square_a += a[n] * a[n];
    }
    const double scale = square_e > 0 && square_a > 0 ? sqrt(rows / (square_e * square_a)) : 0;
    for (int32_t k = 0; k < horizon; k++) {
        z[k] = own[k] = 0;
        for (int32_t n = 0; n < rows; n++)
            z[k] += e[n] * a[n + k + 1] * scale;
        for (int32_t n = 0; n + k < rows; n++)
            own[k] += scale > 0 ? a[n] * a[n + k] / square_a : 0;
    }
}

// The least probable sum of `width` neighbours, at any place.
static double least_probable(int32_t horizon, int32_t width, const double *z, const double *own)
{
    double variance = width, least = 1;
    for (int32_t k = 1; k < width; k++)
        variance += 2 * (width - k) * own[k];
    for (int32_t first = 0; first + width <= horizon; first += width) {
        double sum = 0;
        for (int32_t k = first; k < first + width; k++)
            sum += z[k];
        least = fmin(least, variance > 1e-3 * width ? beyond(sum / sqrt(variance)) : 1);
    }
    return least;
}

// All widths 1, 2, 4, … at all places are about twice as many sums as there are steps; the least
// probable of so many is as many times likelier (Bonferroni).
static double any_correlation(int32_t rows, const double *e, const double *a, int32_t horizon,
                              double *room)
{
    double *z = room, *own = room + horizon, least = 1;
    int32_t sums = 0;
    correlate_later(rows, e, a, horizon, z, own);
    for (int32_t width = 1; width <= horizon / 4; width *= 2) {
        least = fmin(least, least_probable(horizon, width, z, own));
        sums += horizon / width;
    }
    return fmin(1, least * sums);
}

// The residuals less what earlier inputs explain, against innovations of the input that follow.
cfpc_status cfpci_feedback(int32_t steps, const double *residual, const double *input,
                           int32_t horizon, double *probability)
{
    const groups before = make_groups(steps, horizon);
    const int32_t first = before.start[before.count] + CFPCI_AR_MAX;
    const int32_t rows = steps - first - horizon, columns = before.count;
    *probability = 1;
    if (rows < columns + 2)
        return CFPC_OK;
    const size_t count = (size_t)steps;
    double *white = malloc((3 * count + 2 * (size_t)horizon) * sizeof *white);
    double *matrix = malloc((size_t)rows * (size_t)(columns + 1) * sizeof *matrix);
    cfpc_status status = white && matrix ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        double *e = white, *u = white + count, *fresh = u + count;
        whiten_both(steps, residual, input, e, u);
        fill_matrix(first, rows, u, &before, e, matrix);
        status = subtract_explained(rows, columns, matrix, e + first);
        const cfpci_whitener own = cfpci_whitener_of(steps, input, steps / 20);
        cfpci_whiten(&own, steps, input, fresh);
        *probability = any_correlation(rows, e + first, fresh + first, horizon, fresh + count);
    }
    free(white);
    free(matrix);
    return status;
}
