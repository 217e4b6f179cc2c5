// SPDX-License-Identifier: Apache-2.0
// whitening: a filter that predicts a signal from its own past, adapted with forgetting, and leaves
// what it cannot predict: t[n] - Σ_k a[k] t[n-1-k]. It is found as a lattice (Burg's method), whose
// reflections are never above 1, so that the filter is always sound.
#ifndef CFPC_CORE_WHITENING_H
#define CFPC_CORE_WHITENING_H

#include <stdint.h>

#include "cfpc/learned.h"

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
