// SPDX-License-Identifier: Apache-2.0
// exponential: the common part of exp, exp2, expm1 and pow.
#ifndef CFPC_MATH_EXPONENTIAL_H
#define CFPC_MATH_EXPONENTIAL_H

#include "math/double_double.h"

// e^x = value 2^power, 1 <= value < 2 but for rounding; |x| < 800
typedef struct cfpci_exponential {
    cfpci_dd value;
    int power;
} cfpci_exponential;

cfpci_exponential cfpci_exponential_of(cfpci_dd x);

#endif
