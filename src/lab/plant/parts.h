// SPDX-License-Identifier: Apache-2.0
// parts: what a loop is made of, before it is closed.
#ifndef CFPC_LAB_PARTS_H
#define CFPC_LAB_PARTS_H

#include "base/outcome.h"
#include "cfpc/loop.h"

typedef struct lab_parts {
    double step_s;
    cfpc_system plant, controller; // discrete, or as given if the loop is closed as a whole
    cfpc_system feedforward;       // discrete; empty if there is none
    bool whole_loop;
    int32_t error_delay_steps, command_delay_steps, measurement_delay_steps;
} lab_parts;

void lab_parts_free(lab_parts *parts);

// CFPC_UNSTABLE leaves a loop even then; see cfpc_close_loop and cfpc_open_loop.
cfpc_status lab_parts_close(cfpc_system *closed, const lab_parts *parts);
cfpc_status lab_parts_cut(cfpc_system *open, const lab_parts *parts);

// Multiplies the output of a system with one output.
void lab_scale_output(cfpc_system *sys, double by);

// What to do about an unstable loop of these parts. A plant that is unstable by itself needs gains
// that are neither too low nor too high: other gains are tried, and the advice names those that are
// stable. The gain of the controller is changed.
void lab_gain_advice(lab_why *advice, lab_parts *parts);

#endif
