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

// Inputs of a loop. A closed loop has the first CFPC_LOOP_INPUTS, an open loop has all.
enum {
    CFPC_LOOP_DRIVE, // r + o; the measured value is subtracted from it
    CFPC_LOOP_PUSH,  // added to the plant's input: o there, a disturbance, process noise
    CFPC_LOOP_SHIFT, // added to the plant's output: a disturbance that is also measured
    CFPC_LOOP_NOISE, // added to the measured value only
    CFPC_LOOP_INPUTS,
    CFPC_LOOP_APPLIED = CFPC_LOOP_INPUTS, // the command that enters the command delay instead of u
    CFPC_LOOP_WINDUP,                     // the controller's second input, if it has one
    CFPC_OPEN_LOOP_INPUTS
};

// Outputs of a loop, open or closed.
enum {
    CFPC_LOOP_Y, // the plant's output plus the shift
    CFPC_LOOP_U, // the controller's command, before its delay
    CFPC_LOOP_M, // the measured value, with delay and noise
    CFPC_LOOP_OUTPUTS
};

// Defaults: no delays; the caller sets the systems.
cfpc_loop_def cfpc_default_loop_def(void);

// The closed loop of a discrete controller and a discrete plant. CFPC_UNSTABLE if a pole, including
// those of the delays, is not inside the unit circle; the loop is made even then, so that its poles
// can be examined.
cfpc_status cfpc_close_loop(cfpc_system *loop, const cfpc_loop_def *def);

// The closed loop of a continuous controller and a continuous plant without delays, discretised as
// a whole: exact for inputs that are held between steps. CFPC_BAD_DELAY if there is a delay.
cfpc_status cfpc_close_loop_continuous(cfpc_system *loop, const cfpc_loop_def *def, double step_s);

// The loop opened at the controller's output, for a command that saturates: at every step compute u
// first, then the applied command and the wind-up correction. CFPC_ALGEBRAIC_LOOP if the applied
// command would change u within the step. A correction that would do so (for a controller
// discretised by CFPC_TUSTIN) takes effect one step later. With applied = u and no correction it
// equals the closed loop. Stability is not checked.
cfpc_status cfpc_open_loop(cfpc_system *loop, const cfpc_loop_def *def);

// One path of a loop, open or closed: from a CFPC_LOOP_ input to a CFPC_LOOP_ output.
cfpc_status cfpc_loop_path(cfpc_system *path, const cfpc_system *loop, int32_t input,
                           int32_t output);

// T: the closed loop from the drive to y.
cfpc_status cfpc_loop_transfer(cfpc_system *transfer, const cfpc_system *loop);

// Converts a time in seconds to a number of steps; CFPC_BAD_DELAY if it is not a whole number.
cfpc_status cfpc_steps_of(double time_s, double step_s, int32_t *steps);

#ifdef __cplusplus
}
#endif

#endif
