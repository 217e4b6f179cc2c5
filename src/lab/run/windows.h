// SPDX-License-Identifier: Apache-2.0
// windows: the error in parts of a trial, compared with the same parts without the cell.
#ifndef CFPC_LAB_WINDOWS_H
#define CFPC_LAB_WINDOWS_H

#include "spec/spec.h"

// Number of windows in a trial; 0 if the spec does not ask for them.
int lab_windows_of(const lab_spec *spec);

// ‖e‖ of each window of a trial                                              (windows)
void lab_window_norms(int windows, int steps, const double *e, double *norms);

// The largest ratio of such norms to those without the cell; windows without an error there do not
// count.
double lab_worst_window(int windows, int steps, const double *e, const double *reactive);

#endif
