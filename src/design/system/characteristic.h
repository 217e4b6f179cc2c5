// SPDX-License-Identifier: Apache-2.0
// characteristic: the function whose zeros are the poles of a discrete system with lines,
//
//     f(ζ) = det(I - W M),   W = diag(ζ^-delay),   f(∞) = 1
//
// over states and lines: in discrete time a state is a line of one step. The lines are never
// expanded into states: the matrix has one row per state or line, whatever its delay.
#ifndef CFPC_DESIGN_CHARACTERISTIC_H
#define CFPC_DESIGN_CHARACTERISTIC_H

#include <complex.h>

#include "cfpc/system.h"

typedef struct cfpci_characteristic {
    int32_t n;            // unknowns that are part of a feedback ring; the others have poles at 0
    int32_t quick;        // number of unknowns with a delay of one step; they come first
    int64_t degree;       // sum of the delays: the number of zeros of f
    double *m;            // balanced                       (n x n)
    double *delay;        // in steps                       (n)
    double complex *work; //                                (2 n x n)
    double complex *w;    // at the present ζ               (n)
    double complex *z;    // 1 / w                          (n)
} cfpci_characteristic;

// Free it even if this fails.
cfpc_status cfpci_characteristic_make(cfpci_characteristic *characteristic, const cfpc_system *sys);
void cfpci_characteristic_free(cfpci_characteristic *characteristic);

// A number that neither overflows nor underflows: unit e^size, |unit| = 1. size is -INFINITY for 0.
typedef struct cfpci_large {
    double complex unit;
    double size;
} cfpci_large;

// The values at ζ = e^(growth + i angle).
typedef struct cfpci_sight {
    double angle;
    cfpci_large quick; // det(I - A / ζ): f without the longer lines
    bool small_gain;   // the gain through the longer lines is below 1, whatever their phases
    double turned;     // if so: the angle of f / quick, on a continuous branch
    bool has_whole;    //
    cfpci_large whole; // f, or f ζ^degree if growth is negative
} cfpci_sight;

// `whole` is computed only if the gain is not small; cfpci_see_whole always computes it.
cfpci_sight cfpci_see(const cfpci_characteristic *characteristic, double growth, double angle);
void cfpci_see_whole(const cfpci_characteristic *characteristic, double growth, cfpci_sight *sight);

// Moves the row with the largest entry of column k, from row k to `last`, to k, in a matrix of this
// width; whether one had to move.
bool cfpci_pivot(int32_t width, int32_t k, int32_t last, double complex *a);

// d log f / d log ζ at ζ = e^log_of; not finite on a zero.
double complex cfpci_characteristic_slope(const cfpci_characteristic *characteristic,
                                          double complex log_of);

#endif
