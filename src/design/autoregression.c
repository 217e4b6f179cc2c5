// SPDX-License-Identifier: Apache-2.0
// autoregression: Levinson and Durbin's recursion over the order. Its variance of the innovations
// never rises, so every order is compared in one pass.
#include "autoregression.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"

static void correlate(int32_t steps, const double *x, int32_t lags, double *r)
{
    for (int32_t k = 0; k <= lags; k++) {
        r[k] = 0;
        for (int32_t n = k; n < steps; n++)
            r[k] += x[n] * x[n - k];
    }
}

// One order more; returns the factor by which the variance of the innovations falls.
static double raise(cfpci_whitener *it, double variance, const double *r)
{
    const int32_t p = ++it->order;
    double sum = 0, old[CFPCI_AR_MAX + 1];
    memcpy(old, it->taps, sizeof old);
    for (int32_t k = 0; k < p; k++)
        sum += old[k] * r[p - k];
    const double reflection = -sum / variance;
    for (int32_t k = 1; k < p; k++)
        it->taps[k] = old[k] + reflection * old[p - k];
    it->taps[p] = reflection;
    return 1 - reflection * reflection;
}

cfpci_whitener cfpci_whitener_of(int32_t steps, const double *x, int32_t max_order)
{
    cfpci_whitener it = {.taps = {1}}, best = it;
    double r[CFPCI_AR_MAX + 1] = {0}, least = 0, gained = 0, variance;
    max_order = max_order < CFPCI_AR_MAX ? max_order : CFPCI_AR_MAX;
    correlate(steps, x, max_order, r);
    variance = r[0];
    while (it.order < max_order && variance > 1e-12 * r[0]) {
        const double factor = raise(&it, variance, r);
        variance *= factor;
        gained += steps * cfpci_log(factor) + cfpci_log(steps);
        if (!(gained < least))
            continue;
        least = gained;
        best = it;
    }
    return best;
}

void cfpci_whiten(const cfpci_whitener *whitener, int32_t steps, const double *x, double *y)
{
    for (int32_t n = 0; n < steps; n++) {
        y[n] = 0;
        for (int32_t k = 0; k <= whitener->order && k <= n; k++)
            y[n] += whitener->taps[k] * x[n - k];
    }
}
