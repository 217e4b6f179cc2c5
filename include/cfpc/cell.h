// SPDX-License-Identifier: Apache-2.0
// cell: the step of the learning filter.
//
//     o[n]   = x[n]ᵀ w[n]                  (eq. 1)      cfpc_act
//     h_j[n] = trace of x_j                              cfpc_act
//     w[n+1] = w[n] + η h[n] e[n]          (eq. 9)      cfpc_learn
//
// In a loop that does not answer within the step (every loop with a lag or a delay), the error
// e[n] = r[n] - y[n] is known before o[n] is put out, and one call does all: cfpc_step.
#ifndef CFPC_CELL_H
#define CFPC_CELL_H

#include "cfpc/data.h"

#ifdef __cplusplus
extern "C" {
#endif

// Takes this step's error, learns, and returns o, the counterfactual error to add to the
// controller's input. x: basis signals (synapses), or NULL for the model's own basis table.
// A model made for blocks only (only_blocks) is not stepped: nothing changes, 0 is returned and
// CFPC_FLAG_ONLY_BLOCKS is raised. Use cfpc_step_block with steps = 1 there.
cfpc_real cfpc_step(const cfpc_model *model, cfpc_data *data, const cfpc_real *x, cfpc_real e);

// The two halves of a step, for an error that is known only after o was put out.
cfpc_real cfpc_act(const cfpc_model *model, cfpc_data *data, const cfpc_real *x);
void cfpc_learn(const cfpc_model *model, cfpc_data *data, cfpc_real e);

// Learning alone, for a teaching signal that is not the error: tell the guard (cfpc_watch) as well.
void cfpc_teach(const cfpc_model *model, cfpc_data *data, cfpc_real teaching);

// Batch learning by the adjoint, without traces (trace: none). With h_j = A x_j, the sum of h_j t
// over a trial is that of x_j and Aᵀt. So keep the teaching signal t of each step, filter it
// backward once when the trial is over (cfpc_adjoint), and add it with the basis signals of its
// step. For rules without a normaliser, an output penalty or a guard.
cfpc_real
cfpc_teaching_signal(const cfpc_model *model, cfpc_data *data,
                     cfpc_real e); // t of this step, 0: nothing is learned; after cfpc_act
void cfpc_add_teaching(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                       cfpc_real teaching);

// Ends a trial: traces to rest, clock to 0; in batch mode the summed gradient enters the weights.
void cfpc_next_trial(const cfpc_model *model, cfpc_data *data);

#ifdef __cplusplus
}
#endif

#endif
