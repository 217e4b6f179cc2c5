// SPDX-License-Identifier: Apache-2.0
// large: memory for the benchmarks of very many synapses.
#ifndef CFPC_BENCH_LARGE_H
#define CFPC_BENCH_LARGE_H

#ifndef _DEFAULT_SOURCE
#error "define _DEFAULT_SOURCE first, for madvise"
#endif

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cfpc/config.h"

enum { LARGE_PAGE = 1 << 21 }; // a huge page

// Zeroed, on huge pages if the system has them.
static inline void *large_memory(size_t bytes)
{
    const size_t whole = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *mem = aligned_alloc(LARGE_PAGE, whole);
    if (!mem) {
        fprintf(stderr, "bench: memory ran out\n");
        exit(1);
    }
    madvise(mem, whole, MADV_HUGEPAGE);
    memset(mem, 0, whole);
    return mem;
}

// From -0.5 to 0.5, the same every time.
static inline void large_draw(cfpc_real *x, size_t count)
{
    uint64_t state = 1;
    for (size_t k = 0; k < count; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[k] = (cfpc_real)((double)(state >> 40) / 16777216.0 - 0.5);
    }
}

#endif
