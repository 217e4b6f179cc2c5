// SPDX-License-Identifier: Apache-2.0
// arithmetic: whether this machine, as it was compiled for and as it is set now, computes what IEEE
// 754 says.
#ifndef CFPC_MATH_ARITHMETIC_H
#define CFPC_MATH_ARITHMETIC_H

// NULL if it does; otherwise what it does instead, as a part of a sentence: "it sets subnormal
// numbers to 0".
const char *cfpci_arithmetic_fault(void);

#endif
