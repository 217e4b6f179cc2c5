// SPDX-License-Identifier: Apache-2.0
// arrival: when a learning curve has reached the optimum: one definition for runs and for
// predictions.
#ifndef CFPC_LAB_ARRIVAL_H
#define CFPC_LAB_ARRIVAL_H

#include "math/order.h"

// The first trial, counted from 1, whose rRMSE is within 5 % of the optimum, or within 0.005 of it,
// whichever is larger (an optimum near 0 is never reached to 5 %); 0 if there is none.
static inline int lab_trials_to_5pc(const double *rrmse, int trials, double optimum)
{
    for (int k = 0; k < trials; k++)
        if (rrmse[k] <= optimum + cfpci_max(0.05 * optimum, 0.005))
            return k + 1;
    return 0;
}

#endif
