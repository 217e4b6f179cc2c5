// SPDX-License-Identifier: Apache-2.0
// signals: signals that the design tests send through systems.
#ifndef CFPC_TESTS_SIGNALS_H
#define CFPC_TESTS_SIGNALS_H

#include "harness.h"

static inline void draw_signal(dice *d, int count, double *x)
{
    for (int k = 0; k < count; k++)
        x[k] = dice_between(d, -1, 1);
}

static inline double dot(int count, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += a[k] * b[k];
    return sum;
}

static inline double norm(int count, const double *a)
{
    return sqrt(dot(count, a, a));
}

#endif
