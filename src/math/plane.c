// SPDX-License-Identifier: Apache-2.0
// plane: length and angle of a vector.
#include "math/binary.h"
#include "math/elementary.h"
#include "math/tables.h"
#include "math/unrounded.h"

// Both times 2^-power, so that the larger is from 1 to 2. The smaller may lose bits below 2^-1074:
// it has no effect then.
typedef struct pair {
    double large, small;
    int power;
} pair;

static pair plane_scaled(double large, double small)
{
    const int power = ilogb(large);
    return (pair){ldexp(large, -power), ldexp(small, -power), power};
}

cfpci_dd cfpci_squares(double x, double y)
{
    return cfpci_dd_add(cfpci_dd_product(x, x), cfpci_dd_product(y, y));
}

// The root of x² + y², of numbers whose squares neither overflow nor lose bits.
static cfpci_dd root_of_squares(double x, double y)
{
    const cfpci_dd square = cfpci_squares(x, y);
    const double root = sqrt(square.hi);
    const cfpci_dd of_root = cfpci_dd_product(root, root);
    const double left = (square.hi - of_root.hi) - of_root.lo + square.lo;
    return cfpci_dd_fast_sum(root, left / (2 * root));
}

double cfpci_hypot(double x, double y)
{
    const double a = fabs(x), b = fabs(y), large = a > b ? a : b, small = large == a ? b : a;
    if (large < 0x1p400 && small > 0x1p-400) { // most numbers: scaled, the same bits
        const cfpci_dd root = root_of_squares(large, small);
        return root.hi + root.lo;
    }
    if (isinf(a) || isinf(b))
        return HUGE_VAL;
    if (!(a > 0 && b > 0)) // a zero, or NaN
        return a + b;
    const pair pair = plane_scaled(large, small);
    return pair.small < 0x1p-60 ? large
                                : cfpci_round(root_of_squares(pair.large, pair.small), pair.power);
}

// The angle whose tangent is small/large <= 1: that of the table's tangent k/64, and what is left,
// up to 1/128.
static cfpci_dd angle_of(double large, double small)
{
    const double k = cfpci_nearest(64 * (small / large)), tangent = k / 64;
    const cfpci_dd across = cfpci_dd_add((cfpci_dd){small, 0}, cfpci_dd_product(-tangent, large));
    const cfpci_dd along = cfpci_dd_add((cfpci_dd){large, 0}, cfpci_dd_product(tangent, small));
    const cfpci_dd t = cfpci_dd_divide(across, along);
    const double square = t.hi * t.hi;
    const double rest =
        t.hi * square *
        (-1 / 3.0 +
         square * (1 / 5.0 + square * (-1 / 7.0 + square * (1 / 9.0 + square * (-1 / 11.0)))));
    return cfpci_dd_add(cfpci_arctangent[(int)k], cfpci_dd_add(t, (cfpci_dd){rest, 0}));
}

double cfpci_atan2(double y, double x)
{
    if (isnan(x) || isnan(y))
        return NAN;
    const double across = fabs(y), along = fabs(x);
    const bool back = signbit(x);
    if (!back && across < 0x1p-64 * along && !isinf(along))
        return y / x; // the angle is less by 2^-128 of it; right also where it is subnormal
    cfpci_dd angle;   // of (along, across)
    if (isinf(along) && isinf(across)) {
        angle = (cfpci_dd){cfpci_half_pi.hi / 2, cfpci_half_pi.lo / 2};
    } else if (isinf(along) || across == 0) {
        angle = (cfpci_dd){0, 0};
    } else if (isinf(across) || along == 0) {
        angle = cfpci_half_pi;
    } else {
        const pair pair =
            along > across ? plane_scaled(along, across) : plane_scaled(across, along);
        angle =
            pair.small < 0x1p-120 ? (cfpci_dd){pair.small, 0} : angle_of(pair.large, pair.small);
        if (across > along)
            angle = cfpci_dd_subtract(cfpci_half_pi, angle);
    }
    if (back)
        angle = cfpci_dd_subtract((cfpci_dd){2 * cfpci_half_pi.hi, 2 * cfpci_half_pi.lo}, angle);
    return copysign(angle.hi + angle.lo, y);
}
