// SPDX-License-Identifier: Apache-2.0
// The fast kernels for vectors of 64 bytes, one per tile; x86-64 only.
#if defined(__x86_64__)
#define CFPC_WIDEST
#endif
#include "deltas_kernel.h"
#include "modes.h"
#include "past_kernel.h"

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void cfpci_modes_run_widest(const cfpci_run *run,
                                                               const cfpci_strip *strip)
{
    cfpci_modes_run(run, strip);
}

__attribute__((target("avx512f"))) void cfpci_past_tiles_widest(const cfpci_past_run *run,
                                                                const cfpci_past_strip *strip)
{
    cfpci_past_tiles(run, strip);
}

__attribute__((target("avx512f"))) void
cfpci_deltas_all_widest(cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring,
                        const cfpci_patch *patch, const cfpc_real *taps, int32_t count)
{
    cfpci_deltas_all(lanes, ring, patch, taps, count);
}
#endif
