// SPDX-License-Identifier: Apache-2.0
// power: x^y = e^(y ln x), with the special cases of IEEE 754 and C17 (F.10.4.4).
#include "math/binary.h"
#include "math/elementary.h"
#include "math/unrounded.h"

// For x > 0, finite, and any y but NaN.
static double power_positive(double x, double y)
{
    const cfpci_dd ln = cfpci_logarithm_of_double(x);
    const double about = ln.hi * y;
    if (!(fabs(about) < 800)) // infinite y too; x is not 1
        return about < 0 ? 0 : HUGE_VAL;
    if (fabs(about) < 0x1p-60)
        return 1 + about;
    const cfpci_exponential exponential = cfpci_exponential_of(cfpci_dd_times(ln, y));
    return cfpci_round(exponential.value, exponential.power);
}

double cfpci_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (isnan(x) || isnan(y))
        return NAN;
    const double size = fabs(x);
    const bool is_whole = y == floor(y); // infinity too
    const bool negative = signbit(x) && is_whole && fabs(y) < 0x1p53 && fmod(y, 2) != 0;
    double result;
    if (isinf(y) && size == 1)
        result = 1;
    else if (size == 0 || isinf(x))
        result = (size == 0) == (y < 0) ? HUGE_VAL : 0;
    else if (x < 0 && !is_whole)
        result = NAN;
    else
        result = size == 1 ? 1 : power_positive(size, y);
    return negative ? -result : result;
}
