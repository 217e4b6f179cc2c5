// SPDX-License-Identifier: Apache-2.0
// sweep: the part of a block that one pass over the synapses computes, in chunks that may run on
// several threads.
#ifndef CFPC_FAST_SWEEP_H
#define CFPC_FAST_SWEEP_H

#include "cfpc/blocks.h"
#include "core/for_blocks.h"
#include "source.h"

typedef struct cfpci_sweep {
    const cfpc_model *model;
    cfpc_data *data;
    cfpci_feed now;                   // x
    cfpci_feed past;                  // adjoint form: x of M steps earlier
    int64_t past_step;                // its first step; negative: before the trial, where no input
                                      // learns
    const cfpc_real *e;               // of the sweep                      (steps)
    int32_t steps;                    // of the sweep, at least 1
    int32_t chunks;                   // of synapses, to run in any order, also in parallel;
                                      // 0: one step, which cfpci_sweep_end runs
    bool ends;                        // the trial has ended: no x, no e, only the past learns
    bool teaches;                     // its errors teach; by traces, false: the weights do not
                                      // change
    bool learns;                      // adjoint form: false: the weights do not change
    cfpc_real gain[CFPC_SWEEP_STEPS]; // η e, or in adjoint form η δ, per step (steps)
} cfpci_sweep;

// CFPC_OK if a block of this length can run.
cfpc_status cfpci_block_check(const cfpc_model *model, const cfpc_source *source, int32_t steps);

// Starts the sweep that follows `done` steps of the block.
void cfpci_sweep_begin(cfpci_sweep *sweep, const cfpc_model *model, cfpc_data *data,
                       const cfpc_source *source, const cfpc_real *e, int32_t done, int32_t steps);

// Runs one chunk, 0 to chunks - 1. Chunks share no memory that they write.
void cfpci_sweep_chunk(const cfpci_sweep *sweep, int32_t chunk);

// Sums the chunks in order and advances the clock; o: outputs of the sweep (its steps).
void cfpci_sweep_end(const cfpci_sweep *sweep, cfpc_real *o);

// ---- the end of a trial ----------------------------------------------------------------------

// CFPC_OK if what is due can be learned from this source; *done: where the first sweep starts.
cfpc_status cfpci_due_check(const cfpc_model *model, const cfpc_data *data,
                            const cfpc_source *source, int32_t *done);

// Starts the sweep over inputs that are due, `done` steps after the last step of the trial; false
// if nothing is due any more. It goes on as any other sweep.
bool cfpci_due_begin(cfpci_sweep *sweep, const cfpc_model *model, cfpc_data *data,
                     const cfpc_source *source, int32_t done);

#endif
