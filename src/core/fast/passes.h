// SPDX-License-Identifier: Apache-2.0
// passes: those of a block, and of the end of a trial.
#ifndef CFPC_FAST_PASSES_H
#define CFPC_FAST_PASSES_H

#include "pass_state.h"

// Runs all chunks of a pass, on at most this number of threads.
typedef void cfpci_chunks_runner(const cfpci_pass *pass, int32_t threads);

cfpc_status cfpci_run_block(const cfpc_model *model, cfpc_data *data, const cfpc_source *source,
                            const cfpc_real *e, int32_t steps, cfpc_real *o,
                            cfpci_chunks_runner *run_chunks, int32_t threads);
cfpc_status cfpci_run_due(const cfpc_model *model, cfpc_data *data, const cfpc_source *source,
                          cfpci_chunks_runner *run_chunks, int32_t threads);

#endif
