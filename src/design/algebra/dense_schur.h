// SPDX-License-Identifier: Apache-2.0
// dense_schur: h = z t zᵀ with an orthogonal z and a t that is upper triangular, but for blocks of
// two rows on its diagonal, of pairs of complex eigenvalues.
#ifndef CFPC_DESIGN_DENSE_SCHUR_H
#define CFPC_DESIGN_DENSE_SCHUR_H

#include "cfpc/status.h"

#include <stdint.h>

typedef struct cfpci_schur {
    int32_t n;
    int32_t first, end; // h is upper triangular outside of these rows
    double *h;          // becomes t                                             (n x n)
    double *zt;         // zᵀ; NULL: only eigenvalues are wanted, h is destroyed (n x n)
    double *re, *im;    // eigenvalues, positive im first                        (n) each
    double *v, *w;      // scratch                                               (n) each
} cfpci_schur;

// Makes h zero below the diagonal beside it, by reflections.
void cfpci_schur_reduce(cfpci_schur *schur);

// The double-shift QR iteration (Francis).
cfpc_status cfpci_schur_iterate(cfpci_schur *schur);

#endif
