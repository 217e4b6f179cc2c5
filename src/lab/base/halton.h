// SPDX-License-Identifier: Apache-2.0
// halton: Halton's sequence, points that fill a box evenly, without chance.
#ifndef CFPC_LAB_HALTON_H
#define CFPC_LAB_HALTON_H

enum { LAB_HALTON_MAX = 8 }; // dimensions

// Coordinate in (0, 1) of point k, from 1, in a dimension, from 0: the digits of k in the
// dimension's own base, mirrored at the point.
static inline double lab_halton(int k, int dimension)
{
    static const int primes[LAB_HALTON_MAX] = {2, 3, 5, 7, 11, 13, 17, 19};
    const int base = primes[dimension % LAB_HALTON_MAX];
    double digit = 1, sum = 0;
    for (; k > 0; k /= base) {
        digit /= base;
        sum += digit * (k % base);
    }
    return sum;
}

#endif
