// SPDX-License-Identifier: Apache-2.0
// The only file of the zone that names OpenMP; src/design/threads.c is that of design.
#include "threads.h"

#ifdef _OPENMP
#include <omp.h>

void cfpci_zone_each_chunk(int32_t chunks, int32_t threads, cfpci_chunk_work *work, void *context)
{
    const int32_t used = threads < chunks ? threads : chunks;
#pragma omp parallel for schedule(dynamic) num_threads(used) if (used > 1)
    for (int32_t chunk = 0; chunk < chunks; chunk++)
        work(context, chunk, omp_get_thread_num());
}

#else

void cfpci_zone_each_chunk(int32_t chunks, int32_t threads, cfpci_chunk_work *work, void *context)
{
    (void)threads;
    for (int32_t chunk = 0; chunk < chunks; chunk++)
        work(context, chunk, 0);
}

#endif
