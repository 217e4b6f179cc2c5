// SPDX-License-Identifier: Apache-2.0
// dense_product: products of matrices, without memory of their own. Every sum runs in
// the order of its terms, whatever the tiles.
#ifndef CFPC_DESIGN_DENSE_PRODUCT_H
#define CFPC_DESIGN_DENSE_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A left factor, or its transpose: entry (i, l) is at[i down + l across].
typedef struct cfpci_factor {
    const double *at;
    size_t down, across;
} cfpci_factor;

// out (m x n) += a b, or -= if minus. Rows of b (k x n) are b_down apart, those of out out_down.
void cfpci_product(bool minus, int32_t m, int32_t n, int32_t k, cfpci_factor a, const double *b,
                   size_t b_down, double *out, size_t out_down);

#endif
