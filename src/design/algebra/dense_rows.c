// SPDX-License-Identifier: Apache-2.0
#include "algebra/dense_rows.h"

#include <math.h>

#include "algebra/inline_vectors.h"

enum { LANES = 8, MOST = 400 }; // MOST: exponent of 2; squares of more may overflow in a sum

// 0 if all are finite, else NaN.
static double odd(int64_t count, const double *a)
{
    double sum[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (int k = 0; k < LANES; k++)
            sum[k] += a[i + k] * 0;
    for (int k = 1; k < LANES; k++)
        sum[0] += sum[k];
    for (; i < count; i++)
        sum[0] += a[i] * 0;
    return sum[0];
}

CFPC_WIDE bool cfpci_are_finite(size_t count, const double *a)
{
    return !isnan(odd((int64_t)count, a));
}

CFPC_WIDE double cfpci_dense_largest(int64_t count, const double *a)
{
    if (isnan(odd(count, a))) {
        double largest = INFINITY;
        for (int64_t i = 0; i < count; i++)
            largest = isnan(a[i]) ? a[i] : largest;
        return largest;
    }
    double most[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (int k = 0; k < LANES; k++)
            most[k] = fabs(a[i + k]) > most[k] ? fabs(a[i + k]) : most[k];
    for (int k = 1; k < LANES; k++)
        most[0] = most[k] > most[0] ? most[k] : most[0];
    for (; i < count; i++)
        most[0] = fabs(a[i]) > most[0] ? fabs(a[i]) : most[0];
    return most[0];
}

CFPC_WIDE void cfpci_dense_scale(int64_t count, double *a, double by)
{
    for (int64_t i = 0; i < count; i++)
        a[i] *= by;
}

void cfpci_dense_fill(int64_t count, double *a, double value)
{
    for (int64_t i = 0; i < count; i++)
        a[i] = value;
}

// In two steps: the inverse of a power as small as 2^-1074 overflows.
double cfpci_dense_shrink(int64_t count, double *a, double largest)
{
    const int power = largest > 0 && isfinite(largest) ? ilogb(largest) : 0;
    if (power >= -MOST && power <= MOST)
        return 1;
    cfpci_dense_scale(count, a, ldexp(1, -power / 2));
    cfpci_dense_scale(count, a, ldexp(1, -(power - power / 2)));
    return ldexp(1, power);
}
