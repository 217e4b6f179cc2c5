// SPDX-License-Identifier: Apache-2.0
// precondition: the matrix P of a rule w += η P g that learns every direction of the weights at the
// same speed: with P close to the inverse of the Gram matrix HᵀH, the number of trials does not
// depend on how similar the bases are.
#ifndef CFPC_PRECONDITION_H
#define CFPC_PRECONDITION_H

#include <stdint.h>

#include "cfpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// out = (G + rho I)⁻¹ (n x n), symmetric, for a symmetric G (n x n) and rho at least 0.
// CFPC_BAD_VALUE if G + rho I has no inverse.
cfpc_status cfpc_preconditioner(int32_t n, const double *gram, double rho, double *out);

// The eigenvalues of a symmetric G (n x n), ascending (n), and its eigenvectors, of length 1, the
// rows of vectors (n x n). For many values of rho this is cheaper: (G + rho I)⁻¹ g = Σ v
// (vᵀg)/(value
// + rho). CFPC_BAD_VALUE if G is not finite.
cfpc_status cfpc_gram_spectrum(int32_t n, const double *gram, double *values, double *vectors);

#ifdef __cplusplus
}
#endif

#endif
