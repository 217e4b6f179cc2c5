// SPDX-License-Identifier: Apache-2.0
#include "trend.h"

// Around the middle, offset and slope are orthogonal.
void cfpci_trend(int32_t steps, const double *x, double trend[2])
{
    const double count = steps, middle = (count - 1) / 2;
    double sum = 0, turned = 0;
    for (int32_t n = 0; n < steps; n++) {
        sum += x[n];
        turned += (n - middle) * x[n];
    }
    trend[1] = steps > 1 ? 12 * turned / (count * (count * count - 1)) : 0;
    trend[0] = sum / count - trend[1] * middle;
}

void cfpci_add_trend(int32_t steps, double factor, const double trend[2], double *x)
{
    for (int32_t n = 0; n < steps; n++)
        x[n] += factor * (trend[0] + trend[1] * n);
}
