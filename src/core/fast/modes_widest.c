// SPDX-License-Identifier: Apache-2.0
// The fast kernel for vectors of 64 bytes, one per tile; x86-64 only.
#if defined(__x86_64__)
#define CFPC_WIDEST
#endif
#include "modes.h"

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void cfpci_modes_run_widest(const cfpci_run *run,
                                                               const cfpci_strip *strip)
{
    cfpci_modes_run(run, strip);
}
#endif
