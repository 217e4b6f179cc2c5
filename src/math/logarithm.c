// SPDX-License-Identifier: Apache-2.0
// logarithm: ln x, to other bases, and ln(1 + x).
#include "math/binary.h"
#include "math/elementary.h"
#include "math/tables.h"
#include "math/unrounded.h"

// ln(1 + r) for |r| < 0.008: three terms in double-double, the others are below 2^-22 of the first.
static cfpci_dd logarithm_near_one(cfpci_dd r)
{
    const double x = r.hi, square = x * x;
    double sum = 0;
    for (int n = 13; n >= 4; n--)
        sum = (n % 2 ? 1.0 : -1.0) / n + x * sum;
    const cfpci_dd second = cfpci_dd_multiply(r, r);
    const cfpci_dd third = cfpci_dd_multiply(cfpci_dd_multiply(second, r), cfpci_third);
    const cfpci_dd low = cfpci_dd_add(third, (cfpci_dd){square * square * sum, 0});
    return cfpci_dd_add(cfpci_dd_add(r, (cfpci_dd){-second.hi / 2, -second.lo / 2}), low);
}

// x = 2^power m with m from 0.6875 to 1.375; of each piece of that range the table has a number c
// of 10 bits near 1/m, 1 for the two around 1, and -ln c: ln x = power ln 2 - ln c + ln(1 + r) with
// r = m c - 1.
typedef struct parts {
    int power, piece;
    cfpci_dd r;
} parts;

static parts parts_of(cfpci_dd x)
{
    const uint64_t bits = cfpci_bits_of(x.hi), above = bits - cfpci_bits_of(0.6875);
    const int power = (int)(above >> 52) - (above >> 63 ? 4096 : 0);
    const int piece = (int)(above >> 45 & (CFPCI_LOG_PIECES - 1));
    const double m = cfpci_from_bits(bits - ((uint64_t)power << 52)),
                 inverse = cfpci_log_inverse[piece];
    const cfpci_dd whole = cfpci_dd_product(m, inverse);
    const double low = x.lo == 0 ? 0 : cfpci_scaled(x.lo, -power) * inverse;
    return (parts){power, piece, cfpci_dd_sum(whole.hi - 1, whole.lo + low)};
}

cfpci_dd cfpci_logarithm_of(cfpci_dd x)
{
    const parts parts = parts_of(x);
    const cfpci_dd start =
        cfpci_dd_add(cfpci_dd_times(cfpci_ln2, parts.power), cfpci_log_start[parts.piece]);
    return cfpci_dd_add(start, logarithm_near_one(parts.r));
}

// Right to 2^-58 of itself. What is added in double is r^2/2, at most 2^-8 of ln x, and what is
// smaller.
static bool quick_logarithm(double x, double *result)
{
    const parts parts = parts_of((cfpci_dd){x, 0});
    const cfpci_dd whole = cfpci_dd_times(cfpci_ln2, parts.power),
                   start = cfpci_log_start[parts.piece];
    const cfpci_dd first = cfpci_dd_sum(whole.hi, start.hi),
                   sum = cfpci_dd_sum(first.hi, parts.r.hi);
    const double r = parts.r.hi, square = r * r, fourth = square * square;
    const double cubic = 1 / 3.0 - r * (1 / 4.0) + square * (1 / 5.0 - r * (1 / 6.0)) +
                         fourth * (1 / 7.0 - r * (1 / 8.0) + square * (1 / 9.0 - r * (1 / 10.0)));
    const double rest = r * square * cubic - square / 2;
    return cfpci_rounds_surely(sum.hi,
                               sum.lo + (first.lo + (whole.lo + start.lo) + parts.r.lo + rest),
                               0x1p-58 * fabs(sum.hi), result);
}

cfpci_dd cfpci_logarithm_of_double(double x)
{
    if (x >= 0x1p-1022)
        return cfpci_logarithm_of((cfpci_dd){x, 0});
    return cfpci_dd_subtract(cfpci_logarithm_of((cfpci_dd){x * 0x1p64, 0}),
                             cfpci_dd_times(cfpci_ln2, 64));
}

// Where x is 0, negative, infinite or NaN: the logarithm to any base.
static double special(double x)
{
    if (x == 0)
        return -HUGE_VAL;
    return x < 0 ? NAN : x;
}

static bool is_ordinary(double x)
{
    return x > 0 && x < HUGE_VAL;
}

double cfpci_log(double x)
{
    if (!is_ordinary(x))
        return special(x);
    double rounded;
    if (x >= 0x1p-1022 && quick_logarithm(x, &rounded))
        return rounded;
    const cfpci_dd result = cfpci_logarithm_of_double(x);
    return result.hi + result.lo;
}

// To the base b, given 1/ln b.
static double to_base(double x, cfpci_dd per_ln)
{
    if (!is_ordinary(x))
        return special(x);
    const cfpci_dd result = cfpci_dd_multiply(cfpci_logarithm_of_double(x), per_ln);
    return result.hi + result.lo;
}

double cfpci_log2(double x)
{
    return to_base(x, cfpci_per_ln2);
}

double cfpci_log10(double x)
{
    return to_base(x, cfpci_per_ln10);
}

double cfpci_log1p(double x)
{
    if (!(x > -1 && x < HUGE_VAL))
        return x == -1 ? -HUGE_VAL : special(x);
    if (fabs(x) < 0x1p-60)
        return x;
    const cfpci_dd result = cfpci_logarithm_of(cfpci_dd_sum(1, x));
    return result.hi + result.lo;
}
