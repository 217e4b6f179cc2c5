// SPDX-License-Identifier: Apache-2.0
// learn: the rule of the plain kernels, for neighbouring synapses:
//
//     w ← keep w + gain h     clipped to its bounds
#ifndef CFPC_FAST_LEARN_H
#define CFPC_FAST_LEARN_H

#include "core/numbers.h"
#include "core/vector.h"

// settles: what is tiny after the leak is 0 (cfpci_settles). h: (count), NULL: all zero and not
// added. low, high: bounds, none if equal
static inline void cfpci_learn(cfpc_real *w, int32_t count, cfpc_real keep, bool settles,
                               cfpc_real gain, const cfpc_real *h, cfpc_real low, cfpc_real high)
{
    for (int32_t j = 0; keep != 1 && j < count; j++)
        w[j] *= keep;
    if (keep != 1 && settles)
        cfpci_settle(w, (size_t)count);
    if (h)
        cfpci_add_scaled(w, gain, h, count);
    for (int32_t j = 0; low < high && j < count; j++)
        w[j] = w[j] < low ? low : w[j] > high ? high : w[j];
}

#endif
