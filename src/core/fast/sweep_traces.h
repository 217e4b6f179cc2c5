// SPDX-License-Identifier: Apache-2.0
// sweep_traces: a sweep of a cell with traces.
#ifndef CFPC_FAST_SWEEP_TRACES_H
#define CFPC_FAST_SWEEP_TRACES_H

#include "sweep_state.h"

// Sets the steps of the sweep, at most `most`, whether they teach, and their gains. is_sound: the
// output of the first step is finite.
void cfpci_traces_begin(cfpci_sweep *sweep, int32_t most, bool is_sound);

// Runs the chunk that starts at this synapse. sums: += x w, lane by lane (steps x CFPC_LANES)
void cfpci_traces_chunk(const cfpci_sweep *sweep, int32_t begin, cfpc_real *sums);

#endif
