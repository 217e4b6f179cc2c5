// SPDX-License-Identifier: Apache-2.0
// dense: the few dense operations that design needs, in plain C, so that their bits are the same on
// every processor. Matrices are row-major. A matrix with NaN is refused by what factors it
// (CFPC_BAD_VALUE), but for cfpci_dense_qr; an infinity gives NaN. Each kind of factor has a file
// of its own.
#ifndef CFPC_DESIGN_DENSE_H
#define CFPC_DESIGN_DENSE_H

#include <stdbool.h>
#include <stdint.h>

#include "cfpc/status.h"

// out = beta out + op(a) b, where op(a) is a (m x k), or the transpose of a (k x m).
void cfpci_dense_multiply(bool transpose_a, int32_t m, int32_t n, int32_t k, const double *a,
                          const double *b, double beta, double *out);

// out = op(a) x, where a is (m x n) and op(a) is a or its transpose.
void cfpci_dense_times_vector(bool transpose_a, int32_t m, int32_t n, const double *a,
                              const double *x, double *out);

// out = a x, where a is symmetric (n x n) and only its lower triangle is read.
void cfpci_dense_symmetric_times_vector(int32_t n, const double *a, const double *x, double *out);

// The lower triangle of out (n x n) += aᵀ a, where a is (k x n).
void cfpci_dense_add_gram(int32_t n, int32_t k, const double *a, double *out);

double cfpci_dense_norm(int32_t n, const double *x);

// R of a = Q R, upper trapezoidal (min(m, n) x n), Q not formed. a is (m x n) by columns: column j
// starts at a + j m. It is destroyed.
cfpc_status cfpci_dense_qr(int32_t m, int32_t n, double *a, double *r);

// a (m x n, destroyed) = u · diag(s) · vt with k = min(m, n): u (m x k), s (k) descending, vt (k x
// n). u and vt may be NULL, both: s alone.
cfpc_status cfpci_dense_svd(int32_t m, int32_t n, double *a, double *u, double *s, double *vt);

// The largest singular value of a (n x n, destroyed).
cfpc_status cfpci_dense_two_norm(int32_t n, double *a, double *norm);

// Eigenvalues of a symmetric a (n x n): values (n) ascending; row i of a becomes the eigenvector of
// values[i], of length 1.
cfpc_status cfpci_dense_symmetric(int32_t n, double *a, double *values);

// Eigenvalues of a (n x n, destroyed): re (n), im (n).
cfpc_status cfpci_dense_eigenvalues(int32_t n, double *a, double *re, double *im);

// Eigenvalues of a (n x n, destroyed) and its eigenvectors, the columns of v (n x n), of length 1.
// For a pair re ± i im (positive im first) the two columns are the real and imaginary part of the
// first. v may be NULL.
cfpc_status cfpci_dense_modes(int32_t n, double *a, double *re, double *im, double *v);

// Solves a x = b: a (n x n) is destroyed, b (n x columns) becomes x. CFPC_BAD_VALUE if a is
// singular.
cfpc_status cfpci_dense_solve(int32_t n, int32_t columns, double *a, double *b);

// The lower triangle of a symmetric a (n x n) becomes l with a = l lᵀ; only that triangle is read
// and written. CFPC_BAD_VALUE if a is not positive definite.
cfpc_status cfpci_dense_cholesky(int32_t n, double *a);

// b (n x columns) becomes l⁻¹ b, or l⁻ᵀ b, where l is the lower triangle of l (n x n).
cfpc_status cfpci_dense_solve_lower(bool transpose_l, int32_t n, int32_t columns, const double *l,
                                    double *b);

#endif
