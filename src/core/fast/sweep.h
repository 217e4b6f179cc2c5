// SPDX-License-Identifier: Apache-2.0
// sweep: the part of a block that one pass over the synapses does, in chunks that may be shared out
// among threads.
#ifndef CFPC_FAST_SWEEP_H
#define CFPC_FAST_SWEEP_H

#include "cfpc/blocks.h"
#include "core/for_blocks.h"

typedef struct cfpci_sweep {
    const cfpc_model *model;
    cfpc_data *data;
    const cfpc_source *source;
    const cfpc_real *e;               // of the sweep                      (steps)
    int32_t done;                     // steps of the block before it
    int32_t steps;                    // of the sweep, at least 1
    int32_t chunks;                   // pieces, in any order and at the same time; 0: it is one
                                      // step that cfpci_sweep_end does alone
    bool teaches;                     // false: the weights do not change
    cfpc_real gain[CFPC_SWEEP_STEPS]; // η e, per step                     (steps)
} cfpci_sweep;

// CFPC_OK if this block may be run.
cfpc_status cfpci_block_check(const cfpc_model *model, const cfpc_source *source, int32_t steps);

// The sweep that follows after `done` of the block's steps.
void cfpci_sweep_begin(cfpci_sweep *sweep, const cfpc_model *model, cfpc_data *data,
                       const cfpc_source *source, const cfpc_real *e, int32_t done, int32_t steps);

// One chunk, 0 to chunks - 1. Touches nothing that another does.
void cfpci_sweep_chunk(const cfpci_sweep *sweep, int32_t chunk);

// Adds the chunks up, in their order, and moves the clock on; o of the sweep (its steps).
void cfpci_sweep_end(const cfpci_sweep *sweep, cfpc_real *o);

#endif
