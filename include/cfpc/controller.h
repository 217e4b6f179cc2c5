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

// P, PI, PD or PID: a zero gain adds no state.
cfpc_status cfpc_pid_controller(cfpc_system *sys, const cfpc_pid *pid);

// The same with a second input w, an anti-windup correction of the integral: u = kp e + ki ∫(e + w)
// dt + … . Without an integral w has no effect.
cfpc_status cfpc_pid_controller_with_windup(cfpc_system *sys, const cfpc_pid *pid);

// gain (zero_s s + 1)/(pole_s s + 1): a lead if zero_s is larger, a lag if pole_s is larger. pole_s
// must be above 0.
cfpc_status cfpc_lead_lag(cfpc_system *sys, double gain, double zero_s, double pole_s);

#ifdef __cplusplus
}
#endif

#endif
