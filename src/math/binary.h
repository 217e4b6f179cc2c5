// SPDX-License-Identifier: Apache-2.0
// binary: the bits of doubles, and products with powers of two.
#ifndef CFPC_MATH_BINARY_H
#define CFPC_MATH_BINARY_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "math/double_double.h"

static inline uint64_t cfpci_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double cfpci_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// 2^k for a normal result: -1022 <= k <= 1023
static inline double cfpci_two_to(int k)
{
    return cfpci_from_bits((uint64_t)(k + 1023) << 52);
}

// The nearest integer, of two the even one: rint for |x| < 2^51, without a call where the processor
// has none
static inline double cfpci_nearest(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

// The exponent e of a normal x: 2^e <= |x| < 2^(e + 1)
static inline int cfpci_exponent(double x)
{
    return (int)(cfpci_bits_of(x) >> 52 & 0x7ff) - 1023;
}

// x 2^k exactly, where neither x nor the result is subnormal, or x is 0
static inline double cfpci_scaled(double x, int k)
{
    const int half = k / 2;
    return x * cfpci_two_to(half) * cfpci_two_to(k - half);
}

// (x.hi + x.lo) 2^k, rounded once, for |k| < 2200, and an x that is 0 or between 2^-120 and 2^60:
// also where it is subnormal or overflows. A subnormal result is a multiple of 2^-1074: there it is
// rounded by adding 2^52 times that unit.
static inline double cfpci_round(cfpci_dd x, int k)
{
    if (cfpci_exponent(x.hi) + k >= -1022)
        return k > 1000 ? (x.hi + x.lo) * 0x1p1000 * cfpci_two_to(k - 1000 < 1023 ? k - 1000 : 1023)
                        : cfpci_scaled(x.hi + x.lo, k);
    if (cfpci_exponent(x.hi) + k < -1076)
        return copysign(0, x.hi);
    const cfpci_dd shifted = cfpci_dd_sum(copysign(cfpci_scaled(1, -1022 - k), x.hi), x.hi);
    const double rounded =
        (shifted.hi + (shifted.lo + x.lo)) - copysign(cfpci_scaled(1, -1022 - k), x.hi);
    return copysign(cfpci_scaled(rounded, k + 60) * 0x1p-60, x.hi);
}

// hi + lo rounded; false where another number as near as e to it would be rounded to another
// double. A quick way to a function that is right to e has, where this is true, the bits of every
// other way that differs by less.
static inline bool cfpci_rounds_surely(double hi, double lo, double e, double *rounded)
{
    *rounded = hi + (lo + e);
    return *rounded == hi + (lo - e);
}

#endif
