// SPDX-License-Identifier: Apache-2.0
// prediction: the first stage of a cascade. A cell predicts a disturbance d, a lead of L steps
// ahead, from basis signals x of the world (a cue's, say), and learns from how wrong it was:
//
//     p[n] = x[n]ᵀ v          v += η Σ x[n - L] (d[n] - p[n - L])
//
// It needs no forward model: from p to what teaches there is nothing but the lead. As it receives
// nothing of the loop, neither does what it learns depend on the second stage.
#ifndef CFPC_LAB_PREDICTION_H
#define CFPC_LAB_PREDICTION_H

#include "cfpc/cell.h"
#include "plant/banks.h"

typedef struct lab_prediction {
    lab_basis basis; // its basis signals
    int source;      // the disturbance that is predicted
    int lead;        // L, in steps
    double rate;     // η
    const cfpc_model *model;
    cfpc_data *data;
    cfpc_real *x; // (G)
    double *p;    // predicted in this trial                                         (N)
    double wrong; // Σ (d[n] - p[n - L])² of this trial so far
    double power; // Σ d²
} lab_prediction;

// Makes the stage of a spec that has one, frozen and with the weights that it converges to: those
// of least squares in this trial, whether the disturbance is on or not. Free it in either case.
lab_outcome lab_prediction_make(lab_prediction *prediction, const lab_spec *spec,
                                const lab_world *world, int steps, int trial, lab_why *why);
void lab_prediction_free(lab_prediction *prediction);

// Continues with these weights (G), and learns, or does not. Ends with what it then has; in batch,
// the last trial counts only if another follows.
void lab_prediction_start(lab_prediction *prediction, const double *weights, bool learns);
void lab_prediction_end(lab_prediction *prediction, bool to_next, double *weights);

// To rest, at the start of a trial.
void lab_prediction_reset(lab_prediction *prediction);

// One step: learns from the disturbance, returns what is predicted for L steps later.
double lab_prediction_step(lab_prediction *prediction, int trial, int n);

// How wrong the trial was: ‖d - p‖ / ‖d‖, p in time with d; NAN without a disturbance.
double lab_prediction_error(const lab_prediction *prediction);

#endif
