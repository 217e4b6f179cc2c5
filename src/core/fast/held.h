// SPDX-License-Identifier: Apache-2.0
// held: blocks whose weights change at their end (cfpc_adjoint_form.held). The updates are made
// where they always are, pass by pass, but the outputs are those of a copy of the weights that
// is made when the block begins. So it does not matter how a block is cut into passes. The bounds
// of the weights are applied once, after the last pass of a block or of the end of a trial.
#ifndef CFPC_FAST_HELD_H
#define CFPC_FAST_HELD_H

#include "pass_state.h"
#include "past_types.h"

// The weights at the start of the block, for the synapses from begin to end - 1, at their own
// indices. The first pass of a block copies them.
const cfpc_real *cfpci_held_weights(const cfpci_pass *pass, int32_t begin, int32_t end);

// Runs some synapses; start: their weights at the start of the block. idles: weights without past
// input do not change.
void cfpci_held_run(const cfpci_past_run *run, const cfpci_past_strip *strip,
                    const cfpc_real *start, bool is_silent, bool past_is_silent, bool idles);

// A pass that is one step: cfpc_step, or cfpc_step_given if the past is given. Returns o.
cfpc_real cfpci_held_step(cfpci_pass *pass, const cfpc_real *x, const cfpc_real *past);

// The same for one input that is due: cfpc_learn_due.
void cfpci_held_learn_due(cfpci_pass *pass, const cfpc_real *past);

// Applies the bounds to one chunk.
void cfpci_held_bounds(const cfpci_pass *pass, int32_t chunk);

#endif
