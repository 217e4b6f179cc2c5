// SPDX-License-Identifier: Apache-2.0
#include "microzone/zone_clash.h"

#include <stdlib.h>

#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"

// The power of the inputs at one frequency, a mean of all kinds of bursts.
static double zone_clash_power_of(const lab_granules *granules, double turn)
{
    double power = 0;
    for (int kind = 0; kind < LAB_BURSTS; kind++) {
        const double *burst = granules->burst + (size_t)kind * (size_t)granules->longest;
        double re = 0, im = 0;
        for (int n = 0; n < granules->length[kind]; n++) {
            double sine, cosine;
            cfpci_sin_cos(turn * n, &sine, &cosine);
            re += burst[n] * cosine;
            im += burst[n] * sine;
        }
        power += re * re + im * im;
    }
    return power;
}

cfpc_status lab_zone_clash(double *clash, const lab_zone_loops *loops, int common,
                           const lab_granules *granules)
{
    const int count = loops->steps / 2; // frequencies of a trial: k / (N step), k = 1 … N / 2
    const size_t size = (size_t)count;
    double *hz = calloc(6 * size + 1, sizeof *hz);
    if (!hz)
        return CFPC_NO_MEMORY;
    double *power = hz + size;
    double *model_re = hz + 2 * size, *model_im = hz + 3 * size; // T_c
    double *re = hz + 4 * size, *im = hz + 5 * size;             // T_p
    for (int k = 0; k < count; k++) {
        hz[k] = (k + 1) / (loops->steps * loops->step_s);
        power[k] = zone_clash_power_of(granules, CFPCI_TWO_PI * hz[k] * loops->step_s);
    }
    cfpc_status status =
        cfpc_frequency_response(&loops->path[common], count, hz, model_re, model_im);
    for (int p = 0; status == CFPC_OK && p < loops->count; p++) {
        double least = 0, most = 0;
        status = cfpc_frequency_response(&loops->path[p], count, hz, re, im);
        for (int k = 0; k < count; k++) {
            const double speed = power[k] * (model_re[k] * re[k] + model_im[k] * im[k]);
            least = cfpci_min(least, speed);
            most = cfpci_max(most, speed);
        }
        clash[p] = least < 0 ? -least / most : 0;
    }
    free(hz);
    return status;
}
