// SPDX-License-Identifier: Apache-2.0
#include "tall.h"

#include <math.h>
#include <stdlib.h>

#include "dense.h"

cfpc_status cfpci_tall_make(cfpci_tall *it, size_t most, size_t width)
{
    *it = (cfpci_tall){
        .most = most, .width = width, .table = calloc(most * width + 1, sizeof(double))};
    return it->table ? CFPC_OK : CFPC_NO_MEMORY;
}

void cfpci_tall_free(cfpci_tall *it)
{
    free(it->table);
    *it = (cfpci_tall){0};
}

void cfpci_tall_add(cfpci_tall *it, size_t rows, size_t stride, const double *table, double scale)
{
    double *to = it->table + it->rows;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < it->width; j++)
            to[j * it->most + i] = scale * table[i * stride + j];
    it->rows += rows;
}

cfpc_status cfpci_tall_triangle(cfpci_tall *it, double *r)
{
    const size_t rows = it->most < it->width ? it->most : it->width;
    if (rows == 0)
        return CFPC_OK;
    cfpc_status status = cfpci_dense_qr((int32_t)it->most, (int32_t)it->width, it->table, r);
    for (size_t k = 0; status == CFPC_OK && k < rows * it->width; k++)
        if (!isfinite(r[k]))
            status = CFPC_BAD_VALUE;
    return status;
}
