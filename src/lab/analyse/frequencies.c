// SPDX-License-Identifier: Apache-2.0
#include "analyse/frequencies.h"

#include <math.h>
#include <stddef.h>

#include "math/elementary.h"
#include "math/order.h"

enum { TOGETHER = 4 }; // bases whose power is found at once

#define POWER_COUNTS 0.01 // of the largest power of the bases: above, a frequency counts
// Power of `count` bases from j on at a frequency, without its scale (Goertzel).
static double frequencies_power_of(const lab_basis_signals *signals, size_t j, size_t count,
                                   double turn)
{
    const size_t g = (size_t)signals->bases;
    const double c = 2 * cfpci_cos(turn);
    double one[TOGETHER] = {0}, two[TOGETHER] = {0}, sum = 0;
    for (size_t n = 0; n < (size_t)signals->steps; n++) {
        const double *x = signals->x + n * g + j;
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
double lab_basis_power(const lab_basis_signals *signals, double hz)
{
    const size_t g = (size_t)signals->bases, whole = g / TOGETHER * TOGETHER;
    const double turn = 2 * CFPCI_PI * hz * signals->step_s;
    double sum = 0;
    for (size_t j = 0; j < whole; j += TOGETHER)
        sum += frequencies_power_of(signals, j, TOGETHER, turn);
    return whole < g ? sum + frequencies_power_of(signals, whole, g - whole, turn) : sum;
}

int lab_find_frequencies(double *hz, const lab_basis_signals *signals)
{
    const double low = 1 / (signals->steps * signals->step_s), high = 0.5 / signals->step_s;
    double power[LAB_FREQUENCIES], most = 0;
    int count = 0;
    for (int k = 0; k < LAB_FREQUENCIES; k++) {
        hz[k] = low * cfpci_pow(high / low, (k + 0.0) / LAB_FREQUENCIES);
        power[k] = lab_basis_power(signals, hz[k]);
        most = cfpci_max(most, power[k]);
    }
    for (int k = 0; k < LAB_FREQUENCIES; k++)
        if (power[k] >= POWER_COUNTS * most)
            hz[count++] = hz[k];
    return count;
}
