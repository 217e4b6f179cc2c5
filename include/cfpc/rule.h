// SPDX-License-Identifier: Apache-2.0
// rule: how trace and error change the weights.
//
// clang-format off
//     t = e - κ o[n - delay]              what teaches; if rectified, max(e, 0) in place of e
//     d = h t - ρ x o                     of a step; batch: summed over the trial
//     v ← μ v + η d                       or  η d / (ε + hᵀh),  or  η P d,  in place of η d
//     w ← (1 - leak) w + v                held within its bounds
// clang-format on
//
// With all but η left at 0 it is the paper's rule.
#ifndef CFPC_RULE_H
#define CFPC_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "cfpc/config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cfpc_update {
    CFPC_ONLINE, // the weights change at every step                  (the paper's on-line rule)
    CFPC_BATCH   // what is taught is summed; cfpc_next_trial uses it (trial by trial)
} cfpc_update;

typedef struct cfpc_rule {
    cfpc_real rate;                  // η, learning rate
    cfpc_update update;              // when the weights change
    bool rectified;                  // a teaching signal below 0 counts as 0
    cfpc_real normaliser;            // ε; above 0 the rate is divided by ε + hᵀh
    cfpc_real leak;                  // share of a weight lost at each update, 0 to 1
    cfpc_real momentum;              // μ, share of the last change that goes on, 0 to below 1
    cfpc_real output_penalty;        // ρ, price of o² beside e²
    cfpc_real inhibition;            // κ, share of the cell's output taken off what teaches it
    int32_t inhibition_delay_steps;  // how late it is
    cfpc_real weight_low;            // bounds of the weights; equal: none
    cfpc_real weight_high;           //
    const cfpc_real *preconditioner; // P (synapses x synapses), batch only; NULL: none
} cfpc_rule;

#ifdef __cplusplus
}
#endif

#endif
