// SPDX-License-Identifier: Apache-2.0
// vectors: a few neighbouring synapses side by side, for the fast kernels. A file that is compiled
// for the widest vectors defines CFPC_WIDEST before it includes this.
#ifndef CFPC_FAST_VECTORS_H
#define CFPC_FAST_VECTORS_H

#include <stdbool.h>

#include "core/bank.h"
#include "core/numbers.h"

// A few synapses side by side. GCC keeps arrays of numbers in memory, where each step would wait
// for the store of the last one; vectors it keeps in registers. Without vectors this is one number.
#if defined(CFPC_WIDEST)
enum { CFPC_VECTOR_BYTES = 64 };
#elif defined(__x86_64__)
enum { CFPC_VECTOR_BYTES = 32 };
#elif defined(__aarch64__)
enum { CFPC_VECTOR_BYTES = 16 };
#else
enum { CFPC_VECTOR_BYTES = sizeof(cfpc_real) };
#endif
#if defined(__x86_64__) || defined(__aarch64__)
typedef cfpc_real cfpci_vector __attribute__((vector_size(CFPC_VECTOR_BYTES)));
typedef cfpci_vector cfpci_packed __attribute__((aligned(sizeof(cfpc_real)), may_alias));
#else
typedef cfpc_real cfpci_vector, cfpci_packed; // the second: a vector in memory
#endif

enum {
    CFPC_VECTOR = CFPC_VECTOR_BYTES / sizeof(cfpc_real),           // synapses per vector
    CFPC_ABREAST = CFPC_VECTOR == 1 ? 1 : CFPC_TILE / CFPC_VECTOR, // vectors per pass
    CFPC_AHEAD = 4 // tiles: prefetch distance of x; of a line it is one tile
};

// Prefetches; harmless if the address is outside the array.
CFPC_INLINE void cfpci_prefetch(const cfpc_real *from, size_t ahead)
{
    __builtin_prefetch((const char *)from + ahead * sizeof *from);
}

// Per lane: other where mask is set, else w; and 0 where v is tiny, as cfpci_settled.
#if defined(__x86_64__) || defined(__aarch64__)
typedef __typeof__((cfpci_vector){0} < (cfpci_vector){0}) cfpci_mask;

CFPC_INLINE void cfpci_choose(cfpci_vector *w, const cfpci_mask *mask, const cfpci_vector *other)
{
    *w = (cfpci_vector)((*mask & (cfpci_mask)*other) | (~*mask & (cfpci_mask)*w));
}

CFPC_INLINE void cfpci_settle_vector(cfpci_vector *v)
{
    const cfpci_vector zero = {0};
    const cfpci_vector size = (cfpci_vector)((cfpci_mask)*v & ~(cfpci_mask)-zero);
    const cfpci_mask is_tiny = size < CFPC_TINY;
    *v = (cfpci_vector)((cfpci_mask)*v & ~is_tiny);
}
#else
typedef bool cfpci_mask;

CFPC_INLINE void cfpci_choose(cfpci_vector *w, const cfpci_mask *mask, const cfpci_vector *other)
{
    *w = *mask ? *other : *w;
}

CFPC_INLINE void cfpci_settle_vector(cfpci_vector *v)
{
    *v = cfpci_settled(*v);
}
#endif

#endif
