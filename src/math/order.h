// SPDX-License-Identifier: Apache-2.0
// order: the smaller and the larger of two numbers, and numbers in ascending order. fmin, fmax and
// qsort leave open which of two zeros or of two equal numbers comes first.
#ifndef CFPC_MATH_ORDER_H
#define CFPC_MATH_ORDER_H

#include <stddef.h>

// Where one is NaN, the other one; of two that are equal, b.
static inline double cfpci_min(double a, double b)
{
    return a < b || b != b ? a : b;
}

static inline double cfpci_max(double a, double b)
{
    return a > b || b != b ? a : b;
}

// In place: -0 before 0, NaN at the end.
void cfpci_sort(double *values, size_t count);

#endif
