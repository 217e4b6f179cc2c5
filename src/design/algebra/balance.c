// SPDX-License-Identifier: Apache-2.0
#include "algebra/balance.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/order.h"

enum { MAX_SWEEPS = 100 }; // a chain of n states needs about n

static double row_sum(int32_t n, const double *a, int32_t i)
{
    double sum = 0;
    for (int32_t j = 0; j < n; j++)
        sum += j == i ? 0 : fabs(a[i * n + j]);
    return sum;
}

static double column_sum(int32_t n, const double *a, int32_t i)
{
    double sum = 0;
    for (int32_t j = 0; j < n; j++)
        sum += j == i ? 0 : fabs(a[j * n + i]);
    return sum;
}

// Scales state i by 2^shift.
static void change_unit(int32_t n, double *a, int32_t i, int32_t shift)
{
    for (int32_t j = 0; j < n; j++)
        if (j != i) {
            a[i * n + j] = ldexp(a[i * n + j], -shift);
            a[j * n + i] = ldexp(a[j * n + i], shift);
        }
}

// Parlett and Reinsch: state by state, until row and column of each agree within a factor of four.
void cfpci_balance(int32_t n, double *a, double floor, int32_t *exponent)
{
    bool moved = true;
    memset(exponent, 0, (size_t)n * sizeof *exponent);
    for (int sweep = 0; moved && sweep < MAX_SWEEPS; sweep++) {
        moved = false;
        for (int32_t i = 0; i < n; i++) {
            const double row = cfpci_max(row_sum(n, a, i), floor);
            const double column = cfpci_max(column_sum(n, a, i), floor);
            const bool both = row > 0 && column > 0;
            const int32_t shift = both ? (ilogb(row) - ilogb(column)) / 2 : 0;
            change_unit(n, a, i, shift);
            exponent[i] += shift;
            moved |= shift != 0;
        }
    }
}

void cfpci_unbalance(int32_t n, double *a, const int32_t *exponent)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            a[i * n + j] = ldexp(a[i * n + j], exponent[i] - exponent[j]);
}
