// SPDX-License-Identifier: Apache-2.0
// motor: a brushless motor with cogging torque and an encoder, simulated. On your board it is a
// machine, and this file goes away.
#ifndef MOTOR_H
#define MOTOR_H

#include <stdint.h>

enum { COUNTS = 8192 }; // of the encoder per turn

void motor_reset(void);

// Runs the motor for 1 ms with this torque, in mN m.
void motor_run(float torque);

// What the encoder says: 0 to COUNTS - 1.
int32_t motor_count(void);

// The true velocity, in turns per second, which no sensor has: for the record only.
float motor_velocity(void);

#endif
