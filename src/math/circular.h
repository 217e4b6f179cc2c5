// SPDX-License-Identifier: Apache-2.0
// circular: sine and cosine before they are rounded.
#ifndef CFPC_MATH_CIRCULAR_H
#define CFPC_MATH_CIRCULAR_H

#include "math/double_double.h"

typedef struct cfpci_point { // on the unit circle
    cfpci_dd sine, cosine;
} cfpci_point;

// At a finite angle.
cfpci_point cfpci_point_at(double angle);

#endif
