// SPDX-License-Identifier: Apache-2.0
// fourier: radix 2, decimation in time, in place.
#include "fourier.h"

#include <stdlib.h>

#include "plain_complex.h"

static const double two_pi = 6.28318530717958648;

// Index n moves to the index with n's bits in reverse order.
static void reorder(int32_t count, double complex *x)
{
    for (int32_t n = 0, mirrored = 0; n < count; n++) {
        if (n < mirrored) {
            const double complex kept = x[n];
            x[n] = x[mirrored];
            x[mirrored] = kept;
        }
        int32_t bit = count / 2;
        for (; bit > 0 && (mirrored & bit); bit /= 2)
            mirrored -= bit;
        mirrored += bit;
    }
}

// Transforms of `half` numbers become transforms of twice as many. turn: (count / 2).
static void combine(int32_t count, int32_t half, const double complex *turn, double complex *x)
{
    const int32_t stride = count / (2 * half);
    for (int32_t first = 0; first < count; first += 2 * half)
        for (int32_t k = 0; k < half; k++) {
            double complex *even = x + first + k, *odd = even + half;
            const double complex turned = cfpci_complex_product(*odd, turn[k * stride]);
            *odd = *even - turned;
            *even += turned;
        }
}

cfpc_status cfpci_fourier(int32_t count, double complex *x)
{
    double complex *turn = malloc(((size_t)count / 2 + 1) * sizeof *turn);
    if (!turn)
        return CFPC_NO_MEMORY;
    for (int32_t k = 0; k < count / 2; k++)
        turn[k] = cos(two_pi * k / count) - sin(two_pi * k / count) * I;
    reorder(count, x);
    for (int32_t half = 1; half < count; half *= 2)
        combine(count, half, turn, x);
    free(turn);
    return CFPC_OK;
}
