// SPDX-License-Identifier: Apache-2.0
// simulate: the loop and the cell, running step by step as they would on a machine.
#ifndef CFPC_LAB_SIMULATE_H
#define CFPC_LAB_SIMULATE_H

#include "cfpc/cell.h"
#include "setup.h"

// A loop that runs.
typedef struct lab_running {
    const cfpc_lti *lti; // drive to (y, u)
    cfpc_bank *bank;     // its state
} lab_running;

cfpc_status lab_running_make(lab_running *running, const cfpc_lti *lti);
void lab_running_free(lab_running *running);

// One step with this drive; returns y. Its type is cfpc_running_loop: context is a lab_running.
double lab_running_step(void *context, double drive);

// A cell that runs: the rule's model and its data.
typedef struct lab_cell {
    const cfpc_model *model;
    cfpc_data *data;
} lab_cell;

// A cell with the bases of the setup, this trace, and on-line learning.
cfpc_status lab_cell_make(lab_cell *cell, const lab_setup *setup, const cfpc_system *trace);
void lab_cell_free(lab_cell *cell);

// What a trial leaves; a NULL array is not kept.
typedef struct lab_trial {
    double *y;    // output                    (N)
    double *e;    // error r - y               (N)
    double *o;    // counterfactual error      (N)
    double rrmse; // ‖e‖ / ‖e0‖
} lab_trial;

// Runs one trial from rest: the cell acts, the loop answers, the cell learns.
void lab_simulate_trial(const lab_setup *setup, lab_running *running, lab_cell *cell,
                        lab_trial *trial);

#endif
