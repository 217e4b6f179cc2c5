// SPDX-License-Identifier: Apache-2.0
// arm: two joints with coupled inertias,
//
//     M q'' + V q' + K q = u,   M = [m1 c; c m2],   c = κ √(m1 m2),   V and K diagonal.
#ifndef CFPC_LAB_ARM_H
#define CFPC_LAB_ARM_H

#include "cfpc/system.h"
#include "spec/spec.h"

// From both torques to both angles, at this step, for torques that are held between steps.
cfpc_status lab_arm_plant(cfpc_system *plant, const lab_joint_spec joint[2], double coupling,
                          double step_s);

// Makes the loop of a spec that of one joint without coupling: its plant, and a PID with kp : ki :
// kd as V : K : m, which cancels it. The plant's coefficients are in `numbers` and must stay there.
enum { LAB_ARM_NUMBERS = 4 };
void lab_arm_alone(lab_spec *spec, const lab_joint_spec *joint, double numbers[LAB_ARM_NUMBERS]);

#endif
