// SPDX-License-Identifier: Apache-2.0
#include "identify/statistics.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/elementary.h"

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

// One order more; returns the factor by which the variance of the innovations falls.
static double statistics_raise(cfpci_whitener *whitener, double variance, const double *r)
{
    const int32_t p = ++whitener->order;
    double sum = 0, old[CFPCI_AR_MAX + 1];
    memcpy(old, whitener->taps, sizeof old);
    for (int32_t k = 0; k < p; k++)
        sum += old[k] * r[p - k];
    const double reflection = -sum / variance;
    for (int32_t k = 1; k < p; k++)
        whitener->taps[k] = old[k] + reflection * old[p - k];
    whitener->taps[p] = reflection;
    return 1 - reflection * reflection;
}

cfpci_whitener cfpci_whitener_of(int32_t steps, const double *x, int32_t max_order)
{
    cfpci_whitener whitener = {.taps = {1}}, best = whitener;
    double r[CFPCI_AR_MAX + 1] = {0}, least = 0, gained = 0, variance;
    max_order = max_order < CFPCI_AR_MAX ? max_order : CFPCI_AR_MAX;
    for (int32_t k = 0; k <= max_order; k++)
        for (int32_t n = k; n < steps; n++)
            r[k] += x[n] * x[n - k];
    variance = r[0];
    while (whitener.order < max_order && variance > 1e-12 * r[0]) {
        const double factor = statistics_raise(&whitener, variance, r);
        variance *= factor;
        gained += steps * cfpci_log(factor) + cfpci_log(steps);
        if (!(gained < least))
            continue;
        least = gained;
        best = whitener;
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

enum { MAX_TERMS = 10000 };

// x^a e^-x / Γ(a)
static double front(double a, double x)
{
    return cfpci_exp(a * cfpci_log(x) - x - cfpci_log_gamma(a));
}

static double lower_by_series(double a, double x)
{
    double term = 1 / a, sum = term;
    for (int n = 1; n < MAX_TERMS && term > DBL_EPSILON * sum; n++) {
        term *= x / (a + n);
        sum += term;
    }
    return front(a, x) * sum;
}

// Lentz's method.
static double upper_by_fraction(double a, double x)
{
    double b = x + 1 - a, c = 1 / DBL_MIN, d = 1 / b, value = d;
    for (int n = 1; n < MAX_TERMS; n++) {
        const double numerator = -n * (n - a);
        b += 2;
        d = 1 / (numerator * d + b);
        c = b + numerator / c;
        value *= d * c;
        if (fabs(d * c - 1) < DBL_EPSILON)
            break;
    }
    return front(a, x) * value;
}

double cfpci_above_chi_square(double x, double freedom)
{
    const double a = freedom / 2;
    if (!(x > 0) || !(a > 0))
        return 1;
    return x / 2 < a + 1 ? 1 - lower_by_series(a, x / 2) : upper_by_fraction(a, x / 2);
}

uint64_t cfpci_next_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
