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

#include "cfpc/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- data ------------------------------------------------------------------------------------
//
// Everything that changes while a cell runs (weights, traces, clock, flags), in one image:
// contiguous memory without pointers, so a copy is one memcpy. memcpy alone is enough within one
// program, between data of the same model (to keep a state and return to it, or to start again from
// it). A save that leaves the program needs cfpc_data_seal before it and cfpc_data_restore after
// it, which checks that it is intact and belongs to the model.

// Sticky flags: set by a step, cleared only by cfpc_data_reset and cfpc_clear_flags. They report
// what has happened; CFPC_FLAG_FROZEN is also the switch itself: while it is set nothing is
// learned, and learning resumes when it is cleared.
enum {
    CFPC_FLAG_NOT_FINITE = 1,  // an error or an output was NaN or infinite and was not used
    CFPC_FLAG_FROZEN = 2,      // learning has stopped: by cfpc_freeze, by the guard, or, without a
                               // guard, because an output was not finite
    CFPC_FLAG_GUARDED = 4,     // the guard has acted
    CFPC_FLAG_ONLY_BLOCKS = 8, // the model is for blocks only: cfpc_step did nothing, cfpc_learn or
                               // cfpc_teach learned nothing
    CFPC_FLAG_NO_PAST = 16 // adjoint form: the input of M steps ago was not given, so that nothing
                           // was learned; or x was handed in although the model learns from its
                           // table
};

// Size in bytes of the data of a model: the memory that cfpc_data_init needs.
size_t cfpc_data_size(const cfpc_model *model);

// Creates data at rest, with zero weights and enabled (fade 1), in mem (8-byte aligned).
cfpc_status cfpc_data_init(cfpc_data **data, void *mem, size_t bytes, const cfpc_model *model);

// Resets to rest and zero weights and clears the flags.
void cfpc_data_reset(const cfpc_model *model, cfpc_data *data);

// Copies everything. Both must belong to the same model.
cfpc_status cfpc_data_copy(const cfpc_data *from, cfpc_data *to);

// Save: writes the checksum into the image; then store the cfpc_data_bytes(data) bytes at `data`.
void cfpc_data_seal(cfpc_data *data);
size_t cfpc_data_bytes(const cfpc_data *data);

// Restore: checks a save and copies it to `data`, which does not change if the save is refused.
cfpc_status cfpc_data_restore(const cfpc_model *model, cfpc_data *data, const void *save,
                              size_t bytes);

cfpc_real *cfpc_weights(cfpc_data *data); // w (synapses), writable
const cfpc_real *
cfpc_traces(const cfpc_data *data);         // h of the last step (synapses), NULL: not stored
int64_t cfpc_clock(const cfpc_data *data);  // steps since the trial began
uint32_t cfpc_flags(const cfpc_data *data); // CFPC_FLAG_... or'ed
void cfpc_clear_flags(cfpc_data *data, uint32_t flags);
void cfpc_freeze(cfpc_data *data); // sets CFPC_FLAG_FROZEN: learning stops until it is cleared

// The learning rate η of this data: at first, and after cfpc_data_reset, the model's. A rate that
// is not finite is ignored. What the guard's `resume` leaves of it is not included.
void cfpc_set_rate(cfpc_data *data, cfpc_real rate);
cfpc_real cfpc_data_rate(const cfpc_data *data);

// Start and stop at run time: o fades in or out linearly over this number of steps (0: at once). A
// cell starts enabled. Errors teach nothing during a fade and while o is
// off.
void cfpc_enable(cfpc_data *data, int32_t steps);
void cfpc_disable(cfpc_data *data, int32_t steps);
cfpc_real cfpc_fade(const cfpc_data *data); // factor on o at the next step, 0 to 1

// ---- cell ------------------------------------------------------------------------------------

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
// backward once at the end of the trial (cfpc_apply_transpose of the design tier, cfpc/response.h),
// and add it with the basis signals of its step. For rules without a normaliser, an output penalty
// or a guard.

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
