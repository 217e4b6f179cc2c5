// SPDX-License-Identifier: Apache-2.0
// controller: the feedback controllers C, continuous.
#ifndef CFPC_CONTROLLER_H
#define CFPC_CONTROLLER_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// u = kp e + ki ∫e dt + kd de/dt, the derivative filtered: kd s / (filter_s s + 1).
typedef struct cfpc_pid {
    double kp;       // proportional gain
    double ki;       // integral gain, 1/s
    double kd;       // derivative gain, s
    double filter_s; // time constant of the derivative's filter in seconds; needed if kd is not 0
} cfpc_pid;

// P, PI, PD or PID: a gain that is zero leaves its state out.
cfpc_status cfpc_pid_controller(cfpc_system *sys, const cfpc_pid *pid);

#ifdef __cplusplus
}
#endif

#endif
