// SPDX-License-Identifier: Apache-2.0
// statistics: what identification asks of a signal: its trend, what makes it white, and how likely
// a sum of squares is; and random bits.
#ifndef CFPC_DESIGN_STATISTICS_H
#define CFPC_DESIGN_STATISTICS_H

#include <stdint.h>

// The offset and slope of a signal, by least squares: trend[0] + trend[1] n is nearest to x (steps,
// at least 2).
void cfpci_trend(int32_t steps, const double *x, double trend[2]);

// x + factor (trend[0] + trend[1] n)
void cfpci_add_trend(int32_t steps, double factor, const double trend[2], double *x);

// x[n] = -a1 x[n-1] - a2 x[n-2] - … + white noise: the filter 1 + a1 z⁻¹ + … makes x white.
enum { CFPCI_AR_MAX = 30 };

typedef struct cfpci_whitener {
    int32_t order;                 // 0: x is white already
    double taps[CFPCI_AR_MAX + 1]; // 1, a1, a2, …
} cfpci_whitener;

// The whitener of x (steps), its order chosen by Schwarz's criterion up to max_order.
cfpci_whitener cfpci_whitener_of(int32_t steps, const double *x, int32_t max_order);

// y = whitener x, with 0 before the first step; y is not x.
void cfpci_whiten(const cfpci_whitener *whitener, int32_t steps, const double *x, double *y);

// The probability that the sum of the squares of `freedom` independent standard normal numbers is
// above x. Freedom 0: 1 for x = 0.
double cfpci_above_chi_square(double x, double freedom);

// The next of a sequence of random bits that are always the same for a state at the start
// (splitmix64).
uint64_t cfpci_next_bits(uint64_t *state);

#endif
