// SPDX-License-Identifier: Apache-2.0
#include "identify/excitation.h"

#include <math.h>
#include <stdlib.h>

enum { EARLIER = 4 }; // values: two for each sinusoid

static const double left_of_sinusoids = 1e-3; // of the power that may be left
static const double determined = 1e-9;        // of a column that those before it leave: nothing

static double product(int count, const double *a, const double *b)
{
    double sum = 0;
    for (int n = 0; n < count; n++)
        sum += a[n] * b[n];
    return sum;
}

// Where the autocorrelation first falls below 0, a quarter of a period for a sinusoid; less for a
// slow one, so that most of the log has four earlier values.
static int quarter_period(int count, const double *x)
{
    int lag = 1;
    while (lag < count / (10 * EARLIER) && product(count - lag, x, x + lag) > 0)
        lag++;
    return lag;
}

// Subtracts from x what is along a unit vector.
static void remove_along(int count, const double *unit, double *x)
{
    const double along = product(count, unit, x);
    for (int n = 0; n < count; n++)
        x[n] -= along * unit[n];
}

// The fraction of x's power that four earlier values, so many steps apart, do not explain; room is
// for five columns.
static double unexplained(int count, const double *x, int apart, double *room)
{
    const int rows = count - EARLIER * apart;
    double *columns[EARLIER + 1];
    for (int j = 0; j <= EARLIER; j++) {
        columns[j] = room + (size_t)j * (size_t)rows;
        for (int n = 0; n < rows; n++)
            columns[j][n] = x[n + j * apart];
        const double before = product(rows, columns[j], columns[j]);
        for (int k = 0; k < j; k++)
            remove_along(rows, columns[k], columns[j]);
        const double after = product(rows, columns[j], columns[j]);
        if (j == EARLIER)
            return before > 0 ? after / before : 0;
        const double scale = after > determined * before ? 1 / sqrt(after) : 0;
        for (int n = 0; n < rows; n++)
            columns[j][n] *= scale;
    }
    return 0;
}

lab_outcome lab_is_persistent(bool *is, int count, const double *input, lab_why *why)
{
    double *x = calloc((size_t)(EARLIER + 2) * (size_t)count + 1, sizeof *x), mean = 0;
    *is = false;
    if (!x)
        return lab_no_memory(why, NULL);
    for (int n = 0; n < count; n++)
        mean += input[n] / count;
    for (int n = 0; n < count; n++)
        x[n] = input[n] - mean;
    *is = unexplained(count, x, quarter_period(count, x), x + count) > left_of_sinusoids;
    free(x);
    return LAB_DONE;
}
