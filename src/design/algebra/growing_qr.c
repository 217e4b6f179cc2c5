// SPDX-License-Identifier: Apache-2.0
#include "algebra/growing_qr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"

cfpc_status cfpci_growing_qr_make(cfpci_growing_qr *growing_qr, size_t most, size_t width)
{
    *growing_qr = (cfpci_growing_qr){
        .most = most, .width = width, .table = calloc(most * width + 1, sizeof(double))};
    return growing_qr->table ? CFPC_OK : CFPC_NO_MEMORY;
}

void cfpci_growing_qr_free(cfpci_growing_qr *growing_qr)
{
    free(growing_qr->table);
    *growing_qr = (cfpci_growing_qr){0};
}

void cfpci_growing_qr_add(cfpci_growing_qr *growing_qr, size_t rows, size_t stride,
                          const double *table, double scale)
{
    double *to = growing_qr->table + growing_qr->rows;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < growing_qr->width; j++)
            to[j * growing_qr->most + i] = scale * table[i * stride + j];
    growing_qr->rows += rows;
}

cfpc_status cfpci_growing_qr_triangle(cfpci_growing_qr *growing_qr, double *r)
{
    const size_t rows = growing_qr->most < growing_qr->width ? growing_qr->most : growing_qr->width;
    if (rows == 0)
        return CFPC_OK;
    cfpc_status status =
        cfpci_dense_qr((int32_t)growing_qr->most, (int32_t)growing_qr->width, growing_qr->table, r);
    for (size_t k = 0; status == CFPC_OK && k < rows * growing_qr->width; k++)
        if (!isfinite(r[k]))
            status = CFPC_BAD_VALUE;
    return status;
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
        cfpci_rows_transpose(steps, bases, h, g, columns, n);
        memcpy(columns + g * n, e0, n * sizeof *columns);
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
