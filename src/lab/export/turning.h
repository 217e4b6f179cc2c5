// SPDX-License-Identifier: Apache-2.0
// turning: what exported files have of an angle: the bumps of periodic basis signals, and, in the
// simulated loop, the angle itself and the disturbances that depend on it.
#ifndef CFPC_LAB_EXPORT_TURNING_H
#define CFPC_LAB_EXPORT_TURNING_H

#include <stdio.h>

#include "export/target.h"

// The bumps, as constants around_1, ...
lab_outcome lab_put_bumps(FILE *file, const lab_target *target, lab_why *why);

// The lines that write their columns of the row.
void lab_put_bump_rows(FILE *file, const lab_target *target);

// The simulated angle: its state and tables of what depends on it; the lines that add that to the
// loop's inputs; the lines that move it on, set it back and read it.
lab_outcome lab_put_angle(FILE *file, const lab_target *target, lab_why *why);
void lab_put_angular_inputs(FILE *file, const lab_target *target);
void lab_put_angle_step(FILE *file, const lab_target *target);
void lab_put_angle_reset(FILE *file, const lab_target *target);
void lab_put_angle_read(FILE *file, const lab_target *target);

#endif
