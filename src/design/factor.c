// SPDX-License-Identifier: Apache-2.0
#include "factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"

// [H e0] by columns.
static void by_columns(size_t n, size_t g, const double *h, const double *e0, double *to)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < g; j++)
            to[j * n + i] = h[i * g + j];
    memcpy(to + g * n, e0, n * sizeof *to);
}

cfpc_status cfpci_factor(int32_t steps, int32_t bases, const double *h, const double *e0, double *r,
                         double *c, double *rest)
{
    const size_t n = (size_t)steps, g = (size_t)bases, k = n < g ? n : g;
    const size_t rows = n < g + 1 ? n : g + 1;
    double *columns = malloc(n * (g + 1) * sizeof *columns);
    double *whole = malloc(rows * (g + 1) * sizeof *whole);
    cfpc_status status = columns && whole ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        by_columns(n, g, h, e0, columns);
        status = cfpci_dense_qr(steps, bases + 1, columns, whole);
    }
    for (size_t i = 0; status == CFPC_OK && i < k; i++) {
        memcpy(r + i * g, whole + i * (g + 1), g * sizeof *whole);
        c[i] = whole[i * (g + 1) + g];
    }
    *rest = status == CFPC_OK && rows > k ? fabs(whole[k * (g + 1) + g]) : 0;
    free(columns);
    free(whole);
    return status;
}
