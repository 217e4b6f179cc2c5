// SPDX-License-Identifier: Apache-2.0
// exponential: e^x, 2^x and e^x - 1.
#include "math/binary.h"
#include "math/elementary.h"
#include "math/tables.h"
#include "math/unrounded.h"

enum { PARTS = CFPCI_EXP_PARTS };

// e^r - 1 for |r| < 0.003: the first two terms in double-double, the others are below 2^-19 of the
// first.
static cfpci_dd small(cfpci_dd r)
{
    const double x = r.hi, cube = x * x * x;
    const double rest =
        cube * (1 / 6.0 + x * (1 / 24.0 + x * (1 / 120.0 + x * (1 / 720.0 + x * (1 / 5040.0)))));
    const cfpci_dd square = cfpci_dd_multiply(r, r);
    const cfpci_dd sum = cfpci_dd_add(r, (cfpci_dd){square.hi / 2, square.lo / 2});
    return cfpci_dd_plus(sum, rest);
}

// part and power of n = PARTS power + part, 0 <= part < PARTS
static int exponential_part_of(int n, int *power)
{
    const int part = n & (PARTS - 1);
    *power = (n - part) / PARTS;
    return part;
}

// 2^(part/PARTS) (1 + more)
static cfpci_dd grown(int part, cfpci_dd more)
{
    const cfpci_dd root = cfpci_exp_root[part];
    return cfpci_dd_add(root, cfpci_dd_multiply(root, more));
}

// x = n ln 2/PARTS + r. The parts of ln 2/PARTS have 35 bits, so that their products with n are
// exact.
static cfpci_dd reduced(cfpci_dd x, int *n)
{
    const double count = cfpci_nearest(x.hi * cfpci_exp_per_step);
    const cfpci_dd first = cfpci_dd_sum(x.hi, -(count * cfpci_exp_step[0]));
    const cfpci_dd second = cfpci_dd_sum(first.hi, -(count * cfpci_exp_step[1]));
    *n = (int)count;
    return cfpci_dd_sum(second.hi, (second.lo + first.lo + x.lo) - count * cfpci_exp_step[2]);
}

cfpci_exponential cfpci_exponential_of(cfpci_dd x)
{
    int n, power;
    const cfpci_dd r = reduced(x, &n);
    const int part = exponential_part_of(n, &power);
    return (cfpci_exponential){grown(part, small(r)), power};
}

// Right to 2^-58 of the table's root, for |x| < 700: r is wrong by 2^-61, as is each of the three
// sums and products after it; the first difference is exact.
static bool quick_exponential(double x, double *result)
{
    const double count = cfpci_nearest(x * cfpci_exp_per_step);
    const double r =
        x - count * cfpci_exp_step[0] - count * cfpci_exp_step[1] - count * cfpci_exp_step[2];
    const double more =
        r +
        r * r * (0.5 + r * (1 / 6.0) + r * r * (1 / 24.0 + r * (1 / 120.0) + r * r * (1 / 720.0)));
    int power;
    const cfpci_dd root = cfpci_exp_root[exponential_part_of((int)count, &power)];
    if (!cfpci_rounds_surely(root.hi, root.lo + root.hi * more, 0x1p-58, result))
        return false;
    *result *= cfpci_two_to(power);
    return true;
}

double cfpci_exp(double x)
{
    double result;
    if (fabs(x) < 700 && quick_exponential(x, &result))
        return result;
    if (!(fabs(x) < 800)) // infinity and NaN too
        return x < 0 ? 0 : x * HUGE_VAL;
    const cfpci_exponential exponential = cfpci_exponential_of((cfpci_dd){x, 0});
    return cfpci_round(exponential.value, exponential.power);
}

double cfpci_exp2(double x)
{
    if (!(fabs(x) < 1100))
        return x < 0 ? 0 : x * HUGE_VAL;
    int power;
    const double n = cfpci_nearest(x * PARTS);
    const int part = exponential_part_of((int)n, &power);
    return cfpci_round(grown(part, small(cfpci_dd_times(cfpci_ln2, x - n / PARTS))), power);
}

double cfpci_expm1(double x)
{
    if (!(fabs(x) < 800))
        return x < 0 ? -1 : x * HUGE_VAL;
    if (fabs(x) < 0x1p-60)
        return x;
    int n, power;
    const cfpci_dd r = reduced((cfpci_dd){x, 0}, &n), more = small(r);
    const int part = exponential_part_of(n, &power);
    if (n == 0)
        return more.hi + more.lo;
    const cfpci_dd grew = grown(part, more);
    if (power > 120)
        return cfpci_round(grew, power);
    if (power < -120)
        return -1;
    const cfpci_dd result = cfpci_dd_add(
        (cfpci_dd){cfpci_scaled(grew.hi, power), cfpci_scaled(grew.lo, power)}, (cfpci_dd){-1, 0});
    return result.hi + result.lo;
}
