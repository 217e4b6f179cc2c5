// SPDX-License-Identifier: Apache-2.0
#include "microzone/zone_clash.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"

// Those of a trial: k / (N step), k = 1 … N / 2.
typedef struct band {
    int count;
    double *hz;                  // (count)
    double *power;               // of the inputs, a mean of all kinds of bursts     (count)
    double *model_re, *model_im; // T_c                                          (count)
    double *re, *im;             // T_p                                              (count)
} band;

// The power of a burst at one frequency.
static double zone_clash_power_of(const lab_granules *granules, int kind, double turn)
{
    const double *burst = granules->burst + (size_t)kind * (size_t)granules->longest;
    double re = 0, im = 0;
    for (int n = 0; n < granules->length[kind]; n++) {
        double sine, cosine;
        cfpci_sin_cos(turn * n, &sine, &cosine);
        re += burst[n] * cosine;
        im += burst[n] * sine;
    }
    return re * re + im * im;
}

static void fill_band(const band *band, const lab_zone_loops *loops, const lab_granules *granules)
{
    for (int k = 0; k < band->count; k++) {
        band->hz[k] = (k + 1) / (loops->steps * loops->step_s);
        for (int kind = 0; kind < LAB_BURSTS; kind++)
            band->power[k] +=
                zone_clash_power_of(granules, kind, CFPCI_TWO_PI * band->hz[k] * loops->step_s);
    }
}

static double clash_of(const band *band)
{
    double least = 0, most = 0;
    for (int k = 0; k < band->count; k++) {
        const double speed =
            band->power[k] * (band->model_re[k] * band->re[k] + band->model_im[k] * band->im[k]);
        least = cfpci_min(least, speed);
        most = cfpci_max(most, speed);
    }
    return least < 0 ? -least / most : 0;
}

cfpc_status lab_zone_clash(double *clash, const lab_zone_loops *loops, int common,
                           const lab_granules *granules)
{
    const int count = loops->steps / 2;
    double *block = calloc(6 * (size_t)count + 1, sizeof *block);
    const band band = {.count = count,
                       .hz = block,
                       .power = block + count,
                       .model_re = block + 2 * (size_t)count,
                       .model_im = block + 3 * (size_t)count,
                       .re = block + 4 * (size_t)count,
                       .im = block + 5 * (size_t)count};
    if (!block)
        return CFPC_NO_MEMORY;
    fill_band(&band, loops, granules);
    cfpc_status status =
        cfpc_frequency_response(&loops->path[common], count, band.hz, band.model_re, band.model_im);
    for (int p = 0; status == CFPC_OK && p < loops->count; p++) {
        status = cfpc_frequency_response(&loops->path[p], count, band.hz, band.re, band.im);
        clash[p] = clash_of(&band);
    }
    free(block);
    return status;
}
