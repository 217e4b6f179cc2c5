// SPDX-License-Identifier: Apache-2.0
// unrounded: what elementary functions are before they are rounded.
#ifndef CFPC_MATH_UNROUNDED_H
#define CFPC_MATH_UNROUNDED_H

#include <stdbool.h>

#include "math/double_double.h"

// e^x = value 2^power, 1 <= value < 2 but for rounding; |x| < 800
typedef struct cfpci_exponential {
    cfpci_dd value;
    int power;
} cfpci_exponential;

cfpci_exponential cfpci_exponential_of(cfpci_dd x);

// ln x for a positive, finite, normal x; and for a double, also a subnormal one
cfpci_dd cfpci_logarithm_of(cfpci_dd x);
cfpci_dd cfpci_logarithm_of_double(double x);

// x^2 + y^2, to the bits that sums of squares cancel
cfpci_dd cfpci_squares(double x, double y);

// On the unit circle, at a finite angle.
typedef struct cfpci_point {
    cfpci_dd sine, cosine;
} cfpci_point;

cfpci_point cfpci_point_at(double angle);

// A finite angle less the nearest multiple of pi/2.
typedef struct cfpci_angle {
    cfpci_dd rest; // x = quarter pi/2 + rest (mod 2 pi), |rest| <= pi/4 but for rounding
    int quarter;   // 0 to 3
} cfpci_angle;

cfpci_angle cfpci_quarter_turns(double x);

// The same for |x| < CFPCI_FEW_TURNS and a rest above 2^-16, of which it is right to 2^-62; false
// for others.
bool cfpci_quarter_turns_quick(double x, cfpci_angle *angle);

// The same by integers, of any size: for |x| > 0.5. The first one takes it from CFPCI_FEW_TURNS on.
cfpci_angle cfpci_many_quarter_turns(double x);
#define CFPCI_FEW_TURNS 0x1p20

#endif
