// SPDX-License-Identifier: Apache-2.0
// The light half of dense: products with a vector, in plain C and in one fixed order of summation.
#include "algebra/dense.h"

#include <math.h>
#include <string.h>

#include "algebra/dense_rows.h"
#include "algebra/inline_vectors.h"

enum { LANES = 4 }; // partial sums of a dot product

static double dense_dot(int32_t n, const double *restrict a, const double *restrict b)
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

// Four rows (n each) at once, added in the order of single ones.
static void dense_add_four(int32_t n, double *restrict to, const double *a,
                           const double *restrict rows)
{
    const size_t next = (size_t)n;
    for (size_t j = 0; j < next; j++) {
        double sum = to[j] + a[0] * rows[j];
        sum += a[1] * rows[next + j];
        sum += a[2] * rows[2 * next + j];
        to[j] = sum + a[3] * rows[3 * next + j];
    }
}

CFPC_WIDE void cfpci_dense_times_vector(bool transpose_a, int32_t m, int32_t n, const double *a,
                                        const double *x, double *out)
{
    const size_t down = (size_t)n;
    int32_t i = 0;
    if (!transpose_a) {
        for (; i < m; i++, a += down)
            out[i] = dense_dot(n, a, x);
        return;
    }
    memset(out, 0, down * sizeof *out);
    for (; i + 4 <= m; i += 4, a += 4 * down)
        dense_add_four(n, out, x + i, a);
    for (; i < m; i++, a += down)
        cfpci_row_add(n, out, x[i], a);
}

// Both triangles in one pass: each entry below the diagonal also counts above it.
static double row_and_column(int32_t n, double a, const double *restrict row,
                             const double *restrict x, double *restrict out)
{
    double sum[LANES] = {0};
    int32_t j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int32_t k = 0; k < LANES; k++) {
            sum[k] += row[j + k] * x[j + k];
            out[j + k] += row[j + k] * a;
        }
    for (int32_t k = 0; j < n; j++, k++) {
        sum[k] += row[j] * x[j];
        out[j] += row[j] * a;
    }
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

CFPC_WIDE void cfpci_dense_symmetric_times_vector(int32_t n, const double *a, const double *x,
                                                  double *out)
{
    for (int32_t i = 0; i < n; i++) {
        const double *row = a + (size_t)i * (size_t)n;
        out[i] = row_and_column(i, x[i], row, x, out) + row[i] * x[i];
    }
}

// Scaled by the largest entry, to avoid overflow and underflow.
double cfpci_dense_norm(int32_t n, const double *x)
{
    double most = 0, sum = 0;
    for (int32_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) // NaN propagates
            most = fabs(x[i]);
    if (most == 0 || !isfinite(most))
        return most;
    for (int32_t i = 0; i < n; i++)
        sum += (x[i] / most) * (x[i] / most);
    return most * sqrt(sum);
}
