// SPDX-License-Identifier: Apache-2.0
// identify_band: radius(f) = |T̂(f) - G(f)| + k s(f), T̂ being the model's response over the taps, G
// the mean of the FIR's posterior, s the larger axis of the posterior's covariance at f (a 2 x 2
// matrix, of the real and the imaginary part), and k the quantile of max_f |G' - G|/s over draws G'
// of the posterior. So the band holds for all frequencies at once, however they are related. The
// draws are always the same. What the model answers after the last tap may all be wrong: it is
// added.
#include "identify/fir.h"

#include <math.h>
#include <stdlib.h>

#include "algebra/dense.h"
#include "algebra/fourier.h"
#include "cfpc/response.h"
#include "identify/statistics.h"
#include "math/complex_functions.h"
#include "math/elementary.h"
#include "math/order.h"

enum {
    DRAWS = 400,
    LEAST_GRID = 256 // half of the least transform
};

static const double thinning = 0.015; // neighbours of the band are this fraction apart
// ---- draws -----------------------------------------------------------------------------------

static double next_uniform(uint64_t *state)
{
    return ((double)(cfpci_next_bits(state) >> 11) + 0.5) / 9007199254740992.0;
}

// Deviations from the mean, one per row (DRAWS x taps).
static cfpc_status draw_responses(const cfpci_posterior *fir, double *draws)
{
    const size_t count = (size_t)DRAWS * (size_t)fir->taps;
    double *normal = malloc(count * sizeof *normal), sine, cosine;
    uint64_t state = 1;
    if (!normal)
        return CFPC_NO_MEMORY;
    for (size_t i = 0; i < count; i += 2) { // Box and Muller: two normal numbers
        const double size = sqrt(-2 * cfpci_log(next_uniform(&state)));
        cfpci_sin_cos(CFPCI_TWO_PI * next_uniform(&state), &sine, &cosine);
        normal[i] = size * cosine;
        if (i + 1 < count)
            normal[i + 1] = size * sine;
    }
    cfpci_dense_multiply(false, DRAWS, fir->taps, fir->taps, normal, fir->spread, 0, draws);
    free(normal);
    return CFPC_OK;
}

// ---- at all frequencies ----------------------------------------------------------------------

typedef struct spectra {
    int32_t grid;           // frequencies, from 0 to half the sampling rate, less one
    double complex *padded; // a transform                           (2 grid)
    double *draws;          // owns what follows, too                (DRAWS x taps)
    double *most;           // max_f |G' - G|/s of each draw         (DRAWS)
    double *square;         // Σ re², Σ im², Σ re im of the draws    (grid + 1 x 3)
    double *axis;           // s                                     (grid + 1)
    double *radius;         // (grid + 1)
    double *hz, *re, *im;   // of the model                          (grid + 1)
} spectra;

static cfpc_status spectra_make(spectra *made, int32_t dead_time, int32_t taps)
{
    int32_t grid = LEAST_GRID;
    while (grid < 2 * (dead_time + taps))
        grid *= 2;
    const size_t count = (size_t)grid + 1, draws = (size_t)DRAWS * (size_t)taps;
    *made = (spectra){.grid = grid,
                      .padded = malloc(2 * count * sizeof(double complex)),
                      .draws = calloc(draws + DRAWS + 8 * count, sizeof(double))};
    if (!made->padded || !made->draws)
        return CFPC_NO_MEMORY;
    made->most = made->draws + draws;
    made->square = made->most + DRAWS;
    made->axis = made->square + 3 * count;
    made->radius = made->axis + count;
    made->hz = made->radius + count;
    made->re = made->hz + count;
    made->im = made->re + count;
    return CFPC_OK;
}

static cfpc_status identify_band_transform(spectra *spectra, int32_t count, const double *x)
{
    for (int32_t k = 0; k < 2 * spectra->grid; k++)
        spectra->padded[k] = k < count ? x[k] : 0;
    return cfpci_fourier(2 * spectra->grid, spectra->padded);
}

// The draws' axes and k.
static cfpc_status identify_band_spread_of(spectra *spectra, const cfpci_posterior *fir,
                                           double confidence, double *k)
{
    const size_t taps = (size_t)fir->taps;
    cfpc_status status = draw_responses(fir, spectra->draws);
    for (size_t i = 0; status == CFPC_OK && i < DRAWS; i++) {
        status = identify_band_transform(spectra, fir->taps, spectra->draws + i * taps);
        for (int32_t f = 0; f <= spectra->grid; f++) {
            const double re = creal(spectra->padded[f]), im = cimag(spectra->padded[f]);
            spectra->square[3 * f] += re * re;
            spectra->square[3 * f + 1] += im * im;
            spectra->square[3 * f + 2] += re * im;
        }
    }
    for (int32_t f = 0; f <= spectra->grid; f++) {
        const double *square = spectra->square + 3 * (size_t)f;
        const double a = square[0], b = square[1], c = square[2];
        spectra->axis[f] = sqrt(((a + b) / 2 + cfpci_hypot((a - b) / 2, c)) / DRAWS);
    }
    for (size_t i = 0; status == CFPC_OK && i < DRAWS; i++) {
        status = identify_band_transform(spectra, fir->taps, spectra->draws + i * taps);
        for (int32_t f = 0; f <= spectra->grid; f++)
            if (spectra->axis[f] > 0)
                spectra->most[i] =
                    cfpci_max(spectra->most[i], cfpci_cabs(spectra->padded[f]) / spectra->axis[f]);
    }
    cfpci_sort(spectra->most, DRAWS);
    const int rank = (int)ceil(confidence * DRAWS) - 1;
    *k = spectra->most[rank < 0 ? 0 : rank < DRAWS ? rank : DRAWS - 1];
    return status;
}

