// SPDX-License-Identifier: Apache-2.0
// The only file of the zone that names OpenMP; src/design/compile/threads.c is that of design.
#include "threads.h"

#ifdef _OPENMP

void cfpci_zone_each_chunk(int32_t chunks, int32_t threads, cfpci_chunk_work *work, void *context)
{
    const int32_t used = threads < chunks ? threads : chunks;
    int32_t started = 0;
#pragma omp parallel num_threads(used > 1 ? used : 1) if (used > 1)
    {
        int32_t thread;
#pragma omp atomic capture
        thread = started++;
#pragma omp for schedule(dynamic)
        for (int32_t chunk = 0; chunk < chunks; chunk++)
            work(context, chunk, thread);
    }
}

#else

void cfpci_zone_each_chunk(int32_t chunks, int32_t threads, cfpci_chunk_work *work, void *context)
{
    (void)threads;
    for (int32_t chunk = 0; chunk < chunks; chunk++)
        work(context, chunk, 0);
}

#endif
