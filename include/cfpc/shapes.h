// SPDX-License-Identifier: Apache-2.0
// shapes: basis signals in time as short shapes, instead of a table of every step.
//
//     x_j[n] = values[start_j + k],   k = n - first_j,   where 0 <= k < length_j; otherwise 0
//
// A bump of 60 steps in a trial of 2500 takes 60 values, and synapses whose bumps differ only in
// their time share them. Where centres lie between two steps, `fraction` shifts the shape by a part
// of a step, by linear interpolation:
//
//     x_j[n] = (1 - f_j) values[start_j + k] + f_j values[start_j + k + 1]
//
// A shape then has length_j + 1 values.
#ifndef CFPC_SHAPES_H
#define CFPC_SHAPES_H

#include <stdint.h>

#include "cfpc/config.h"
#include "cfpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cfpc_shapes {
    int32_t synapses;          // length of a row
    const cfpc_real *values;   // all shapes, one after the other
    const int32_t *start;      // index in values of the synapse's shape             (synapses)
    const int32_t *length;     // number of steps at which it is not 0, 0 or more     (synapses)
    const int32_t *first;      // the first of these steps; may be negative           (synapses)
    const cfpc_real *fraction; // part of a step, 0 <= f < 1; NULL: all are 0         (synapses)
} cfpc_shapes;

// CFPC_OK, or a status that says which of the sizes or fractions is invalid. The number of values
// is not known here: that start_j + length_j (+ 1) stays within them is up to the caller.
cfpc_status cfpc_shapes_check(const cfpc_shapes *shapes);

// The basis signals at this step of the trial (any number), x (synapses). Pass x to cfpc_step; with
// a teaching filter (CFPC_PAST_GIVEN) pass the rows of this step and of M steps ago to
// cfpc_step_given, which saves the ring of past inputs.
void cfpc_shapes_row(const cfpc_shapes *shapes, int64_t step, cfpc_real *x);

#ifdef __cplusplus
}
#endif

#endif
