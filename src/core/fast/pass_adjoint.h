// SPDX-License-Identifier: Apache-2.0
// pass_adjoint: a pass of a cell in adjoint form.
#ifndef CFPC_FAST_PASS_ADJOINT_H
#define CFPC_FAST_PASS_ADJOINT_H

#include "pass_state.h"

// Sets the steps of the pass, at most `most`, whether they teach, and their gains. is_sound: the
// output of the first step is finite.
void cfpci_adjoint_begin(cfpci_pass *pass, int32_t most, bool is_sound);

// Runs the chunk that starts at this synapse. sums: += x w, lane by lane (steps x CFPC_LANES)
void cfpci_adjoint_chunk(const cfpci_pass *pass, int32_t begin, cfpc_real *sums);

// Puts the teaching signals (steps) into the ring: η δ of all steps of the pass.
void cfpci_set_gains(cfpci_pass *pass, const cfpc_real *t);

#endif
