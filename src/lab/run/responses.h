// SPDX-License-Identifier: Apache-2.0
// responses: onset, peak time and amplitude of the learned response, trial by trial.
#ifndef CFPC_LAB_RESPONSES_H
#define CFPC_LAB_RESPONSES_H

#include "spec/spec.h"

// One value per trial (trials); NULL where the spec does not ask for them.
typedef struct lab_responses {
    double *onset_ms;  // first time beyond the threshold; NAN if there is no response
    double *peak_ms;   // when it is largest; NAN likewise
    double *amplitude; // its value there, with its sign
} lab_responses;

// Measures the response of one trial (steps): the change in the output, or the cell's output.
void lab_measure_response(const lab_responses *responses, int trial, const lab_spec *spec,
                          int steps, const double *response);

#endif
