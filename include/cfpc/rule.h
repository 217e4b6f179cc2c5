// SPDX-License-Identifier: Apache-2.0
// rule: how trace and error change the weights.
//
// clang-format off
//     t = e - κ o[n - delay]              teaching signal; if rectified, with max(e, 0) for e
//     d = h t - ρ x o                     per step; in batch mode summed over the trial
//     v ← μ v + η d                       normalised: η d / (ε + hᵀh);  preconditioned: η P d
//     w ← (1 - leak) w + v                clipped to its bounds
// clang-format on
//
// On line the last two lines apply at every step. In batch mode they apply once per trial, so leak
// and momentum act per trial, and the normaliser divides by ε plus the trial's sum of hᵀh.
//
// With all but η at 0, this is the paper's rule.
#ifndef CFPC_RULE_H
#define CFPC_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "cfpc/config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cfpc_mode {
    CFPC_ONLINE, // the weights change at every step (the paper's on-line rule)
    CFPC_BATCH   // the updates are summed over a trial and applied by cfpc_next_trial
} cfpc_mode;

typedef struct cfpc_rule {
    cfpc_real rate;           // η, learning rate
    cfpc_mode mode;           // when the weights change
    bool rectified;           // e below 0 counts as 0, before the inhibition is subtracted
    cfpc_real normaliser;     // ε; above 0 the rate is divided by ε + hᵀh; 0: not normalised
    cfpc_real leak;           // fraction of a weight lost per update, 0 to 1
    cfpc_real momentum;       // μ, fraction of the last change that is repeated, 0 to below 1
    cfpc_real output_penalty; // ρ, weight of o² relative to e²
    cfpc_real inhibition;     // κ, gain from the cell's output to its teaching signal
    int32_t inhibition_delay_steps;  // its delay
    cfpc_real weight_low;            // minimum of the weights; no bounds if both are equal. For one
    cfpc_real weight_high;           // bound only, make the other very large, for example 1e30:
                                     // both must be finite
    const cfpc_real *preconditioner; // P (synapses x synapses), batch only; NULL: none
} cfpc_rule;

#ifdef __cplusplus
}
#endif

#endif
