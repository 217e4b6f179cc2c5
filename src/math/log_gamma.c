// SPDX-License-Identifier: Apache-2.0
// log_gamma: ln of the gamma function of positive numbers.
#include "math/binary.h"
#include "math/elementary.h"
#include "math/tables.h"
#include "math/unrounded.h"

static const double stirling_starts = 16;

static cfpci_dd of(double x)
{
    return (cfpci_dd){x, 0};
}

// ln gamma(1 + t) = -gamma t + sum of zeta(n) (-t)^n / n, |t| <= 1/4: the table has -gamma and the
// zeta(n) (-1)^n / n.
static cfpci_dd log_gamma_near_one(cfpci_dd t)
{
    cfpci_dd sum = {0, 0};
    for (int n = CFPCI_GAMMA_TERMS - 1; n >= 0; n--)
        sum = cfpci_dd_add(cfpci_gamma_term[n], cfpci_dd_multiply(t, sum));
    return cfpci_dd_multiply(t, sum);
}

// (x - 1/2) ln x - x + ln(2 pi)/2 + sum of B(2n) / (2n (2n - 1) x^(2n - 1)), x >= 16
static cfpci_dd stirling(cfpci_dd x)
{
    const cfpci_dd inverse = cfpci_dd_divide(of(1), x),
                   square = cfpci_dd_multiply(inverse, inverse);
    cfpci_dd sum = {0, 0};
    for (int n = CFPCI_STIRLING_TERMS - 1; n >= 0; n--)
        sum = cfpci_dd_add(cfpci_stirling_term[n], cfpci_dd_multiply(square, sum));
    const cfpci_dd main = cfpci_dd_multiply(cfpci_dd_add(x, of(-0.5)), cfpci_logarithm_of(x));
    const cfpci_dd rest = cfpci_dd_add(cfpci_half_log_two_pi, cfpci_dd_multiply(inverse, sum));
    return cfpci_dd_add(cfpci_dd_subtract(main, x), rest);
}

// gamma(x) = gamma(x + n) / (x (x + 1) ... (x + n - 1))
static cfpci_dd raised(double x)
{
    cfpci_dd above = of(x), product = of(1);
    while (above.hi < stirling_starts) {
        product = cfpci_dd_multiply(product, above);
        above = cfpci_dd_add(above, of(1));
    }
    return cfpci_dd_subtract(stirling(above), cfpci_logarithm_of(product));
}

double cfpci_log_gamma(double x)
{
    if (!(x > 0 && x < HUGE_VAL))
        return x == 0 || isinf(x) ? HUGE_VAL : NAN;
    if (x > 0x1p100) { // x (ln x - 1): the other terms are below 2^-105 of it
        const int power = cfpci_exponent(x);
        const cfpci_dd factor = cfpci_dd_add(cfpci_logarithm_of_double(x), of(-1));
        return cfpci_round(cfpci_dd_times(factor, cfpci_scaled(x, -power)), power);
    }
    cfpci_dd result;
    if (x <= 0.25)
        result = cfpci_dd_subtract(log_gamma_near_one(of(x)), cfpci_logarithm_of_double(x));
    else if (fabs(x - 1) <= 0.25)
        result = log_gamma_near_one(of(x - 1));
    else if (fabs(x - 2) <= 0.25) // gamma(2 + t) = (1 + t) gamma(1 + t)
        result = cfpci_dd_add(log_gamma_near_one(of(x - 2)), cfpci_logarithm_of(of(x - 1)));
    else
        result = raised(x);
    return result.hi + result.lo;
}
