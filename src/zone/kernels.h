// SPDX-License-Identifier: Apache-2.0
// kernels: matrix products in plain C, in both precisions and for every width of vectors. The
// numbers do not depend on the width, as every sum has its order:
//
//     to[i, p] ← keep to[i, p] + Σ a[i, k] b[k, p]      k = 0, 1, ... CFPC_DEPTH - 1
//     to[i, p] ← to[i, p] + Σ a[i, k] b[k, p]           the next CFPC_DEPTH, and so on
//
// A weight is thus rounded once per block, not once per step.
#ifndef CFPC_ZONE_KERNELS_H
#define CFPC_ZONE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "core/fast/strip.h"

enum { CFPC_DEPTH = 128 }; // products of a sum: what they need of b stays in the cache

typedef struct cfpci_factors {
    int32_t rows;     // of a and to
    int32_t count;    // columns of a, rows of b
    int32_t cells;    // columns of b and to, which have no gaps between their rows
    ptrdiff_t a_row;  // a[i, k] is at a + i · a_row + k · a_next
    ptrdiff_t a_next; //
} cfpci_factors;

// to (rows x cells) ← keep to + a (rows x count) b (count x cells)
typedef void cfpci_multiply_float(const cfpci_factors *of, const float *a, const float *b,
                                  float keep, float *to);
typedef void cfpci_multiply_double(const cfpci_factors *of, const double *a, const double *b,
                                   double keep, double *to);

// The kernel of this width, which the processor must have (cfpci_strip_has).
cfpci_multiply_float *cfpci_multiply_float_by(cfpci_strip_way way);
cfpci_multiply_double *cfpci_multiply_double_by(cfpci_strip_way way);

// By vectors of 16, 32 or 64 bytes; the last two on x86-64 only.
cfpci_multiply_float cfpci_multiply_float_16, cfpci_multiply_float_32, cfpci_multiply_float_64;
cfpci_multiply_double cfpci_multiply_double_16, cfpci_multiply_double_32, cfpci_multiply_double_64;

#endif
