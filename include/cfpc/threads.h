// SPDX-License-Identifier: Apache-2.0
// threads: a block of steps shared out among threads. The sums have one tree, so the numbers are
// those of cfpc_step_block, bit for bit, for every number of threads.
#ifndef CFPC_THREADS_H
#define CFPC_THREADS_H

#include "cfpc/blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

// Threads that a block gains by: the processors there are, or 1 if the library was built without
// OpenMP.
int32_t cfpc_max_threads(void);

// As cfpc_step_block_from, on so many threads (at least 1), or as many as the block has chunks of
// synapses if they are fewer; without OpenMP on one.
cfpc_status cfpc_step_block_threads(const cfpc_model *model, cfpc_data *data,
                                    const cfpc_source *source, const cfpc_real *e, int32_t steps,
                                    cfpc_real *o, int32_t threads);

#ifdef __cplusplus
}
#endif

#endif
