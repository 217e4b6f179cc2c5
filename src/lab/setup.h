// SPDX-License-Identifier: Apache-2.0
// setup: what a spec describes, built: the loop, the task, the basis, each rule's trace, and the
// least-squares problem they pose.
#ifndef CFPC_LAB_SETUP_H
#define CFPC_LAB_SETUP_H

#include "cfpc/loop.h"
#include "cfpc/problem.h"
#include "spec.h"

typedef struct lab_setup {
    double step_s;        // sampling step
    int steps;            // N
    int bases;            // G
    double *r;            // reference                              (N)
    double *basis;        // X                                      (N x G)
    cfpc_system loop;     // drive to (y, u)
    cfpc_system transfer; // T, drive to y
    cfpc_lti *running;    // the loop as the core runs it
    cfpc_problem problem; // e = e0 - H w
    double rate;          // η, the same for every rule
    int rules;            // how many
    cfpc_system *traces;  // each rule's trace                      (rules)
} lab_setup;

// Builds it all, or says what in the spec cannot be. Free it in either case.
lab_outcome lab_setup_make(lab_setup *setup, const lab_spec *spec, lab_why *why);
void lab_setup_free(lab_setup *setup);

#endif
