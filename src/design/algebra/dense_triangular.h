// SPDX-License-Identifier: Apache-2.0
// dense_triangular: eigenvectors of the triangular matrix of dense_schur, by back substitution.
#ifndef CFPC_DESIGN_DENSE_TRIANGULAR_H
#define CFPC_DESIGN_DENSE_TRIANGULAR_H

#include <stdbool.h>

#include "algebra/dense_schur.h"

// Row k of x (n x n) becomes the eigenvector of eigenvalue k; for a pair the two rows are the real
// and the imaginary part of the first's.
void cfpci_triangular_vectors(const cfpci_schur *schur, double *x);

#endif
