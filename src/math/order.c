// SPDX-License-Identifier: Apache-2.0
#include "math/order.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *first, const void *second)
{
    const double a = *(const double *)first, b = *(const double *)second;
    if (a == b) // zeros
        return (signbit(a) == 0) - (signbit(b) == 0);
    return a < b ? -1 : a > b ? 1 : isnan(a) - isnan(b);
}

void cfpci_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending); // numbers that are equal have the same bits
}
