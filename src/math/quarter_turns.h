// SPDX-License-Identifier: Apache-2.0
// quarter_turns: an angle less the nearest multiple of pi/2.
#ifndef CFPC_MATH_QUARTER_TURNS_H
#define CFPC_MATH_QUARTER_TURNS_H

#include <stdbool.h>

#include "math/double_double.h"

typedef struct cfpci_angle {
    cfpci_dd rest; // x = quarter pi/2 + rest (mod 2 pi), |rest| <= pi/4 but for rounding
    int quarter;   // 0 to 3
} cfpci_angle;

// For a finite x.
cfpci_angle cfpci_quarter_turns(double x);

// The same for |x| < CFPCI_FEW_TURNS and a rest above 2^-16, of which it is right to 2^-62; false
// for others.
bool cfpci_quarter_turns_quick(double x, cfpci_angle *angle);

// The same by integers, of any size: for |x| > 0.5. The other one takes it from CFPCI_FEW_TURNS on.
cfpci_angle cfpci_many_quarter_turns(double x);
#define CFPCI_FEW_TURNS 0x1p20

#endif
