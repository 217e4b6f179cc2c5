// SPDX-License-Identifier: Apache-2.0
// spectrum: the response of a system of one input and one output at many frequencies. What does not
// depend on the frequency is computed once.
#ifndef CFPC_DESIGN_SPECTRUM_H
#define CFPC_DESIGN_SPECTRUM_H

#include <complex.h>

#include "cfpc/system.h"

// For an input z^n: (Z - M) q = b and y = c q + d, where q are states and lines: in discrete time a
// state is a line of one step. Z = diag(z^delay), or s I.
typedef struct cfpci_spectrum {
    int32_t n;            // unknowns: controllable from the input and observable at the output
    double *m;            // allocated with b, c and delay    (n x n)
    double *b;            // (n)
    double *c;            // (n)
    double *delay;        // of each unknown in steps         (n)
    double d;             //
    double step_s;        // of the system; 0: continuous
    double complex *work; // (n x n + 1)
} cfpci_spectrum;

// Free it even if this fails.
cfpc_status cfpci_spectrum_make(cfpci_spectrum *spectrum, const cfpc_system *sys);
void cfpci_spectrum_free(cfpci_spectrum *spectrum);

// y at this finite frequency; HUGE_VAL on a pole.
double complex cfpci_spectrum_at(const cfpci_spectrum *spectrum, double hz);

#endif
