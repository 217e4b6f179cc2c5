// SPDX-License-Identifier: Apache-2.0
// characteristic: the function whose zeros are the poles of a discrete system with lines,
//
//     f(ζ) = det(I - W M),   W = diag(ζ^-delay),   f(∞) = 1
//
// over states and lines alike: in discrete time a state is a line of one step. The lines are never
// unfolded: the matrix is as large as states and lines are many, however long they are.
#ifndef CFPC_DESIGN_CHARACTERISTIC_H
#define CFPC_DESIGN_CHARACTERISTIC_H

#include <complex.h>

#include "cfpc/system.h"

typedef struct cfpci_characteristic {
    int32_t n;            // unknowns that are on a ring; the others have their poles at 0
    int32_t quick;        // the first of them, of one step
    int64_t degree;       // sum of their delays: how many zeros f has
    double *m;            // balanced                       (n x n)
    double *delay;        // in steps                       (n)
    double complex *work; //                                (2 n x n)
    double complex *w;    // of the place looked at         (n)
    double complex *z;    // 1 / w                          (n)
} cfpci_characteristic;

// Free it even if this fails.
cfpc_status cfpci_characteristic_make(cfpci_characteristic *it, const cfpc_system *sys);
void cfpci_characteristic_free(cfpci_characteristic *it);

// A number that neither overflows nor vanishes: unit e^size, |unit| = 1. size is -INFINITY for 0.
typedef struct cfpci_large {
    double complex unit;
    double size;
} cfpci_large;

// What is seen at ζ = e^(growth + i angle).
typedef struct cfpci_sight {
    double angle;
    cfpci_large quick; // det(I - A / ζ): f without what comes through the longer lines
    bool small_gain; // what comes through them is smaller than what goes in, whatever their phases
    double turned;   // if so: the angle of f / quick, on a branch that is continuous
    bool has_whole;  //
    cfpci_large whole; // f, or f ζ^degree where growth is below 0
} cfpci_sight;

// The whole is found only where the gain is not small; cfpci_see_whole finds it there too.
cfpci_sight cfpci_see(const cfpci_characteristic *it, double growth, double angle);
void cfpci_see_whole(const cfpci_characteristic *it, double growth, cfpci_sight *sight);

// d log f / d log ζ at ζ = e^log_of; not finite on a zero.
double complex cfpci_characteristic_slope(const cfpci_characteristic *it, double complex log_of);

#endif
