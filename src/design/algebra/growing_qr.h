// SPDX-License-Identifier: Apache-2.0
// growing_qr: tables stacked vertically, and their triangular factor: with A = Q R, R has the
// singular values, the row space and every norm ‖A w‖ of A, with one row per column of A.
#ifndef CFPC_DESIGN_GROWING_QR_H
#define CFPC_DESIGN_GROWING_QR_H

#include <stddef.h>
#include <stdint.h>

#include "cfpc/status.h"

typedef struct cfpci_growing_qr {
    size_t rows;   // filled so far
    size_t most;   // maximum number of rows
    size_t width;  // columns
    double *table; // by columns: column j starts at j · most    (most x width)
} cfpci_growing_qr;

// Room for `most` rows, all zero; CFPC_NO_MEMORY or CFPC_OK. cfpci_growing_qr_free also accepts a
// zeroed one.
cfpc_status cfpci_growing_qr_make(cfpci_growing_qr *growing_qr, size_t most, size_t width);
void cfpci_growing_qr_free(cfpci_growing_qr *growing_qr);

// Appends scale · table (rows x width, row-major, rows `stride` apart) below the present rows.
void cfpci_growing_qr_add(cfpci_growing_qr *growing_qr, size_t rows, size_t stride,
                          const double *table, double scale);

// R, upper trapezoidal (min(most, width) x width). The table is destroyed. CFPC_BAD_VALUE unless
// all of R is finite.
cfpc_status cfpci_growing_qr_triangle(cfpci_growing_qr *growing_qr, double *r);

// The part of an error that the weights can reach, and the rest.
//
//     [H e0] = Q [R c; 0 rest]        with a = Qᵀe = c - R w,  ‖e0 - H w‖² = rest² + ‖a‖²
//
// h: (steps x bases), e0: (steps); r: (K x bases) and c: (K) with K = min(steps, bases).
cfpc_status cfpci_factor(int32_t steps, int32_t bases, const double *h, const double *e0, double *r,
                         double *c, double *rest);

#endif
