// SPDX-License-Identifier: Apache-2.0
// convolve: a filter over many signals together, in tiles that stay in registers.
#ifndef CFPC_DESIGN_CONVOLVE_H
#define CFPC_DESIGN_CONVOLVE_H

#include <stdint.h>

enum {
    CFPCI_TILE_ROWS = 4, // steps of a tile
    CFPCI_TILE_WIDTH = 8 // signals of a tile
};

// y[i] = Σ_r taps[r - i] x[r], for CFPCI_TILE_ROWS steps i and r = 0 ... rows - 1, of `width`
// signals, a multiple of CFPCI_TILE_WIDTH. Steps of x and y are `stride` apart.
void cfpci_convolve(int64_t rows, int32_t stride, int32_t width, const double *taps,
                    const double *x, double *y);

#endif
