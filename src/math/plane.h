// SPDX-License-Identifier: Apache-2.0
// plane: x^2 + y^2, to the bits that sums of squares cancel.
#ifndef CFPC_MATH_PLANE_H
#define CFPC_MATH_PLANE_H

#include "math/double_double.h"

cfpci_dd cfpci_squares(double x, double y);

#endif
