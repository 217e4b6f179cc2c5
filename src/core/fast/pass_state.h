// SPDX-License-Identifier: Apache-2.0
// pass_state: a pass, and what both forms of a cell ask of it.
#ifndef CFPC_FAST_PASS_STATE_H
#define CFPC_FAST_PASS_STATE_H

#include "core/cell_parts.h"
#include "core/data_image.h"
#include "core/numbers.h"
#include "source.h"

typedef struct cfpci_pass {
    const cfpc_model *model;
    cfpc_data *data;
    cfpci_feed now;                  // x
    cfpci_feed past;                 // adjoint form: x of M steps earlier
    int64_t past_step;               // its first step; negative: before the trial, where no input
                                     // learns
    const cfpc_real *e;              // of the pass                      (steps)
    int32_t steps;                   // of the pass, at least 1
    int32_t chunks;                  // of synapses, to run in any order, also in parallel;
                                     // 0: one step, which cfpci_pass_end runs
    bool ends;                       // the trial has ended: no x, no e, only the past learns
    bool teaches;                    // its errors teach; by traces, false: the weights do not
                                     // change
    bool learns;                     // adjoint form: false: the weights do not change
    bool holds;                      // the weights are held (held.h); the next ones are for this
    bool is_first;                   // of its block
    bool is_whole;                   // it is the whole block
    bool has_changed;                // the weights, since the block began
    bool bounds;                     // not steps: chunks apply the bounds of the weights
    cfpc_real gain[CFPC_PASS_STEPS]; // η e, or in adjoint form η δ, per step (steps)
} cfpci_pass;

// Whether the error of the step `ahead` steps after the next one teaches: not while frozen or
// during a fade.
static inline bool cfpci_teaches(const cfpc_data *data, int32_t ahead, cfpc_real e)
{
    return cfpci_is_finite(e) && !(data->flags & CFPC_FLAG_FROZEN) &&
           cfpci_fade_after(data, ahead) >= 1;
}

static inline int32_t cfpci_chunk_end(const cfpc_data *data, int32_t begin)
{
    const int32_t left = data->synapses - begin;
    return begin + (left < CFPC_CHUNK ? left : CFPC_CHUNK);
}

// Whether zeros times these weights are zeros.
static inline bool cfpci_finite_weights(const cfpc_real *w, int32_t count)
{
    int32_t others = 0;
    for (int32_t j = 0; j < count; j++)
        others |= !(0 * w[j] == 0);
    return !others;
}

#endif
