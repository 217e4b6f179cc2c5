// SPDX-License-Identifier: Apache-2.0
// deltas_kernel: the products of a few steps with the same part of the ring. Each step has its own
// lanes, in the order of a single step. deltas.c and widest.c compile it.
#ifndef CFPC_FAST_DELTAS_KERNEL_H
#define CFPC_FAST_DELTAS_KERNEL_H

#include "vectors.h"

enum {
    CFPC_DELTAS = 8,                              // steps together, at most a lane each
    CFPC_DELTAS_PASS = CFPC_ABREAST == 1 ? 8 : 4, // of them in registers
    CFPC_PATCH = 2 * CFPC_LANES
};

// The part of the ring that changes while these steps go in, as each of them sees it.
typedef struct cfpci_patch {
    int32_t begin, end; // whole lanes
    cfpc_real seen[CFPC_DELTAS][CFPC_PATCH];
} cfpci_patch;

// lanes of step i += ring_i · (taps - i), for a whole number of lanes; ring_i = ring + i · apart.
CFPC_INLINE void cfpci_deltas_add(cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring,
                                  int32_t apart, const cfpc_real *taps, int32_t count)
{
    cfpci_vector sum[CFPC_DELTAS_PASS][CFPC_ABREAST];
    for (int32_t i = 0; i < CFPC_DELTAS_PASS; i++)
        for (int32_t k = 0; k < CFPC_ABREAST; k++)
            sum[i][k] = ((const cfpci_packed *)lanes[i])[k];
    for (int32_t j = 0; j < count; j += CFPC_LANES)
        for (int32_t i = 0; i < CFPC_DELTAS_PASS; i++)
            for (int32_t k = 0; k < CFPC_ABREAST; k++)
                sum[i][k] += ((const cfpci_packed *)(ring + j + i * apart))[k] *
                             ((const cfpci_packed *)(taps + j - i))[k];
    for (int32_t i = 0; i < CFPC_DELTAS_PASS; i++)
        for (int32_t k = 0; k < CFPC_ABREAST; k++)
            ((cfpci_packed *)lanes[i])[k] = sum[i][k];
}

// The ring that all steps see up to `begin` and from `end` to `count`, in between each its own.
CFPC_INLINE void cfpci_deltas_all(cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring,
                                  const cfpci_patch *patch, const cfpc_real *taps, int32_t count)
{
    const int32_t begin = patch->begin, end = patch->end;
    for (int32_t i = 0; i < CFPC_DELTAS; i += CFPC_DELTAS_PASS) {
        cfpci_deltas_add(lanes + i, ring, 0, taps - i, begin);
        cfpci_deltas_add(lanes + i, patch->seen[i], CFPC_PATCH, taps + begin - i, end - begin);
        cfpci_deltas_add(lanes + i, ring + end, 0, taps + end - i, count - end);
    }
}

// The same for vectors of 64 bytes; x86-64 only.
void cfpci_deltas_all_widest(cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring,
                             const cfpci_patch *patch, const cfpc_real *taps, int32_t count);

#endif
