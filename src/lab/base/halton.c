// SPDX-License-Identifier: Apache-2.0
#include "base/halton.h"

// The digits of k in the dimension's own base, mirrored at the point.
double lab_halton(int k, int dimension)
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
