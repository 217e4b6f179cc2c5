// SPDX-License-Identifier: Apache-2.0
// dense_twins: dense algebra, and LAPACK's beside it.
#ifndef CFPC_BENCH_DENSE_TWINS_H
#define CFPC_BENCH_DENSE_TWINS_H

#include "design/algebra/dense.h"

#define DENSE_OPERATIONS(X)                                                                        \
    X(multiply)                                                                                    \
    X(add_gram)                                                                                    \
    X(qr)                                                                                          \
    X(svd)                                                                                         \
    X(two_norm)                                                                                    \
    X(symmetric)                                                                                   \
    X(eigenvalues)                                                                                 \
    X(modes)                                                                                       \
    X(solve)                                                                                       \
    X(cholesky)                                                                                    \
    X(solve_lower)

typedef struct dense_twin {
    const char *name;
#define DENSE_MEMBER(operation) __typeof__(cfpci_dense_##operation) *operation;
    DENSE_OPERATIONS(DENSE_MEMBER)
} dense_twin;

#define DENSE_DECLARE(operation) __typeof__(cfpci_dense_##operation) bench_lapack_##operation;
DENSE_OPERATIONS(DENSE_DECLARE)

enum { TWINS = 2 };

#endif
