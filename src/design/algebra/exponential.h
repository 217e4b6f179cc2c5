// SPDX-License-Identifier: Apache-2.0
// exponential: e^A.
#ifndef CFPC_DESIGN_EXPONENTIAL_H
#define CFPC_DESIGN_EXPONENTIAL_H

#include <stdint.h>

#include "cfpc/status.h"

// e^A of a square matrix (n x n, row-major).
cfpc_status cfpci_matrix_exponential(int32_t n, const double *a, double *out);

#endif
