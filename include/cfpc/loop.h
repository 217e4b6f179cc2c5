// SPDX-License-Identifier: Apache-2.0
// loop: controller, plant and delays, connected into one system.
//
//                               windup               push      shift
//                                 ▼                    ▼         ▼
//   drive ─►(+)─► error delay ─►  C  ─u─► command ─►──(+)─► P ─►(+)─┬─► y
//            ▲-                             delay                   │
//            └── m ◄─(+)◄─────────── measurement delay ◄────────────┘
//                     ▲
//                   noise
//
// The drive is r + o, so that y = T(r + o).
#ifndef CFPC_LOOP_H
#define CFPC_LOOP_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cfpc_loop_def {
    const cfpc_system *controller;   // one input, or two (error, wind-up correction); one output
    const cfpc_system *plant;        // one input, one output, the same step
    int32_t error_delay_steps;       // between the comparison and the controller
    int32_t command_delay_steps;     // between the controller and the plant
    int32_t measurement_delay_steps; // between the plant and the comparison
} cfpc_loop_def;

// Inputs of a loop. A closed one has the first CFPC_LOOP_INPUTS, an open one has them all.
enum {
    CFPC_LOOP_DRIVE, // r + o, from which the measured value is taken
    CFPC_LOOP_PUSH,  // on what enters the plant: o there, a disturbance, process noise
    CFPC_LOOP_SHIFT, // on what the plant puts out: a disturbance that is measured, too
    CFPC_LOOP_NOISE, // on the measured value only
    CFPC_LOOP_INPUTS,
    CFPC_LOOP_APPLIED = CFPC_LOOP_INPUTS, // the command that enters the command delay instead of u
    CFPC_LOOP_WINDUP,                     // on the controller's second input, if it has one
    CFPC_OPEN_LOOP_INPUTS
};

// Outputs of a loop, open or closed.
enum {
    CFPC_LOOP_Y, // what the plant does, shifted
    CFPC_LOOP_U, // the controller's command, before its delay
    CFPC_LOOP_M, // what is measured, after its delay and with its noise
    CFPC_LOOP_OUTPUTS
};

// No delays; the systems are the caller's to set.
cfpc_loop_def cfpc_default_loop_def(void);

// The closed loop of a discrete controller and a discrete plant. CFPC_UNSTABLE if a pole, the
// delays' included, is not inside the unit circle; the loop is made all the same, so that its poles
// can be looked at.
cfpc_status cfpc_close_loop(cfpc_system *loop, const cfpc_loop_def *def);

// The closed loop of a continuous controller and a continuous plant without delays, discretised as
// a whole: exact while the inputs are held. CFPC_BAD_DELAY if there is a delay.
cfpc_status cfpc_close_loop_continuous(cfpc_system *loop, const cfpc_loop_def *def, double step_s);

// The loop cut at the controller's output, for a command that saturates: at every step u comes
// first, then what is applied and the wind-up correction. CFPC_ALGEBRAIC_LOOP if what is applied
// would change u within the step. A correction that would do so (of a controller discretised by
// CFPC_TUSTIN) takes effect one step later. With applied = u and no correction it is the closed
// loop. It is not asked whether it is stable.
cfpc_status cfpc_open_loop(cfpc_system *loop, const cfpc_loop_def *def);

// One path of a loop, open or closed: from a CFPC_LOOP_ input to a CFPC_LOOP_ output.
cfpc_status cfpc_loop_path(cfpc_system *path, const cfpc_system *loop, int32_t input,
                           int32_t output);

// T: the closed loop from the drive to y.
cfpc_status cfpc_transfer(cfpc_system *transfer, const cfpc_system *loop);

// A time in seconds as a whole number of steps; CFPC_BAD_DELAY if it is none.
cfpc_status cfpc_steps_of(double time_s, double step_s, int32_t *steps);

#ifdef __cplusplus
}
#endif

#endif
