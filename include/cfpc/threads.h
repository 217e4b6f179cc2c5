// SPDX-License-Identifier: Apache-2.0
// threads: a block of steps on several threads. The order of every sum is fixed, so the results
// equal those of cfpc_step_block, bit for bit, for any number of threads.
#ifndef CFPC_THREADS_H
#define CFPC_THREADS_H

#include "cfpc/blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

// The maximum useful number of threads: the number of processors, or 1 if the library was built
// without OpenMP.
int32_t cfpc_max_threads(void);

// As cfpc_step_block_from, on this number of threads (at least 1), but at most one per chunk of
// synapses; without OpenMP on one thread.
cfpc_status cfpc_step_block_threads(const cfpc_model *model, cfpc_data *data,
                                    const cfpc_source *source, const cfpc_real *e, int32_t steps,
                                    cfpc_real *o, int32_t threads);

// As cfpc_learn_due_from, likewise.
cfpc_status cfpc_learn_due_threads(const cfpc_model *model, cfpc_data *data,
                                   const cfpc_source *source, int32_t threads);

#ifdef __cplusplus
}
#endif

#endif
