// SPDX-License-Identifier: Apache-2.0
#include "cfpc/response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/fourier.h"
#include "math/complex_functions.h"
#include "math/elementary.h"
#include "math/order.h"

cfpc_status cfpc_band_make(cfpc_band *band, int32_t count)
{
    *band = (cfpc_band){0};
    if (count < 2)
        return CFPC_BAD_SHAPE;
    band->hz = calloc(2 * (size_t)count, sizeof *band->hz);
    if (!band->hz)
        return CFPC_NO_MEMORY;
    band->radius = band->hz + count;
    band->count = count;
    return CFPC_OK;
}

void cfpc_band_free(cfpc_band *band)
{
    free(band->hz);
    *band = (cfpc_band){0};
}

double cfpc_band_at(const cfpc_band *band, double hz)
{
    int32_t low = 0, high = band->count - 1;
    if (!(hz > band->hz[low]))
        return band->radius[low];
    if (hz >= band->hz[high])
        return band->radius[high];
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        *(band->hz[middle] <= hz ? &low : &high) = middle;
    }
    const double along = (hz - band->hz[low]) / (band->hz[high] - band->hz[low]);
    return (1 - along) * band->radius[low] + along * band->radius[high];
}

enum { TRIALS = 4, LEAST_GRID = 1024 };

#define DARK 1e-6  // share of its maximum below which |T̂| counts as that much
#define FAINT 1e-9 // likewise for ρ

static cfpc_status inverse(int32_t count, double complex *x)
{
    for (int32_t k = 0; k < count; k++)
        x[k] = conj(x[k]) / count;
    const cfpc_status status = cfpci_fourier(count, x);
    for (int32_t k = 0; k < count; k++)
        x[k] = conj(x[k]);
    return status;
}

// A magnitude, as its logarithm on the grid, becomes the filter of minimum phase that has it: the
// part of its cepstrum before time 0 is folded onto the part after it.
static cfpc_status take_minimum_phase(int32_t grid, double complex *x)
{
    cfpc_status status = inverse(grid, x);
    for (int32_t n = 1; n < grid; n++)
        x[n] = n < grid / 2 ? 2 * creal(x[n]) : n == grid / 2 ? creal(x[n]) : 0;
    if (status == CFPC_OK)
        status = cfpci_fourier(grid, x);
    for (int32_t k = 0; status == CFPC_OK && k < grid; k++) {
        const double size = cfpci_exp(creal(x[k]));
        x[k] = size * cfpci_unit(cimag(x[k]));
    }
    return status;
}

// The all-pass filters and the sign of a member at a frequency (radians per step). The first two
// members have none; then each pair has one or two of first order, with their corner at a frequency
// that differs from pair to pair, from one period per trial to a quarter of the sampling rate.
static double complex band_turn_of(int32_t index, int32_t steps, double frequency)
{
    const double sign = index % 2 == 0 ? 1 : -1;
    const int32_t pair = index / 2;
    if (pair == 0)
        return sign;
    const double low = CFPCI_TWO_PI / steps, high = CFPCI_TWO_PI / 4, golden = 0.61803398874989485;
    const double share = pair * golden - floor(pair * golden);
    const double t = cfpci_tan(low * cfpci_pow(high / low, share) / 2), pole = (1 - t) / (1 + t);
    const double complex z = cfpci_unit(-frequency); // z⁻¹
    const double complex all_pass =
        cfpci_complex_product(z - pole, cfpci_complex_inverse(1 - cfpci_complex_product(pole, z)));
    return sign * (pair % 2 == 1 ? all_pass : cfpci_complex_product(all_pass, all_pass));
}

// path: T̂ on the grid, becomes Δ. filter: (grid)
static cfpc_status band_deviate(const cfpc_band *band, double step_s, int32_t steps, int32_t index,
                                int32_t grid, double complex *path, double complex *filter)
{
    double widest = 0, strongest = 0;
    for (int32_t k = 0; k < grid; k++)
        strongest = cfpci_max(strongest, cfpci_cabs(path[k]));
    for (int32_t k = 0; k < band->count; k++)
        widest = cfpci_max(widest, band->radius[k]);
    if (!(widest > 0) || !(strongest > 0)) {
        memset(path, 0, (size_t)grid * sizeof *path);
        return CFPC_OK;
    }
    for (int32_t k = 0; k < grid; k++) {
        const double hz = (k <= grid / 2 ? k : grid - k) / (grid * step_s);
        filter[k] = cfpci_log(cfpci_max(cfpc_band_at(band, hz), FAINT * widest) /
                              cfpci_max(cfpci_cabs(path[k]), DARK * strongest));
    }
    cfpc_status status = take_minimum_phase(grid, filter);
    for (int32_t k = 0; status == CFPC_OK && k < grid; k++) {
        const double complex turned = band_turn_of(index, steps, CFPCI_TWO_PI * k / grid);
        path[k] = cfpci_complex_product(cfpci_complex_product(path[k], filter[k]), turned);
    }
    return status == CFPC_OK ? inverse(grid, path) : status;
}

cfpc_status cfpc_band_member(const cfpc_band *band, double step_s, int32_t steps,
                             const double *response, int32_t index, double *deviation)
{
    if (!band || !band->hz || !response || !deviation)
        return CFPC_MISSING;
    if (steps < 1 || steps > INT32_MAX / (2 * TRIALS))
        return CFPC_BAD_SIZE;
    if (index < 0 || !(step_s > 0))
        return CFPC_BAD_VALUE;
    int32_t grid = LEAST_GRID;
    while (grid < TRIALS * steps)
        grid *= 2;
    double complex *path = calloc(2 * (size_t)grid, sizeof *path);
    if (!path)
        return CFPC_NO_MEMORY;
    for (int32_t n = 0; n < steps; n++)
        path[n] = response[n];
    cfpc_status status = cfpci_fourier(grid, path);
    if (status == CFPC_OK)
        status = band_deviate(band, step_s, steps, index, grid, path, path + grid);
    for (int32_t n = 0; status == CFPC_OK && n < steps; n++)
        deviation[n] = creal(path[n]);
    free(path);
    return status;
}
