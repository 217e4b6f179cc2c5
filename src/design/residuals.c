// SPDX-License-Identifier: Apache-2.0
// residuals: both tests are regressions of the residuals, whitened, on the input, whitened by the
// same filter: on what was before, and on what comes after. What a group of inputs explains beyond
// the groups before it is, over the noise, chi-square distributed, whatever the input is: random or
// not. Inputs are summed over lags in groups that become wider with distance, so that a few numbers
// reach far. A group that the groups before determine completely tells nothing and is left out.
#include "residuals.h"

#include <math.h>
#include <stdlib.h>

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

// The input summed over a group of lags (steps ago, or ahead) at every row.
static void fill_column(int32_t first, int32_t rows, const double *input, int32_t from, int32_t to,
                        int32_t direction, double *column)
{
    for (int32_t n = 0; n < rows; n++) {
        column[n] = 0;
        for (int32_t lag = from; lag < to; lag++)
            column[n] += input[first + n + direction * lag];
    }
}

// What columns from `known` on explain of the last column beyond those before: QR takes them in
// this order, so that each has its row of the last column.
static cfpc_status explained(int32_t rows, int32_t columns, int32_t known, double *matrix,
                             double *probability)
{
    const size_t wide = (size_t)columns + 1;
    double *r = malloc(wide * wide * sizeof *r), *size = malloc(wide * sizeof *size);
    cfpc_status status = r && size ? CFPC_OK : CFPC_NO_MEMORY;
    for (int32_t j = 0; status == CFPC_OK && j <= columns; j++)
        size[j] = cfpci_dense_norm(rows, matrix + (size_t)j * (size_t)rows);
    if (status == CFPC_OK)
        status = cfpci_dense_qr(rows, columns + 1, matrix, r);
    double sum = 0;
    int32_t freedom = 0;
    for (int32_t i = known; status == CFPC_OK && i < columns; i++) {
        const double *row = r + (size_t)i * wide;
        if (fabs(row[i]) <= determined * size[i])
            continue;
        sum += row[columns] * row[columns];
        freedom++;
    }
    if (status == CFPC_OK) {
        const double left = r[wide * wide - 1] * r[wide * wide - 1];
        *probability =
            freedom == 0 || !(left > 0)
                ? 1
                : cfpci_above_chi_square((rows - columns - 1) * log1p(sum / left), freedom);
    }
    free(r);
    free(size);
    return status;
}

// Whitens both, then regresses rows that have all their inputs.
static cfpc_status regress(int32_t steps, const double *residual, const double *input,
                           const groups *before, const groups *after, double *probability)
{
    const int32_t first = before->start[before->count] + CFPCI_AR_MAX;
    const int32_t rows = steps - first - after->start[after->count];
    const int32_t columns = before->count + after->count, known = after->count ? before->count : 0;
    *probability = 1;
    if (rows < columns + 2)
        return CFPC_OK;
    double *white = malloc(2 * (size_t)steps * sizeof *white);
    double *matrix = malloc((size_t)rows * (size_t)(columns + 1) * sizeof *matrix);
    cfpc_status status = white && matrix ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        const cfpci_whitener whitener = cfpci_whitener_of(steps, residual, steps / 20);
        double *e = white, *u = white + steps, *column = matrix;
        cfpci_whiten(&whitener, steps, residual, e);
        cfpci_whiten(&whitener, steps, input, u);
        for (int32_t g = 0; g < before->count; g++, column += rows)
            fill_column(first, rows, u, before->start[g], before->start[g + 1], -1, column);
        for (int32_t g = 0; g < after->count; g++, column += rows)
            fill_column(first + 1, rows, u, after->start[g], after->start[g + 1], 1, column);
        for (int32_t n = 0; n < rows; n++)
            column[n] = e[first + n];
        status = explained(rows, columns, known, matrix, probability);
    }
    free(white);
    free(matrix);
    return status;
}

cfpc_status cfpci_unexplained(int32_t steps, const double *residual, const double *input,
                              int32_t horizon, double *probability)
{
    const groups before = make_groups(steps, horizon), none = {0};
    return regress(steps, residual, input, &before, &none, probability);
}

cfpc_status cfpci_feedback(int32_t steps, const double *residual, const double *input,
                           int32_t horizon, double *probability)
{
    const groups both = make_groups(steps / 2, horizon);
    return regress(steps, residual, input, &both, &both, probability);
}
