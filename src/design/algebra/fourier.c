// SPDX-License-Identifier: Apache-2.0
// fourier: radix 2, decimation in time, in place. For other counts (Bluestein) 2kn = k² + n² - (k -
// n)² makes the sum a convolution: with w[n] = e^(-πi n²/count), X[k] = w[k] Σ_n x[n] w[n] w*[k -
// n].
#include "algebra/fourier.h"

#include <stdlib.h>

#include "math/complex_functions.h"
#include "math/elementary.h"

static void make_turns(int32_t count, double complex *turn)
{
    for (int32_t k = 0; k < count / 2; k++)
        turn[k] = cfpci_unit(-CFPCI_TWO_PI * k / count);
}

// turn: (count / 2)
static void fourier_transform(int32_t count, const double complex *turn, double complex *x)
{
    // Index n moves to the index with n's bits in reverse order.
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
    // Transforms of `half` numbers become transforms of twice as many.
    for (int32_t half = 1; half < count; half *= 2)
        for (int32_t first = 0; first < count; first += 2 * half)
            for (int32_t k = 0; k < half; k++) {
                double complex *even = x + first + k, *odd = even + half;
                const double complex turned =
                    cfpci_complex_product(*odd, turn[k * (count / (2 * half))]);
                *odd = *even - turned;
                *even += turned;
            }
}

cfpc_status cfpci_fourier(int32_t count, double complex *x)
{
    double complex *turn = malloc(((size_t)count / 2 + 1) * sizeof *turn);
    if (!turn)
        return CFPC_NO_MEMORY;
    make_turns(count, turn);
    fourier_transform(count, turn, x);
    free(turn);
    return CFPC_OK;
}

// ---- any count -------------------------------------------------------------------------------

// w[n]; n² is taken modulo 2 count first, so that its turn is exact.
static double complex chirp(int32_t n, int32_t count)
{
    const double turns = (double)((int64_t)n * n % (2 * (int64_t)count)) / (2.0 * count);
    return cfpci_unit(-CFPCI_TWO_PI * turns);
}

cfpc_status cfpci_transform_make(cfpci_transform *made, int32_t count)
{
    enum { LARGEST = 1 << 28 };
    *made = (cfpci_transform){.count = count, .room = 1};
    if (count < 1 || count > LARGEST)
        return CFPC_BAD_SIZE;
    while (made->room < 2 * count)
        made->room *= 2;
    const size_t room = (size_t)made->room;
    made->turn = calloc(room / 2 + (size_t)count + 2 * room, sizeof *made->turn);
    if (!made->turn)
        return CFPC_NO_MEMORY;
    made->chirp = made->turn + room / 2;
    made->kernel = made->chirp + count;
    made->work = made->kernel + room;
    make_turns(made->room, made->turn);
    for (int32_t n = 0; n < count; n++) {
        made->chirp[n] = chirp(n, count);
        made->kernel[n] = made->kernel[n ? made->room - n : 0] = conj(made->chirp[n]);
    }
    fourier_transform(made->room, made->turn, made->kernel);
    return CFPC_OK;
}

void cfpci_transform_free(cfpci_transform *transform)
{
    free(transform->turn);
    *transform = (cfpci_transform){0};
}

// The inverse of the convolution goes by the conjugate.
void cfpci_transform_run(const cfpci_transform *made, double complex *x)
{
    for (int32_t n = 0; n < made->room; n++)
        made->work[n] = n < made->count ? cfpci_complex_product(x[n], made->chirp[n]) : 0;
    fourier_transform(made->room, made->turn, made->work);
    for (int32_t k = 0; k < made->room; k++)
        made->work[k] = conj(cfpci_complex_product(made->work[k], made->kernel[k])) / made->room;
    fourier_transform(made->room, made->turn, made->work);
    for (int32_t k = 0; k < made->count; k++)
        x[k] = cfpci_complex_product(conj(made->work[k]), made->chirp[k]);
}
