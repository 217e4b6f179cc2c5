// SPDX-License-Identifier: Apache-2.0
// trial_figures: what is measured of a trial: the learned response, and the error in parts of the
// trial.
#ifndef CFPC_LAB_TRIAL_FIGURES_H
#define CFPC_LAB_TRIAL_FIGURES_H

#include "spec/spec.h"

// Onset, peak time and amplitude of the learned response: one value per trial (trials); NULL where
// the spec does not ask for them.
typedef struct lab_responses {
    double *onset_ms;  // first time beyond the threshold; NAN if there is no response
    double *peak_ms;   // when it is largest; NAN likewise
    double *amplitude; // its value there, with its sign
} lab_responses;

// Measures the response of one trial (steps): the change in the output, or the cell's output.
void lab_measure_response(const lab_responses *responses, int trial, const lab_spec *spec,
                          int steps, const double *response);

// ‖e‖ of each window of a trial                                              (windows)
void lab_window_norms(int windows, int steps, const double *e, double *norms);

// The largest ratio of such norms to those without the cell; windows without an error there do not
// count.
double lab_worst_window(int windows, int steps, const double *e, const double *reactive);

#endif
