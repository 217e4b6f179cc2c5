// SPDX-License-Identifier: Apache-2.0
// sweeps: those of a block, and of the end of a trial.
#ifndef CFPC_FAST_SWEEPS_H
#define CFPC_FAST_SWEEPS_H

#include "sweep_state.h"

// Runs all chunks of a sweep, on at most this number of threads.
typedef void cfpci_chunks_runner(const cfpci_sweep *sweep, int32_t threads);

cfpc_status cfpci_run_block(const cfpc_model *model, cfpc_data *data, const cfpc_source *source,
                            const cfpc_real *e, int32_t steps, cfpc_real *o,
                            cfpci_chunks_runner *run_chunks, int32_t threads);
cfpc_status cfpci_run_due(const cfpc_model *model, cfpc_data *data, const cfpc_source *source,
                          cfpci_chunks_runner *run_chunks, int32_t threads);

#endif
