// SPDX-License-Identifier: Apache-2.0
#include "math/order.h"

#include <math.h>
#include <stdlib.h>

static int zeros_and_nans(double a, double b)
{
    if (a == b)
        return (signbit(a) == 0) - (signbit(b) == 0);
    return isnan(a) - isnan(b);
}

static int ascending(const void *first, const void *second)
{
    const double a = *(const double *)first, b = *(const double *)second;
    return a < b ? -1 : a > b ? 1 : zeros_and_nans(a, b);
}

void cfpci_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending); // numbers that are equal have the same bits
}
