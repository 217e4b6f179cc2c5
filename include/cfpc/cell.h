// SPDX-License-Identifier: Apache-2.0
// cell: one step of the learning filter.
//
//     o[n]   = x[n]ᵀ w[n]                  (eq. 1)      cfpc_act
//     h_j[n] = trace of x_j                              cfpc_act
//     w[n+1] = w[n] + η h[n] e[n]          (eq. 9)      cfpc_learn
//
// In a loop with a lag or a delay the error e[n] = r[n] - y[n] does not depend on o[n], so both
// halves are one call: cfpc_step.
#ifndef CFPC_CELL_H
#define CFPC_CELL_H

#include "cfpc/data.h"

#ifdef __cplusplus
extern "C" {
#endif

// Learns from the error e of this step and returns o, the counterfactual error to add to the
// controller's input. x: basis signals (synapses), NULL: the row of the model's basis table that
// belongs to the clock. Outside the table (after its last row, until cfpc_next_trial resets the
// clock, or if the model has none) x counts as zeros, so o is 0; the traces decay and learning goes
// on.
// With a model for blocks only (only_blocks) nothing changes: cfpc_step returns 0 and sets
// CFPC_FLAG_ONLY_BLOCKS. Use cfpc_step_block with steps = 1 there.
cfpc_real cfpc_step(const cfpc_model *model, cfpc_data *data, const cfpc_real *x, cfpc_real e);

// The two halves of a step, for an error that is known only after o was applied.
cfpc_real cfpc_act(const cfpc_model *model, cfpc_data *data, const cfpc_real *x);
void cfpc_learn(const cfpc_model *model, cfpc_data *data, cfpc_real e);

// Learns from a teaching signal that is not the error. Report the error with cfpc_watch afterwards.
void cfpc_teach(const cfpc_model *model, cfpc_data *data, cfpc_real teaching);

// Batch learning by the adjoint, without traces (trace: none). With h_j = A x_j,
// Σ h_j t = Σ x_j (Aᵀt) over a trial. So store the teaching signal t of each step, filter it
// backward once at the end of the trial (cfpc_adjoint of the design tier, cfpc/transfer.h), and add
// it with the basis signals of its step. For rules without a normaliser, an output penalty or a
// guard.

// The teaching signal t of this step, after cfpc_act; 0 while nothing is learned.
cfpc_real cfpc_teaching_signal(const cfpc_model *model, cfpc_data *data, cfpc_real e);

// Adds x · teaching to the sum of the trial. x: basis signals (synapses), not NULL.
void cfpc_add_teaching(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                       cfpc_real teaching);

// Ends a trial: judges it (cfpc_end_trial), in batch mode applies the summed update, and resets the
// traces, the clock and the outputs kept for the inhibition. In adjoint form the last M inputs
// learn what is due first, which takes as long as M steps. Batch learning and a basis table need
// it; on line, with x from the caller, a cell can run without ever calling it.
void cfpc_next_trial(const cfpc_model *model, cfpc_data *data);

#ifdef __cplusplus
}
#endif

#endif
