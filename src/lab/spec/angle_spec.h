// SPDX-License-Identifier: Apache-2.0
// angle_spec: the angle of a machine that turns, on which basis signals and disturbances may
// depend.
#ifndef CFPC_LAB_ANGLE_SPEC_H
#define CFPC_LAB_ANGLE_SPEC_H

#include "spec/kinds.h"
#include "spec/values.h"

// What the plant's output is to the angle.
#define LAB_ANGLE_OUTPUTS(X)                                                                       \
    X(LAB_OUTPUT_IS_VELOCITY, "velocity")                                                          \
    X(LAB_OUTPUT_IS_POSITION, "position")

typedef enum lab_angle_output { LAB_ANGLE_OUTPUTS(LAB_ENUMERATOR) } lab_angle_output;

typedef struct lab_angle_spec {
    lab_place place;
    lab_angle_output output;
    double turns; // per unit of the output; of a velocity, per unit and second
    double start; // in turns, where the loop begins
    int counts;   // of the encoder per turn; 0: the angle is read exactly
} lab_angle_spec;

#endif
