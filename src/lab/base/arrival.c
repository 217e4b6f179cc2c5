// SPDX-License-Identifier: Apache-2.0
#include "base/arrival.h"

#include <math.h>

#include "math/order.h"

#define SHARE 0.05
#define LEAST 0.005

int lab_trials_to_5pc(const double *rrmse, int trials, double optimum)
{
    for (int k = 0; k < trials; k++)
        if (rrmse[k] <= optimum + cfpci_max(SHARE * optimum, LEAST))
            return k + 1;
    return 0;
}
