// SPDX-License-Identifier: Apache-2.0
// The fast way through a strip for vectors of 64 bytes: a tile is one of them.
#include "strip.h"

#if defined(__x86_64__)
#define CFPC_WIDEST
#include "modes.h"

__attribute__((target("avx512f"))) void cfpc_strip_run_widest(const cfpc_run *run,
                                                              const cfpc_strip *strip)
{
    cfpc_modes_run(run, strip);
}
#else
void cfpc_strip_run_widest(const cfpc_run *run, const cfpc_strip *strip)
{
    cfpc_strip_run_plain(run, strip);
}
#endif
