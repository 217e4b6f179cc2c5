// SPDX-License-Identifier: Apache-2.0
#include "algebra/convolve.h"

#include <stddef.h>
#include <string.h>

#include "algebra/inline_vectors.h"

enum { LANES = CFPCI_TILE_WIDTH / 2 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

CFPC_WIDE void cfpci_convolve(int64_t rows, int32_t stride, int32_t width, const double *taps,
                              const double *x, double *y)
{
    for (int32_t j = 0; j < width; j += CFPCI_TILE_WIDTH) {
        // One tile. By name, the sums stay in registers.
        lanes a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0}, c0 = {0}, c1 = {0}, d0 = {0}, d1 = {0};
        const double *from = x + j, *tap = taps;
        for (int64_t r = 0; r < rows; r++, from += stride, tap++) {
            lanes x0, x1;
            memcpy(&x0, from, sizeof x0);
            memcpy(&x1, from + LANES, sizeof x1);
            a0 += tap[0] * x0, a1 += tap[0] * x1;
            b0 += tap[-1] * x0, b1 += tap[-1] * x1;
            c0 += tap[-2] * x0, c1 += tap[-2] * x1;
            d0 += tap[-3] * x0, d1 += tap[-3] * x1;
        }
        const lanes sums[CFPCI_TILE_ROWS][2] = {{a0, a1}, {b0, b1}, {c0, c1}, {d0, d1}};
        for (int i = 0; i < CFPCI_TILE_ROWS; i++)
            memcpy(y + (ptrdiff_t)i * stride + j, sums[i], sizeof sums[i]);
    }
}
