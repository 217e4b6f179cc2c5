// SPDX-License-Identifier: Apache-2.0
// pass: once over the synapses, for some steps of a block, in chunks that may run on
// several threads.
#ifndef CFPC_FAST_PASS_H
#define CFPC_FAST_PASS_H

#include "pass_state.h"

// Starts the pass that follows `done` steps of the block; has_changed must be set.
void cfpci_pass_begin(cfpci_pass *pass, const cfpc_model *model, cfpc_data *data,
                      const cfpc_source *source, const cfpc_real *e, int32_t done, int32_t steps);

// Runs one chunk, 0 to chunks - 1. Chunks share no memory that they write.
void cfpci_pass_chunk(const cfpci_pass *pass, int32_t chunk);

// Sums the chunks in order and advances the clock; o: outputs of the pass (its steps).
void cfpci_pass_end(cfpci_pass *pass, cfpc_real *o);

#endif
