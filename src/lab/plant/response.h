// SPDX-License-Identifier: Apache-2.0
// response: impulse responses from a file, and whether a system has one.
#ifndef CFPC_LAB_RESPONSE_H
#define CFPC_LAB_RESPONSE_H

#include "cfpc/system.h"
#include "spec/spec.h"

// A column of a CSV file that the spec names, to be freed in either case.
lab_outcome lab_response_read(double **response, int *steps, const lab_spec *spec, lab_place place,
                              const char *file, const char *column, lab_why *why);

// Samples from the first to the last that count.
int lab_response_taps(int steps, const double *response, double tolerance);

// What to try where a response does not become a system; taps: this many were too many for a
// filter, 0 if it cannot be one.
lab_outcome lab_response_explain(const lab_spec *spec, lab_place place, const char *what,
                                 int max_states, int taps, cfpc_status status, lab_why *why);

// Whether a system has this response but for a twentieth: less is noise, or matters little.
bool lab_has_response(const cfpc_system *sys, int steps, const double *response, double tolerance);

#endif
