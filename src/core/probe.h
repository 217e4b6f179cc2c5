// SPDX-License-Identifier: Apache-2.0
// probe: what learning a model needs: a noise that excites, and a filter that whitens what it is
// compared with.
#ifndef CFPC_CORE_PROBE_H
#define CFPC_CORE_PROBE_H

#include <stdint.h>

#include "cfpc/config.h"
#include "cfpc/learned.h"

// ---- probe -----------------------------------------------------------------------------------

// Band-limited noise, the same on every machine.

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

// ---- whitening -------------------------------------------------------------------------------

// A filter that predicts a signal from its own past, adapted with forgetting, and leaves
// what it cannot predict: t[n] - Σ_k a[k] t[n-1-k]. It is found as a lattice (Burg's method), whose
// reflections are never above 1, so that the filter is always sound.

typedef struct cfpci_whitening {
    int32_t order;                              //
    int32_t unused;                             // 0
    cfpc_real keep;                             // factor on all sums per step
    cfpc_real weight;                           // of the steps in the sums
    cfpc_real energy;                           // sum of t²
    cfpc_real products[CFPC_LEARNED_WHITENING]; // sums of 2 f b, per stage
    cfpc_real energies[CFPC_LEARNED_WHITENING]; // sums of f² + b²
    cfpc_real behind[CFPC_LEARNED_WHITENING];   // b of the last step
} cfpci_whitening;

cfpci_whitening cfpci_whitening_make(int32_t order, int32_t memory_steps);

// One step of the signal.
void cfpci_whitening_see(cfpci_whitening *whitening, cfpc_real t);

// Sets the sums that are tiny to 0.
void cfpci_whitening_settle(cfpci_whitening *whitening);

// Writes a (order); returns the mean square of what the filter leaves.
cfpc_real cfpci_whitening_filter(const cfpci_whitening *whitening, cfpc_real *a);

#endif
