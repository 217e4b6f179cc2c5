// SPDX-License-Identifier: Apache-2.0
// dense_isolate: what is done to a matrix before its eigenvalues are computed. Rows and columns are
// permuted, so that eigenvalues that need no iteration are on the diagonal before and after a
// middle part: those of a delay line, whose matrix is nilpotent, which no iteration finds well.
// Then the middle is scaled by powers of 2, so that its rows and columns are alike.
#ifndef CFPC_DESIGN_DENSE_ISOLATE_H
#define CFPC_DESIGN_DENSE_ISOLATE_H

#include <stdint.h>

typedef struct cfpci_isolated {
    int32_t n;
    int32_t first, end; // of the middle; the matrix is upper triangular outside
    int32_t *order;     // row and column i were order[i]     (n)
    double *scale;      // row i was divided by it            (n)
} cfpci_isolated;

// a (n x n) is permuted and scaled. order and scale have room for n; counts: scratch (2 n), copy:
// (n x n).
void cfpci_isolate(cfpci_isolated *isolated, double *a, int32_t *counts, double *copy);

#endif
