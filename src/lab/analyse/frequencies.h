// SPDX-License-Identifier: Apache-2.0
// frequencies: where the basis signals have power: there a forward model must be right.
#ifndef CFPC_LAB_FREQUENCIES_H
#define CFPC_LAB_FREQUENCIES_H

enum { LAB_FREQUENCIES = 96 }; // that are looked at

// Basis signals of one trial.
typedef struct lab_basis_signals {
    int steps, bases; // N, G
    double step_s;    //
    const double *x;  // (N x G)
} lab_basis_signals;

// The power of all bases together at a frequency, without its scale.
double lab_basis_power(const lab_basis_signals *signals, double hz);

// Of `count` frequencies, from one turn per trial up to half the sampling rate, evenly in the
// logarithm, those at which the bases together have at least 1 % of their largest power; returns
// how many. hz: (LAB_FREQUENCIES), ascending.
int lab_find_frequencies(double *hz, const lab_basis_signals *signals);

#endif
