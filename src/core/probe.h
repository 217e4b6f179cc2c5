// SPDX-License-Identifier: Apache-2.0
// probe: band-limited noise, the same on every machine.
#ifndef CFPC_CORE_PROBE_H
#define CFPC_CORE_PROBE_H

#include <stdint.h>

#include "cfpc/config.h"

typedef struct cfpci_probe {
    uint32_t random;    // of the generator; never 0
    uint32_t unused;    // 0
    cfpc_real low;      // fraction by which a low-pass at the lower corner moves per step; 0: none
    cfpc_real high;     // likewise, at the upper corner
    cfpc_real gain;     // for the rms
    cfpc_real state[3]; // low-pass at the upper corner, twice; low-pass at the lower corner
} cfpci_probe;

// Corners in cycles per step; the lower one may be 0.
cfpci_probe cfpci_probe_make(cfpc_real rms, cfpc_real low, cfpc_real high, uint32_t seed);

cfpc_real cfpci_probe_next(cfpci_probe *probe);

#endif
