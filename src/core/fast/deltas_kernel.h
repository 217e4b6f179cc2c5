// SPDX-License-Identifier: Apache-2.0
// deltas_kernel: the products of a few steps with the same part of the ring. Each step has its own
// lanes, in the order of a single step. deltas.c and widest.c compile it.
#ifndef CFPC_FAST_DELTAS_KERNEL_H
#define CFPC_FAST_DELTAS_KERNEL_H

#include "vectors.h"

enum { CFPC_DELTAS = 4 }; // steps together

// lanes of step i += ring · (taps - i), for a whole number of lanes.
CFPC_INLINE void cfpci_deltas_add(cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring,
                                  const cfpc_real *taps, int32_t count)
{
    cfpci_vector sum[CFPC_DELTAS][CFPC_ABREAST];
    for (int32_t i = 0; i < CFPC_DELTAS; i++)
        for (int32_t k = 0; k < CFPC_ABREAST; k++)
            sum[i][k] = ((const cfpci_packed *)lanes[i])[k];
    for (int32_t j = 0; j < count; j += CFPC_LANES)
        for (int32_t k = 0; k < CFPC_ABREAST; k++) {
            const cfpci_vector t = ((const cfpci_packed *)(ring + j))[k];
            for (int32_t i = 0; i < CFPC_DELTAS; i++)
                sum[i][k] += t * ((const cfpci_packed *)(taps + j - i))[k];
        }
    for (int32_t i = 0; i < CFPC_DELTAS; i++)
        for (int32_t k = 0; k < CFPC_ABREAST; k++)
            ((cfpci_packed *)lanes[i])[k] = sum[i][k];
}

// The same for vectors of 64 bytes; x86-64 only.
void cfpci_deltas_add_widest(cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring,
                             const cfpc_real *taps, int32_t count);

#endif
