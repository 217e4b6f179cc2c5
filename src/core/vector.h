// SPDX-License-Identifier: Apache-2.0
// vector: sums over all synapses, in a fixed order that vectorises.
#ifndef CFPC_CORE_VECTOR_H
#define CFPC_CORE_VECTOR_H

#include <stdint.h>

#include "cfpc/config.h"

enum {
    CFPC_LANES = 8 // partial sums of a dot product
};

static inline cfpc_real cfpc_dot(const cfpc_real *restrict a, const cfpc_real *restrict b,
                                 int32_t count)
{
    cfpc_real sum[CFPC_LANES] = {0};
    int32_t j = 0;
    for (; j + CFPC_LANES <= count; j += CFPC_LANES)
        for (int32_t k = 0; k < CFPC_LANES; k++)
            sum[k] += a[j + k] * b[j + k];
    for (int32_t k = 0; j < count; j++, k++)
        sum[k] += a[j] * b[j];
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

// w += a h
static inline void cfpc_add_scaled(cfpc_real *restrict w, cfpc_real a, const cfpc_real *restrict h,
                                   int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        w[j] += a * h[j];
}

#endif
