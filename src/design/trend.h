// SPDX-License-Identifier: Apache-2.0
// trend: the offset and slope of a signal, by least squares.
#ifndef CFPC_DESIGN_TREND_H
#define CFPC_DESIGN_TREND_H

#include <stdint.h>

// trend[0] + trend[1] n is nearest to x (steps, at least 2).
void cfpci_trend(int32_t steps, const double *x, double trend[2]);

// x + factor (trend[0] + trend[1] n)
void cfpci_add_trend(int32_t steps, double factor, const double trend[2], double *x);

#endif
