// SPDX-License-Identifier: Apache-2.0
// exponential: e^A, and the balance that it needs: a scaling that makes rows and columns of a
// square matrix about equally large.
#ifndef CFPC_DESIGN_EXPONENTIAL_H
#define CFPC_DESIGN_EXPONENTIAL_H

#include <stdint.h>

#include "cfpc/status.h"

// a (n x n, finite) becomes D⁻¹ a D with D = diag(2^exponent), exactly: powers of two cause no
// rounding. An off-diagonal sum of a row or a column below `floor` counts as `floor`, as rows that
// small need no balancing. Without a floor (0) a state whose row or column is zero is not scaled.
void cfpci_balance(int32_t n, double *a, double floor, int32_t *exponent);

// Undoes it: a becomes D a D⁻¹.
void cfpci_unbalance(int32_t n, double *a, const int32_t *exponent);

// e^A of a square matrix (n x n, row-major).
cfpc_status cfpci_matrix_exponential(int32_t n, const double *a, double *out);

#endif
