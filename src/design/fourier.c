// SPDX-License-Identifier: Apache-2.0
// fourier: radix 2, decimation in time, in place. For other counts (Bluestein) 2kn = k² + n² - (k -
// n)² makes the sum a convolution: with w[n] = e^(-πi n²/count), X[k] = w[k] Σ_n x[n] w[n] w*[k -
// n].
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

// w[n]; n² is taken modulo 2 count first, so that its turn is exact.
static double complex chirp(int32_t n, int32_t count)
{
    const double turns = (double)((int64_t)n * n % (2 * (int64_t)count)) / (2.0 * count);
    return cos(two_pi * turns) - sin(two_pi * turns) * I;
}

// a = the circular convolution of a and b, whose transform replaces b.
static cfpc_status convolve_circularly(int32_t count, double complex *a, double complex *b)
{
    cfpc_status status = cfpci_fourier(count, a);
    if (status == CFPC_OK)
        status = cfpci_fourier(count, b);
    for (int32_t k = 0; status == CFPC_OK && k < count; k++) // the inverse goes by the conjugate
        a[k] = conj(cfpci_complex_product(a[k], b[k])) / count;
    if (status == CFPC_OK)
        status = cfpci_fourier(count, a);
    for (int32_t k = 0; status == CFPC_OK && k < count; k++)
        a[k] = conj(a[k]);
    return status;
}

cfpc_status cfpci_fourier_any(int32_t count, double complex *x)
{
    enum { LARGEST = 1 << 28 };
    int32_t room = 1;
    if (count < 1 || count > LARGEST)
        return CFPC_BAD_SIZE;
    while (room < 2 * count)
        room *= 2;
    double complex *a = calloc(2 * (size_t)room, sizeof *a), *b = a + room;
    if (!a)
        return CFPC_NO_MEMORY;
    for (int32_t n = 0; n < count; n++) {
        a[n] = cfpci_complex_product(x[n], chirp(n, count));
        b[n] = b[n ? room - n : 0] = conj(chirp(n, count));
    }
    const cfpc_status status = convolve_circularly(room, a, b);
    for (int32_t k = 0; status == CFPC_OK && k < count; k++)
        x[k] = cfpci_complex_product(a[k], chirp(k, count));
    free(a);
    return status;
}
