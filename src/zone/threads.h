// SPDX-License-Identifier: Apache-2.0
// threads: runs the chunks of a block, each on one thread.
#ifndef CFPC_ZONE_THREADS_H
#define CFPC_ZONE_THREADS_H

#include <stdint.h>

// Works on one chunk. thread: 0 to threads - 1; two chunks that run at the same time have different
// ones.
typedef void cfpci_chunk_work(void *context, int32_t chunk, int32_t thread);

// Runs all chunks, 0 to chunks - 1, in any order.
void cfpci_zone_each_chunk(int32_t chunks, int32_t threads, cfpci_chunk_work *work, void *context);

#endif
