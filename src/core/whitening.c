// SPDX-License-Identifier: Apache-2.0
#include "whitening.h"

#include "tiny.h"

// A floor of white noise under every stage, relative: what a signal without noise would leave is
// rounding.
#define FLOOR ((cfpc_real)1e-5)

cfpci_whitening cfpci_whitening_make(int32_t order, int32_t memory_steps)
{
    return (cfpci_whitening){.order = order, .keep = 1 - 1 / (cfpc_real)memory_steps};
}

static cfpc_real reflection(const cfpci_whitening *w, int32_t stage)
{
    return w->energies[stage] > 0 ? w->products[stage] / (w->energies[stage] * (1 + FLOOR)) : 0;
}

void cfpci_whitening_see(cfpci_whitening *w, cfpc_real t)
{
    cfpc_real forward = t, backward = t;
    w->weight = w->keep * w->weight + 1;
    w->energy = w->keep * w->energy + t * t;
    for (int32_t i = 0; i < w->order; i++) {
        const cfpc_real f = forward, b = w->behind[i], k = reflection(w, i);
        w->products[i] = w->keep * w->products[i] + 2 * f * b;
        w->energies[i] = w->keep * w->energies[i] + f * f + b * b;
        w->behind[i] = backward;
        forward = f - k * b;
        backward = b - k * f;
    }
}

void cfpci_whitening_settle(cfpci_whitening *w)
{
    w->energy = cfpci_settled(w->energy);
    cfpci_settle(w->products, (size_t)w->order);
    cfpci_settle(w->energies, (size_t)w->order);
}

cfpc_real cfpci_whitening_filter(const cfpci_whitening *w, cfpc_real *a)
{
    cfpc_real left = w->weight > 0 ? w->energy / w->weight : 0;
    for (int32_t i = 0; i < w->order; i++) { // Levinson's recursion from the reflections
        const cfpc_real k = reflection(w, i);
        for (int32_t j = 0; j < i / 2; j++) {
            const cfpc_real low = a[j], high = a[i - 1 - j];
            a[j] = low - k * high;
            a[i - 1 - j] = high - k * low;
        }
        if (i % 2 == 1)
            a[i / 2] -= k * a[i / 2];
        a[i] = k;
        left *= 1 - k * k;
    }
    return left;
}
