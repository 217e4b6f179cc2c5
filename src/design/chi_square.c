// SPDX-License-Identifier: Apache-2.0
// chi_square: Q(a, x), the regularised upper incomplete gamma function, at a = freedom/2 and x/2:
// by its series where x < a + 1, else by its continued fraction (Abramowitz and Stegun 6.5.29,
// 6.5.31).
#include "chi_square.h"

#include <float.h>
#include <math.h>

#include "math/elementary.h"

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
