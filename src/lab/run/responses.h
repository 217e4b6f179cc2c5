// SPDX-License-Identifier: Apache-2.0
// responses: when what was learned begins, when it is largest, and how large, trial by trial.
#ifndef CFPC_LAB_RESPONSES_H
#define CFPC_LAB_RESPONSES_H

#include "spec/spec.h"

// Of each trial, (trials); no memory where a spec does not ask for it.
typedef struct lab_responses {
    double *onset_ms;  // first time beyond the threshold; NAN if there is no response
    double *peak_ms;   // when it is largest; NAN likewise
    double *amplitude; // its value there, with its sign
} lab_responses;

// The response of a trial (steps): what the cell changed in the output, or what it put out.
void lab_measure_response(const lab_responses *responses, int trial, const lab_spec *spec,
                          int steps, const double *response);

#endif
