// SPDX-License-Identifier: Apache-2.0
// sum: a long sum of numbers, compensated (Kahan 1965), so that a sum in float is as good as its
// terms: of n terms that are not negative the relative error is at most 2u + O(n u²), with u = 6e-8
// in float, whatever n; a plain sum would have up to n u.
#ifndef CFPC_CORE_SUM_H
#define CFPC_CORE_SUM_H

#include "cfpc/config.h"

typedef struct cfpci_sum {
    cfpc_real value;
    cfpc_real excess; // what rounding has added to it so far
} cfpci_sum;

static inline void cfpci_sum_add(cfpci_sum *sum, cfpc_real term)
{
    const cfpc_real before = sum->value, by = term - sum->excess;
    sum->value = before + by;
    sum->excess = (sum->value - before) - by;
}

#endif
