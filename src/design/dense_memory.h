// SPDX-License-Identifier: Apache-2.0
// dense_memory: BLAS and LAPACKE when memory runs out. OpenBLAS allocates a large buffer for each
// calling thread, and retries for ever if the allocation fails.
#ifndef CFPC_DESIGN_DENSE_MEMORY_H
#define CFPC_DESIGN_DENSE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

// Whether OpenBLAS will get its buffer: tested once, before a thread's first call. A negative
// result is kept until it is asked for by a caller that can return a status (can_tell).
bool cfpci_dense_has_memory(bool can_tell);

// cfpci_dense_multiply and cfpci_dense_add_gram, which return no status, without a buffer.
void cfpci_dense_plain_multiply(bool transpose_a, int32_t m, int32_t n, int32_t k, const double *a,
                                const double *b, double beta, double *out);
void cfpci_dense_plain_gram(int32_t n, int32_t k, const double *a, double *out);

#endif
