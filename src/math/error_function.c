// SPDX-License-Identifier: Apache-2.0
// error_function: erfc, the complementary error function.
#include "math/binary.h"
#include "math/elementary.h"
#include "math/tables.h"
#include "math/unrounded.h"

static const double series_ends = 2.5; // the fraction begins there

static cfpci_dd sum_of(double a, cfpci_dd b)
{
    return cfpci_dd_add((cfpci_dd){a, 0}, b);
}

// erf x = 2/sqrt(pi) e^(-x^2) x (1 + 2x^2/3 (1 + 2x^2/5 (1 + ...))): all terms have one sign.
static cfpci_dd by_series(double x, cfpci_exponential bell)
{
    const cfpci_dd square = cfpci_dd_product(x, x);
    cfpci_dd sum = {1, 0};
    for (int n = CFPCI_ERF_TERMS; n >= 1; n--) {
        const cfpci_dd part = cfpci_dd_divide(cfpci_dd_times(square, 2), (cfpci_dd){2 * n + 1, 0});
        sum = sum_of(1, cfpci_dd_multiply(part, sum));
    }
    const cfpci_dd falls = {cfpci_scaled(bell.value.hi, bell.power),
                            cfpci_scaled(bell.value.lo, bell.power)};
    const cfpci_dd line = cfpci_dd_times(cfpci_two_per_root_pi, x); // the first term of erf
    return cfpci_dd_multiply(cfpci_dd_multiply(line, falls), sum);
}

// sqrt(pi) e^(x^2) erfc x = 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))), for x > 0
static cfpci_dd by_fraction(double x)
{
    cfpci_dd below = {x, 0};
    for (int n = CFPCI_ERFC_TERMS; n >= 1; n--)
        below = sum_of(x, cfpci_dd_divide((cfpci_dd){n / 2.0, 0}, below));
    return cfpci_dd_divide((cfpci_dd){cfpci_two_per_root_pi.hi / 2, cfpci_two_per_root_pi.lo / 2},
                           below);
}

double cfpci_erfc(double x)
{
    if (!(fabs(x) < 28))
        return x < 0 ? 2 : x > 0 ? 0 : NAN;
    const double size = fabs(x);
    const cfpci_exponential bell =
        cfpci_exponential_of(cfpci_dd_negative(cfpci_dd_product(size, size)));
    const bool is_small = size < series_ends;
    const int power = is_small ? 0 : bell.power;
    const cfpci_dd value = is_small ? sum_of(1, cfpci_dd_negative(by_series(size, bell)))
                                    : cfpci_dd_multiply(bell.value, by_fraction(size));
    if (x >= 0)
        return cfpci_round(value, power);
    const cfpci_dd result = sum_of(2, (cfpci_dd){-ldexp(value.hi, power), -ldexp(value.lo, power)});
    return result.hi + result.lo;
}
