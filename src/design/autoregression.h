// SPDX-License-Identifier: Apache-2.0
// autoregression: x[n] = -a1 x[n-1] - a2 x[n-2] - … + white noise. The filter 1 + a1 z⁻¹ + … makes
// x white.
#ifndef CFPC_DESIGN_AUTOREGRESSION_H
#define CFPC_DESIGN_AUTOREGRESSION_H

#include <stdint.h>

enum { CFPCI_AR_MAX = 30 };

typedef struct cfpci_whitener {
    int32_t order;                 // 0: x is white already
    double taps[CFPCI_AR_MAX + 1]; // 1, a1, a2, …
} cfpci_whitener;

// The whitener of x (steps), its order chosen by Schwarz's criterion up to max_order.
cfpci_whitener cfpci_whitener_of(int32_t steps, const double *x, int32_t max_order);

// y = whitener x, with 0 before the first step; y is not x.
void cfpci_whiten(const cfpci_whitener *whitener, int32_t steps, const double *x, double *y);

#endif
