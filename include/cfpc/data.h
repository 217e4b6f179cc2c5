// SPDX-License-Identifier: Apache-2.0
// data: all that changes while a cell runs (weights, traces, clock, flags), in one image,
// contiguous memory without pointers: copy, save, restore and reset are one memcpy.
#ifndef CFPC_DATA_H
#define CFPC_DATA_H

#include "cfpc/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sticky flags: raised by a step, lowered only by cfpc_data_reset or cfpc_lower_flags.
enum {
    CFPC_FLAG_NOT_FINITE = 1, // an error or an output was NaN or infinite; it was not used
    CFPC_FLAG_FROZEN = 2,     // learning stands still
    CFPC_FLAG_GUARDED = 4,    // the guard has acted
    CFPC_FLAG_ONLY_BLOCKS = 8 // the model was made for blocks only: cfpc_step did nothing, or
                              // cfpc_learn or cfpc_teach learned nothing
};

// Bytes of the data that belongs to a model.
size_t cfpc_data_size(const cfpc_model *model);

// Places data at rest with zero weights in mem (8-byte aligned).
cfpc_status cfpc_data_init(void *mem, size_t bytes, const cfpc_model *model, cfpc_data **data);

// Back to rest with zero weights, flags lowered.
void cfpc_data_reset(const cfpc_model *model, cfpc_data *data);

// Copies everything; both must belong to the same model.
cfpc_status cfpc_data_copy(const cfpc_data *from, cfpc_data *to);

// Save: seals the image with its checksum, then cfpc_data_bytes(data) bytes at `data` are the save.
void cfpc_data_seal(cfpc_data *data);
size_t cfpc_data_bytes(const cfpc_data *data);

// Restore: checks a sealed save and copies it over `data`, which is untouched if it is refused.
cfpc_status cfpc_data_restore(const cfpc_model *model, cfpc_data *data, const void *save,
                              size_t bytes);

cfpc_real *cfpc_weights(cfpc_data *data); // w (synapses), writable
const cfpc_real *
cfpc_traces(const cfpc_data *data);         // h of the last step (synapses), NULL: not kept
int64_t cfpc_clock(const cfpc_data *data);  // steps since the trial began
uint32_t cfpc_flags(const cfpc_data *data); // CFPC_FLAG_... or'ed
void cfpc_lower_flags(cfpc_data *data, uint32_t flags);
void cfpc_freeze(cfpc_data *data); // raises CFPC_FLAG_FROZEN: no more learning

// Starting and stopping at run time: o fades in or out, linearly over so many steps (0: at once).
// Learning stands still while o is not wholly there.
void cfpc_enable(cfpc_data *data, int32_t steps);
void cfpc_disable(cfpc_data *data, int32_t steps);
cfpc_real cfpc_fade(const cfpc_data *data); // share of o that the next step puts out, 0 to 1

#ifdef __cplusplus
}
#endif

#endif
