// SPDX-License-Identifier: Apache-2.0
// angle: where a machine that turns is.
#ifndef CFPC_LAB_ANGLE_H
#define CFPC_LAB_ANGLE_H

#include "spec/spec.h"

typedef struct lab_angle {
    const lab_angle_spec *spec;
    double step_s;
    double turns; // now
} lab_angle;

// At its start.
lab_angle lab_angle_make(const lab_spec *spec);
void lab_angle_reset(lab_angle *angle);

// The output of this step leads to the angle of the next.
void lab_angle_advance(lab_angle *angle, double y);

// As the encoder gives it, within one turn: 0 to 1.
double lab_angle_read(const lab_angle *angle);

#endif
