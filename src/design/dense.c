// SPDX-License-Identifier: Apache-2.0
// The light half of dense: products with a vector, in plain C and in one fixed order of summation.
#include "dense.h"

#include <math.h>
#include <string.h>

enum { LANES = 4 }; // partial sums of a dot product

static double dot(int32_t n, const double *restrict a, const double *restrict b)
{
    double sum[LANES] = {0};
    int32_t j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int32_t k = 0; k < LANES; k++)
            sum[k] += a[j + k] * b[j + k];
    for (int32_t k = 0; j < n; j++, k++)
        sum[k] += a[j] * b[j];
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

static void add_scaled(int32_t n, double *restrict to, double a, const double *restrict x)
{
    for (int32_t j = 0; j < n; j++)
        to[j] += a * x[j];
}

void cfpc_dense_times_vector(bool transpose_a, int32_t m, int32_t n, const double *a,
                             const double *x, double *out)
{
    if (transpose_a)
        memset(out, 0, (size_t)n * sizeof *out);
    for (int32_t i = 0; i < m; i++) {
        const double *row = a + (size_t)i * (size_t)n;
        if (transpose_a)
            add_scaled(n, out, x[i], row);
        else
            out[i] = dot(n, row, x);
    }
}

// Scaled by the largest, so that neither a huge nor a tiny vector is lost.
double cfpc_dense_norm(int32_t n, const double *x)
{
    double most = 0, sum = 0;
    for (int32_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) // a NaN comes through
            most = fabs(x[i]);
    if (most == 0 || !isfinite(most))
        return most;
    for (int32_t i = 0; i < n; i++)
        sum += (x[i] / most) * (x[i] / most);
    return most * sqrt(sum);
}
