// SPDX-License-Identifier: Apache-2.0
// dense_twins: the dense algebra of this build, and, if that is LAPACK's, the plain twin beside it.
#ifndef CFPC_TESTS_DENSE_TWINS_H
#define CFPC_TESTS_DENSE_TWINS_H

#include "design/dense.h"

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

#define DENSE_OWN(operation) .operation = cfpci_dense_##operation,
#define DENSE_PLAIN(operation) .operation = cfpci_plain_##operation,

#if TEST_BOTH_TWINS
#define DENSE_DECLARE(operation) __typeof__(cfpci_dense_##operation) cfpci_plain_##operation;
DENSE_OPERATIONS(DENSE_DECLARE)
static const dense_twin twins[] = {{.name = "LAPACK", DENSE_OPERATIONS(DENSE_OWN)},
                                   {.name = "plain", DENSE_OPERATIONS(DENSE_PLAIN)}};
#else
static const dense_twin twins[] = {{.name = "plain", DENSE_OPERATIONS(DENSE_OWN)}};
#endif

enum { TWINS = sizeof twins / sizeof *twins };

#endif
