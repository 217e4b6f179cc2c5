// SPDX-License-Identifier: Apache-2.0
// past_types: a strip of a cell in adjoint form. Each synapse multiplies two inputs, that of the
// step for the output and that of M steps ago to learn:
//
//     sum += x w        w ← keep w + gain x_past        clipped to its bounds
#ifndef CFPC_FAST_PAST_TYPES_H
#define CFPC_FAST_PAST_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cfpc/config.h"

// What all strips of a pass have in common.
typedef struct cfpci_past_run {
    int32_t steps;
    int64_t step;          // of the trial, the first one
    bool acts;             // false: x is all zero and not read
    bool learns;           // false: the weights do not change, and the past is not read
    bool adds;             // false: the past is all zero and not read
    const cfpc_real *gain; // η δ                                   (steps)
    cfpc_real keep;        // 1 - leak
    cfpc_real low, high;   // bounds of the weights; none if equal
} cfpci_past_run;

typedef struct cfpci_past_strip {
    int32_t count;         // synapses, the first one at the start of a tile
    cfpc_real *weight;     // w                                     (count)
    const cfpc_real *x;    // of step n at x + n · stride
    ptrdiff_t stride;      //
    const cfpc_real *past; // likewise, of M steps ago
    ptrdiff_t past_stride; //
    cfpc_real *sums;       // += x w, lane by lane                  (steps x CFPC_LANES)
} cfpci_past_strip;

#endif
