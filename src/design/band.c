// SPDX-License-Identifier: Apache-2.0
#include "cfpc/band.h"

#include <stdlib.h>

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
