// SPDX-License-Identifier: Apache-2.0
#include "threads.h"

void cfpci_zone_each_chunk(int32_t chunks, int32_t threads, cfpci_chunk_work *work, void *context)
{
    (void)threads;
    for (int32_t chunk = 0; chunk < chunks; chunk++)
        work(context, chunk, 0);
}