// ---- around the model ------------------------------------------------------------------------

// The model's response over the taps, from which G is subtracted if it is given, transformed.
static cfpc_status transform_head(spectra *spectra, const cfpc_system *model, int32_t dead_time,
                                  int32_t taps, const double *g)
{
    double *response = malloc((size_t)(dead_time + taps) * sizeof *response);
    if (!response)
        return CFPC_NO_MEMORY;
    cfpc_status status = cfpc_impulse_response(model, dead_time + taps, response);
    for (int32_t k = 0; g && k < taps; k++)
        response[dead_time + k] -= g[k];
    if (status == CFPC_OK)
        status = identify_band_transform(spectra, dead_time + taps, response);
    free(response);
    return status;
}

// |T̂ - G| over the taps, and all that the model answers after them.
static cfpc_status identify_band_distance(spectra *spectra, const cfpc_system *model,
                                          const cfpci_posterior *fir, int32_t dead_time)
{
    for (int32_t k = 0; k <= spectra->grid; k++)
        spectra->hz[k] = k / (2 * model->step_s * spectra->grid);
    cfpc_status status = transform_head(spectra, model, dead_time, fir->taps, fir->mean);
    for (int32_t k = 0; status == CFPC_OK && k <= spectra->grid; k++)
        spectra->radius[k] = cfpci_cabs(spectra->padded[k]);
    if (status == CFPC_OK)
        status = transform_head(spectra, model, dead_time, fir->taps, NULL);
    if (status == CFPC_OK)
        status = cfpc_frequency_response(model, spectra->grid + 1, spectra->hz, spectra->re,
                                         spectra->im);
    for (int32_t k = 0; status == CFPC_OK && k <= spectra->grid; k++)
        spectra->radius[k] += cfpci_hypot(spectra->re[k] - creal(spectra->padded[k]),
                                          spectra->im[k] - cimag(spectra->padded[k]));
    return status;
}

// Where the next frequency of the band is, after k.
static int32_t next_kept(const spectra *spectra, int32_t k)
{
    const int32_t next = k + 1 + (int32_t)(thinning * k);
    return next < spectra->grid ? next : spectra->grid;
}

// Fewer frequencies at the top; each has the largest radius up to its neighbours, so that the
// straight lines between them are nowhere below.
static cfpc_status thin_out(cfpc_band *band, const spectra *spectra)
{
    int32_t count = 1;
    for (int32_t k = 0; k < spectra->grid; k = next_kept(spectra, k))
        count++;
    cfpc_status status = cfpc_band_make(band, count);
    int32_t before = 0;
    for (int32_t i = 0, k = 0; status == CFPC_OK && i < count; i++) {
        const int32_t after = next_kept(spectra, k);
        double most = 0;
        for (int32_t f = before; f <= after; f++)
            most = cfpci_max(most, spectra->radius[f]);
        band->hz[i] = spectra->hz[k];
        band->radius[i] = most;
        before = k;
        k = after;
    }
    return status;
}

cfpc_status cfpci_identify_band(cfpc_band *band, const cfpc_system *model, const cfpci_fir *fir,
                                double confidence)
{
    const cfpci_posterior *posterior = &fir->posterior;
    const int32_t dead_time = fir->prior.dead_time;
    spectra spectra;
    double k = 0;
    cfpc_status status = spectra_make(&spectra, dead_time, posterior->taps);
    if (status == CFPC_OK)
        status = identify_band_spread_of(&spectra, posterior, confidence, &k);
    if (status == CFPC_OK)
        status = identify_band_distance(&spectra, model, posterior, dead_time);
    for (int32_t i = 0; status == CFPC_OK && i <= spectra.grid; i++)
        spectra.radius[i] += k * spectra.axis[i];
    if (status == CFPC_OK)
        status = thin_out(band, &spectra);
    free(spectra.padded);
    free(spectra.draws);
    return status;
}

// ---- excitation ------------------------------------------------------------------------------

static double identify_band_power(double complex x)
{
    return creal(x) * creal(x) + cimag(x) * cimag(x);
}

cfpc_status cfpci_excited(int32_t steps, double step_s, const double *input, double *low_hz,
                          double *high_hz)
{
    int32_t count = 2;
    while (count < steps)
        count *= 2;
    double complex *padded = calloc((size_t)count, sizeof *padded);
    if (!padded)
        return CFPC_NO_MEMORY;
    for (int32_t n = 0; n < steps; n++)
        padded[n] = input[n];
    const cfpc_status status = cfpci_fourier(count, padded);
    double all = 0, sum = 0;
    for (int32_t k = 0; k <= count / 2; k++)
        all += identify_band_power(padded[k]);
    *low_hz = *high_hz = 0;
    for (int32_t k = 0; k <= count / 2; k++) {
        const double hz = k / (count * step_s);
        sum += identify_band_power(padded[k]);
        if (sum <= 0.01 * all)
            *low_hz = hz;
        if (sum - identify_band_power(padded[k]) <= 0.99 * all)
            *high_hz = hz;
    }
    *low_hz = cfpci_max(*low_hz, 1 / (steps * step_s));
    free(padded);
    return status;
}
