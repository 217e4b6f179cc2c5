// SPDX-License-Identifier: Apache-2.0
#include "analyse/frequencies.h"

#include <math.h>
#include <stddef.h>

#include "math/elementary.h"
#include "math/order.h"

enum { TOGETHER = 4 }; // bases whose power is found at once

#define POWER_COUNTS 0.01 // of the largest power of the bases: above, a frequency counts
// Power of so many bases from j on at a frequency, without its scale (Goertzel).
static double power_of(const lab_basis_signals *of, size_t j, size_t count, double turn)
{
    const size_t g = (size_t)of->bases;
    const double c = 2 * cfpci_cos(turn);
    double one[TOGETHER] = {0}, two[TOGETHER] = {0}, sum = 0;
    for (size_t n = 0; n < (size_t)of->steps; n++) {
        const double *x = of->x + n * g + j;
        for (size_t k = 0; k < count; k++) {
            const double next = x[k] + c * one[k] - two[k];
            two[k] = one[k];
            one[k] = next;
        }
    }
    for (size_t k = 0; k < count; k++)
        sum += one[k] * one[k] + two[k] * two[k] - c * one[k] * two[k];
    return sum;
}

// Bases that make a whole number of TOGETHER go by a count that the compiler knows.
double lab_basis_power(const lab_basis_signals *of, double hz)
{
    const size_t g = (size_t)of->bases, whole = g / TOGETHER * TOGETHER;
    const double turn = 2 * CFPCI_PI * hz * of->step_s;
    double sum = 0;
    for (size_t j = 0; j < whole; j += TOGETHER)
        sum += power_of(of, j, TOGETHER, turn);
    return whole < g ? sum + power_of(of, whole, g - whole, turn) : sum;
}

int lab_find_frequencies(double *hz, const lab_basis_signals *of)
{
    const double low = 1 / (of->steps * of->step_s), high = 0.5 / of->step_s;
    double power[LAB_FREQUENCIES], most = 0;
    int count = 0;
    for (int k = 0; k < LAB_FREQUENCIES; k++) {
        hz[k] = low * cfpci_pow(high / low, (k + 0.0) / LAB_FREQUENCIES);
        power[k] = lab_basis_power(of, hz[k]);
        most = cfpci_max(most, power[k]);
    }
    for (int k = 0; k < LAB_FREQUENCIES; k++)
        if (power[k] >= POWER_COUNTS * most)
            hz[count++] = hz[k];
    return count;
}
