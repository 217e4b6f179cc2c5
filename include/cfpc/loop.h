// SPDX-License-Identifier: Apache-2.0
// loop: controller, plant and delays, closed into one system.
//
//   drive ─►(+)─► error delay ─► C ─► command delay ─► P ─┬─► y
//            ▲-                                           │
//            └──────────────── measurement delay ◄────────┘
//
// The drive is r + o, so that y = T(r + o).
#ifndef CFPC_LOOP_H
#define CFPC_LOOP_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cfpc_loop_def {
    const cfpc_system *controller;   // discrete, one input, one output
    const cfpc_system *plant;        // discrete, one input, one output, the same step
    int32_t error_delay_steps;       // between the comparison and the controller
    int32_t command_delay_steps;     // between the controller and the plant
    int32_t measurement_delay_steps; // between the plant and the comparison
} cfpc_loop_def;

// Outputs of a closed loop.
enum {
    CFPC_LOOP_Y, // what the plant does
    CFPC_LOOP_U, // the controller's command, before its delay
    CFPC_LOOP_OUTPUTS
};

// No delays; the systems are the caller's to set.
cfpc_loop_def cfpc_default_loop_def(void);

// The closed loop, drive to (y, u). CFPC_UNSTABLE if a pole, the delays' included, is not inside
// the unit circle; the loop is made all the same, so that its poles can be looked at.
cfpc_status cfpc_close_loop(cfpc_system *loop, const cfpc_loop_def *def);

// T: the closed loop from the drive to y.
cfpc_status cfpc_transfer(cfpc_system *transfer, const cfpc_system *loop);

// A time in seconds as a whole number of steps; CFPC_BAD_DELAY if it is none.
cfpc_status cfpc_steps_of(double time_s, double step_s, int32_t *steps);

#ifdef __cplusplus
}
#endif

#endif
