// SPDX-License-Identifier: Apache-2.0
// band: an uncertainty band around a frequency response, and what holds for every model inside it.
//
// A model is inside the band if |T(f) - T̂(f)| <= radius(f) at every frequency f up to half the
// sampling rate, T̂ being the model that the band is around.
#ifndef CFPC_BAND_H
#define CFPC_BAND_H

#include "cfpc/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cfpc_band {
    int32_t count;  // of frequencies, at least 2
    double *hz;     // ascending, from 0 to half the sampling rate          (count)
    double *radius; // of the disc around T̂(hz), linear in between          (count)
} cfpc_band;

// A band of this many frequencies, all zero; one allocation.
cfpc_status cfpc_band_make(cfpc_band *band, int32_t count);
void cfpc_band_free(cfpc_band *band);

// The radius at any frequency; beyond the ends that of the end.
double cfpc_band_at(const cfpc_band *band, double hz);

#ifdef __cplusplus
}
#endif

#endif
