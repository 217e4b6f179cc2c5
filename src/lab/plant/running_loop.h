// SPDX-License-Identifier: Apache-2.0
// running_loop: the loop, running step by step as it would in the world: with disturbances, noise,
// a measurement in steps, a command that saturates and an output that has limits.
#ifndef CFPC_LAB_RUNNING_LOOP_H
#define CFPC_LAB_RUNNING_LOOP_H

#include "base/random.h"
#include "cfpc/lti.h"
#include "plant/systems.h"

typedef struct lab_running_loop {
    const lab_spec *spec;
    cfpc_lti *lti;                  // closed, or cut at the command if that saturates
    cfpc_bank *state;               // of it
    cfpc_lti *feedforward;          // from the reference to the plant's input; NULL: none
    cfpc_bank *feedforward_state;   // of it
    bool saturates;                 //
    double low, high;               // of the command
    bool limits_output;             //
    double output_low, output_high; // of the output
    double windup;                  // correction of the integral per unit of saturated command
    lab_random process;             // noise on the plant's input
    lab_random measured;            // noise on what is measured
    double measurement_step;        // of which what is measured is a multiple; 0: of none
    int error_late, reference_late; // steps that the error, and the reference in it, come late
    int past;                       // steps that are kept of the reference and of what was measured
    int now;                        // place of this step among them
    double *past_r;                 // (past)
    double *past_m;                 // (past)
    double y, u, m;                 // of the last step: output, command, measured
    double total;                   // of the last step: u, the feed-forward path's output and o
    double seen;                    // of the last step: r - m as the controller sees it, without o
    bool is_saturated;              // the command was, in the last step
    long saturated_steps;           // steps since the start in which the command was saturated
} lab_running_loop;

cfpc_status lab_running_loop_make(lab_running_loop *running, const lab_spec *spec,
                                  const lab_loop *loop);
void lab_running_loop_free(lab_running_loop *running);

// Sets the loop to rest.
void lab_running_loop_reset(lab_running_loop *running);

// The noise of a trial is the same whatever was run before it.
void lab_running_loop_seed(lab_running_loop *running, int trial);

// One step: r drives it, push and shift disturb it, o enters where the spec says.
void lab_running_loop_step(lab_running_loop *running, double r, double push, double shift,
                           double o);

// One step from o alone, without noise and rounding, returning minus the change of the teaching
// signal. Its type is cfpc_running_loop: context is a lab_running_loop.
double lab_running_loop_answer(void *context, double o);

#endif
