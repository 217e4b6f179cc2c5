// SPDX-License-Identifier: Apache-2.0
// The fast way through a strip for vectors of 64 bytes: a tile is one of them.
#include "strip.h"

#if defined(__x86_64__)
#define CFPC_WIDEST
#include "modes.h"

__attribute__((target("avx512f"))) void cfpci_strip_run_widest(const cfpci_run *run,
                                                               const cfpci_strip *strip)
{
    cfpci_modes_run(run, strip);
}
#else
void cfpci_strip_run_widest(const cfpci_run *run, const cfpci_strip *strip)
{
    cfpci_strip_run_plain(run, strip);
}
#endif
