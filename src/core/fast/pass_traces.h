// SPDX-License-Identifier: Apache-2.0
// pass_traces: a pass of a cell with traces.
#ifndef CFPC_FAST_PASS_TRACES_H
#define CFPC_FAST_PASS_TRACES_H

#include "pass_state.h"

// Sets the steps of the pass, at most `most`, whether they teach, and their gains. is_sound: the
// output of the first step is finite.
void cfpci_traces_begin(cfpci_pass *pass, int32_t most, bool is_sound);

// Runs the chunk that starts at this synapse. sums: += x w, lane by lane (steps x CFPC_LANES)
void cfpci_traces_chunk(const cfpci_pass *pass, int32_t begin, cfpc_real *sums);

#endif
