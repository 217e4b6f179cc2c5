// SPDX-License-Identifier: Apache-2.0
// sweep: the part of a block that one pass over the synapses computes, in chunks that may run on
// several threads.
#ifndef CFPC_FAST_SWEEP_H
#define CFPC_FAST_SWEEP_H

#include "sweep_state.h"

// Starts the sweep that follows `done` steps of the block; has_changed must be set.
void cfpci_sweep_begin(cfpci_sweep *sweep, const cfpc_model *model, cfpc_data *data,
                       const cfpc_source *source, const cfpc_real *e, int32_t done, int32_t steps);

// Runs one chunk, 0 to chunks - 1. Chunks share no memory that they write.
void cfpci_sweep_chunk(const cfpci_sweep *sweep, int32_t chunk);

// Sums the chunks in order and advances the clock; o: outputs of the sweep (its steps).
void cfpci_sweep_end(cfpci_sweep *sweep, cfpc_real *o);

#endif
