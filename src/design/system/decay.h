// SPDX-License-Identifier: Apache-2.0
// decay: the impulse response of a stable system, until what follows is negligible.
#ifndef CFPC_DESIGN_DECAY_H
#define CFPC_DESIGN_DECAY_H

#include "cfpc/system.h"

typedef struct cfpci_decay {
    int32_t steps;
    double *response; // (steps)
    double tail;      // estimated energy of what follows
    double energy;    // of the whole response, tail included
} cfpci_decay;

// Stops when the tail is at most `negligible` of the energy, or after about max_steps.
// CFPC_UNSTABLE if the response does not decay, CFPC_BAD_VALUE if it is zero or not finite,
// CFPC_TOO_LARGE if the system has too many poles. Free it even if this fails.
cfpc_status cfpci_decay_make(cfpci_decay *decay, const cfpc_system *sys, double negligible,
                             int64_t max_steps);
void cfpci_decay_free(cfpci_decay *decay);

static inline double cfpci_energy(int32_t count, const double *values)
{
    double sum = 0;
    for (int32_t k = 0; k < count; k++)
        sum += values[k] * values[k];
    return sum;
}

#endif
