// SPDX-License-Identifier: Apache-2.0
// simulate: runs the loop and the cell through a trial, step by step.
#ifndef CFPC_LAB_SIMULATE_H
#define CFPC_LAB_SIMULATE_H

#include "cfpc/cell.h"
#include "cfpc/learned.h"
#include "cfpc/trace.h"
#include "plant/banks.h"
#include "plant/running_loop.h"
#include "run/fibre.h"
#include "run/prediction.h"
#include "run/rig.h"

// What changes from step to step: the loop, the banks, and the basis signals.
typedef struct lab_simulation {
    lab_running_loop running;
    double turns; // angle of a machine that turns
    lab_basis basis;
    bool predicts;             // a bank is driven by the first stage of a cascade
    lab_prediction prediction; // that stage, where it does
    cfpc_real *x;              // (G)
    bool silent; // the world drives the banks but not the loop, whose only input is o: this is
                 // how a difference in the weights of two cells develops; the angle is that of a
                 // loop that follows its reference
} lab_simulation;

// Free it in either case.
lab_outcome lab_simulation_make(lab_simulation *simulation, const lab_rig *rig, lab_why *why);
void lab_simulation_free(lab_simulation *simulation);

// A cell that runs a rule, made by cell.h: the model, its data, and the teaching signals that are
// on their way.
typedef struct lab_cell {
    const cfpc_model *model;
    cfpc_data *data;
    double late_from, late_to; // steps that the teaching signal is late, at the start and the end
    long late_over;            // steps within which it changes
    long arrived;              // steps so far
    int ring;                  // length of the ring
    double *late;              // the last teaching signals (ring)
    lab_fibre fibre;           // on which they arrive
    cfpc_learned *learned;     // the forward model, where it is learned; else NULL
    int taps;                  // of it
    int answer_peak;           // step at which the loop's answer to o is largest
    double *lesson; // learned after a trial: what arrives in it, then filtered (2 x N); else NULL
    const cfpc_system *trace;           // by which it is filtered, backward
    const cfpc_teaching_filter *filter; // in adjoint form, by this; else NULL
    const cfpc_system *q;               // its Q-filter, NULL: none
    double *smoothed;                   // room for it                                   (3 x N)
    cfpc_status status;                 // of filtering them
} lab_cell;

// What a trial leaves; a NULL array is not kept.
typedef struct lab_trial {
    double *y;              // output                       (N)
    double *e;              // error r - y                  (N)
    double *o;              // counterfactual error         (N)
    double *u;              // command                      (N)
    double *total;          // total command                (N)
    double *push;           // disturbances at the plant's input (N)
    double *x;              // basis signals                (N x G)
    double *m;              // measured                     (N)
    double *teaching;       // what teaches, undelayed      (N)
    double *watched;        // error that the guard watches (N)
    double norm;            // ‖e‖
    double watched_norm;    // ‖·‖ of what the guard watches
    double peak;            // largest |e|
    double prediction;      // error of what was predicted, relative to it; NAN: nothing was
    int longest_saturation; // steps that the command is saturated in a row
    int predicts_from;      // first step at which a learned model predicts; -1: at none
    double model_peak;      // step at which it is largest, last time that it predicted; else NAN
    double model_right;     // step at which it should be, at the end of the trial
    double model_off;       // largest distance from where it should be, while it predicts, in steps
} lab_trial;

// Learns from the last trial, in batch, and filters what is learned where the rule has a Q-filter.
void lab_next_trial(lab_cell *cell);

// Runs a trial, counted from 0: the cell acts, the loop answers, the cell learns. Without a cell it
// is a reactive trial. Where the task resets, all begins at rest.
void lab_simulate_trial(const lab_rig *rig, lab_simulation *simulation, lab_cell *cell, int trial,
                        lab_trial *kept);

// Runs the loop alone through these trials, from rest, and keeps the last.
lab_outcome lab_simulate_alone(const lab_rig *rig, int first, int end, lab_trial *kept,
                               lab_why *why);

#endif
