// SPDX-License-Identifier: Apache-2.0
// data: everything that changes while a cell runs (weights, traces, clock, flags), in one image:
// contiguous memory without pointers, so a copy is one memcpy. memcpy alone is enough within one
// program, between data of the same model (to keep a state and return to it, or to start again from
// it). A save that leaves the program needs cfpc_data_seal before it and cfpc_data_restore after
// it, which checks that it is intact and belongs to the model.
#ifndef CFPC_DATA_H
#define CFPC_DATA_H

#include "cfpc/model.h"

#ifdef __cplusplus
extern "C" {
#endif

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
cfpc_status cfpc_data_init(void *mem, size_t bytes, const cfpc_model *model, cfpc_data **data);

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

#ifdef __cplusplus
}
#endif

#endif
