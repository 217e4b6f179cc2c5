// SPDX-License-Identifier: Apache-2.0
#include "base/rows.h"

#include "design/algebra/inline_vectors.h"

// Four rows at a time: out is then read and written a quarter as often, and the sums are the same.
static void rows_add_four(double *restrict out, const double *restrict a, size_t columns,
                          const double factor[4])
{
    const double *b = a + columns, *c = b + columns, *d = c + columns;
    for (size_t j = 0; j < columns; j++)
        out[j] = out[j] + factor[0] * a[j] + factor[1] * b[j] + factor[2] * c[j] + factor[3] * d[j];
}

static void add_one(double *restrict out, const double *restrict a, size_t columns, double factor)
{
    for (size_t j = 0; j < columns; j++)
        out[j] += factor * a[j];
}

CFPC_WIDE void lab_add_rows(double *out, const double *a, size_t rows, size_t columns,
                            const double *x, size_t stride, double scale)
{
    size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        double factor[4];
        for (size_t k = 0; k < 4; k++)
            factor[k] = scale * x[(i + k) * stride];
        rows_add_four(out, a + i * columns, columns, factor);
    }
    for (; i < rows; i++)
        add_one(out, a + i * columns, columns, scale * x[i * stride]);
}
