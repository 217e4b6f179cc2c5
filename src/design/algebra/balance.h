// SPDX-License-Identifier: Apache-2.0
// balance: a scaling that makes rows and columns of a square matrix about equally large.
#ifndef CFPC_BALANCE_H
#define CFPC_BALANCE_H

#include <stdint.h>

// a (n x n, finite) becomes D⁻¹ a D with D = diag(2^exponent), exactly: powers of two cause no
// rounding. An off-diagonal sum of a row or a column below `floor` counts as `floor`, as rows that
// small need no balancing. Without a floor (0) a state whose row or column is zero is not scaled.
void cfpci_balance(int32_t n, double *a, double floor, int32_t *exponent);

// Undoes it: a becomes D a D⁻¹.
void cfpci_unbalance(int32_t n, double *a, const int32_t *exponent);

#endif
