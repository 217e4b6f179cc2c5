// SPDX-License-Identifier: Apache-2.0
// vector: sums over all synapses, always in the same order: lanes within a chunk, folded in halves,
// then chunk by chunk. Steps, blocks and threads use it, so their results are the same bit for bit.
#ifndef CFPC_CORE_VECTOR_H
#define CFPC_CORE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cfpc/config.h"
#include "vector_arm.h"

// For a function that is compiled again for each constant it is called with.
#define CFPC_INLINE static inline __attribute__((always_inline))

// For a function that is not to be merged into its callers.
#define CFPC_ALONE __attribute__((noinline))

// For one that is compiled again for each constant count; on small processors there is one copy.
#if CFPC_ARM_FLOAT
#define CFPC_PER_COUNT static __attribute__((noinline, unused))
#else
#define CFPC_PER_COUNT CFPC_INLINE
#endif

enum {
    CFPC_LANES = 64 / sizeof(cfpc_real), // partial sums of a chunk: one cache line
    CFPC_CHUNK = 4096                    // synapses per chunk
};

// The sum of the lanes, which are overwritten. Unrolled, the halves are vectors.
CFPC_INLINE cfpc_real cfpci_fold(cfpc_real *lanes)
{
#pragma GCC unroll 4
    for (int32_t half = CFPC_LANES / 2; half > 0; half /= 2)
        for (int32_t k = 0; k < half; k++)
            lanes[k] += lanes[k + half];
    return lanes[0];
}

// lanes[k] += a_j b_j for all j with j mod CFPC_LANES = k
static inline void cfpci_add_products(cfpc_real *restrict lanes, const cfpc_real *restrict a,
                                      const cfpc_real *restrict b, int32_t count)
{
    int32_t j = 0;
    for (; j + CFPC_LANES <= count; j += CFPC_LANES)
        for (int32_t k = 0; k < CFPC_LANES; k++)
            lanes[k] += a[j + k] * b[j + k];
    for (int32_t k = 0; j < count; j++, k++)
        lanes[k] += a[j] * b[j];
}

// aᵀb, in chunks; and in one chunk, however long.
cfpc_real cfpci_dot(const cfpc_real *a, const cfpc_real *b, int32_t count);
cfpc_real cfpci_dot_chunk(const cfpc_real *a, const cfpc_real *b, int32_t count);

// to = from
static inline void cfpci_copy(cfpc_real *restrict to, const cfpc_real *restrict from, int32_t count)
{
    int32_t j = 0;
#if CFPC_ARM_FLOAT
    j = cfpci_arm_copy(to, from, count);
#endif
    memcpy(to + j, from + j, (size_t)(count - j) * sizeof *to);
}

// to = from, or 0 where that is tiny
void cfpci_copy_settled(cfpc_real *restrict to, const cfpc_real *restrict from, int32_t count);

// out = a in
static inline void cfpci_multiply(cfpc_real *restrict out, cfpc_real a,
                                  const cfpc_real *restrict in, int32_t count)
{
    int32_t j = 0;
#if CFPC_ARM_FLOAT
    j = cfpci_arm_multiply(out, a, in, count);
#endif
    for (; j < count; j++)
        out[j] = a * in[j];
}

// w += a h
static inline void cfpci_add_scaled(cfpc_real *restrict w, cfpc_real a, const cfpc_real *restrict h,
                                    int32_t count)
{
    int32_t j = 0;
#if CFPC_ARM_FLOAT
    j = cfpci_arm_add_scaled(w, a, h, count);
#endif
    for (; j < count; j++)
        w[j] += a * h[j];
}

// out = a in for the first term of a sum, out += a in for the others.
CFPC_PER_COUNT void cfpci_add_term(cfpc_real *restrict out, bool is_first, cfpc_real a,
                                   const cfpc_real *restrict in, int32_t count)
{
    if (is_first)
        cfpci_multiply(out, a, in, count);
    else
        cfpci_add_scaled(out, a, in, count);
}

#endif
