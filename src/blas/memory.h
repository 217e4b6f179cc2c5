// SPDX-License-Identifier: Apache-2.0
// memory: OpenBLAS when memory runs out. It allocates a large buffer for each calling thread, and
// retries for ever if the allocation fails.
#ifndef CFPC_BLAS_MEMORY_H
#define CFPC_BLAS_MEMORY_H

#include <stdbool.h>

// Whether OpenBLAS will get its buffer: tested once, before a thread's first call. A negative
// result is kept until it is asked for by a caller that can return a status (can_tell).
bool cfpci_blas_has_memory(bool can_tell);

#endif
