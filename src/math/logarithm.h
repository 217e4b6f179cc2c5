// SPDX-License-Identifier: Apache-2.0
// logarithm: the common part of log, log1p, log2, log10, pow and others.
#ifndef CFPC_MATH_LOGARITHM_H
#define CFPC_MATH_LOGARITHM_H

#include "math/double_double.h"

// ln x for a positive, finite, normal x
cfpci_dd cfpci_logarithm_of(cfpci_dd x);

// The same for a double, also a subnormal one
cfpci_dd cfpci_logarithm_of_double(double x);

#endif
