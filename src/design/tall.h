// SPDX-License-Identifier: Apache-2.0
// tall: tables stacked vertically, and their triangular factor: with A = Q R, R has the singular
// values, the row space and every norm ‖A w‖ of A, with one row per column of A.
#ifndef CFPC_DESIGN_TALL_H
#define CFPC_DESIGN_TALL_H

#include <stddef.h>

#include "cfpc/status.h"

typedef struct cfpci_tall {
    size_t rows;   // filled so far
    size_t most;   // maximum number of rows
    size_t width;  // columns
    double *table; // by columns: column j starts at j · most    (most x width)
} cfpci_tall;

// Room for `most` rows, all zero; CFPC_NO_MEMORY or CFPC_OK. cfpci_tall_free also accepts a zeroed
// one.
cfpc_status cfpci_tall_make(cfpci_tall *it, size_t most, size_t width);
void cfpci_tall_free(cfpci_tall *it);

// Appends scale · table (rows x width, row-major, rows `stride` apart) below the present rows.
void cfpci_tall_add(cfpci_tall *it, size_t rows, size_t stride, const double *table, double scale);

// R, upper trapezoidal (min(most, width) x width). The table is destroyed. CFPC_BAD_VALUE unless
// all of R is finite.
cfpc_status cfpci_tall_triangle(cfpci_tall *it, double *r);

#endif
