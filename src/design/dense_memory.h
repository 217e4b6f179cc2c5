// SPDX-License-Identifier: Apache-2.0
// dense_memory: BLAS and LAPACKE where memory runs out. OpenBLAS takes a large buffer for each
// thread that calls it, and tries for ever if it gets none.
#ifndef CFPC_DESIGN_DENSE_MEMORY_H
#define CFPC_DESIGN_DENSE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

// Whether OpenBLAS will get its buffer: tried once, before a thread's first call. If it will not,
// this stays so until one asks who can tell it by a status.
bool cfpci_dense_has_memory(bool can_tell);

// cfpci_dense_multiply and cfpci_dense_add_gram, which have no status, without a buffer.
void cfpci_dense_plain_multiply(bool transpose_a, int32_t m, int32_t n, int32_t k, const double *a,
                                const double *b, double beta, double *out);
void cfpci_dense_plain_gram(int32_t n, int32_t k, const double *a, double *out);

#endif
