// SPDX-License-Identifier: Apache-2.0
// dense_bidiagonal: a = U B Vᵀ with a bidiagonal B, and the singular values of B (Golub & Kahan).
#ifndef CFPC_DESIGN_DENSE_BIDIAGONAL_H
#define CFPC_DESIGN_DENSE_BIDIAGONAL_H

#include <stdbool.h>

#include "algebra/dense_rotate.h"
#include "cfpc/status.h"

// Both tables hold columns as rows: Uᵀ (n x m) and Vᵀ (n x n), padded by zeros.
typedef struct cfpci_bidiagonal {
    int32_t m, n;  // m >= n
    double *d;     // diagonal of B, then the singular values        (n)
    double *e;     // above it                                       (n)
    double *f, *g; // factors of the reflections, left and right     (n) each
    double *w;     //                                                (n)
    cfpci_rotated ut, vt;
} cfpci_bidiagonal;

// Reduces a (m x n, destroyed). With vectors, ut and vt become the first n columns of U and V as
// rows; without, they are scratch.
void cfpci_bidiagonal_reduce(cfpci_bidiagonal *bidiagonal, double *a, bool vectors);

// d becomes the singular values, not sorted, some negative; the rows of ut and vt, where there are
// tables, turn into the singular vectors.
cfpc_status cfpci_bidiagonal_values(cfpci_bidiagonal *bidiagonal);

#endif
