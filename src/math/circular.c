// SPDX-License-Identifier: Apache-2.0
#include "math/circular.h"

#include <stdbool.h>

#include "math/binary.h"
#include "math/elementary.h"
#include "math/quarter_turns.h"
#include "math/tables.h"

// a b + rest
static cfpci_dd combined(cfpci_dd a, cfpci_dd b, double rest)
{
    const cfpci_dd product = cfpci_dd_multiply(a, b);
    return cfpci_dd_add(product, (cfpci_dd){rest, 0});
}

// The point at the nearest of the table's angles k/64, turned on by what is left: |d| <= 1/128. Of
// sin d all but d, and of cos d all but 1, is below 2^-15 and in double.
static cfpci_point at_positive(cfpci_dd angle)
{
    const double k = rint(64 * angle.hi);
    const cfpci_dd d = cfpci_dd_sum(angle.hi - k / 64, angle.lo);
    const double x = d.hi, square = x * x;
    const double sine =
        x * square *
        (-1 / 6.0 + square * (1 / 120.0 + square * (-1 / 5040.0 + square * (1 / 362880.0))));
    const double cosine =
        square * (-0.5 + square * (1 / 24.0 + square * (-1 / 720.0 + square * (1 / 40320.0)))) -
        x * d.lo;
    const cfpci_dd s = cfpci_circle[(int)k][0], c = cfpci_circle[(int)k][1];
    return (cfpci_point){cfpci_dd_add(s, combined(c, d, s.hi * cosine + c.hi * sine)),
                         cfpci_dd_subtract(c, combined(s, d, s.hi * sine - c.hi * cosine))};
}

static cfpci_point at_rest(cfpci_dd angle)
{
    if (angle.hi >= 0)
        return at_positive(angle);
    cfpci_point mirrored = at_positive(cfpci_dd_negative(angle));
    mirrored.sine = cfpci_dd_negative(mirrored.sine);
    return mirrored;
}

// sin x and tan x are x, and cos x is 1, to 2^-60.
static bool is_tiny(double x)
{
    return fabs(x) < 0x1p-30;
}

cfpci_point cfpci_point_at(double x)
{
    if (is_tiny(x))
        return (cfpci_point){{x, copysign(0, x)}, {1, 0}}; // -0 + -0 is -0
    const cfpci_angle angle = cfpci_quarter_turns(x);
    const cfpci_point rest = at_rest(angle.rest);
    switch (angle.quarter) {
    case 0:
        return rest;
    case 1:
        return (cfpci_point){rest.cosine, cfpci_dd_negative(rest.sine)};
    case 2:
        return (cfpci_point){cfpci_dd_negative(rest.sine), cfpci_dd_negative(rest.cosine)};
    default:
        return (cfpci_point){cfpci_dd_negative(rest.cosine), rest.sine};
    }
}

void cfpci_sin_cos(double x, double *sine, double *cosine)
{
    *sine = *cosine = NAN;
    if (isfinite(x)) {
        const cfpci_point it = cfpci_point_at(x);
        *sine = it.sine.hi + it.sine.lo;
        *cosine = it.cosine.hi + it.cosine.lo;
    }
}

double cfpci_sin(double x)
{
    double sine, cosine;
    cfpci_sin_cos(x, &sine, &cosine);
    return sine;
}

double cfpci_cos(double x)
{
    double sine, cosine;
    cfpci_sin_cos(x, &sine, &cosine);
    return cosine;
}

double cfpci_tan(double x)
{
    if (!isfinite(x))
        return NAN;
    if (is_tiny(x))
        return x;
    const cfpci_point it = cfpci_point_at(x);
    const cfpci_dd result = cfpci_dd_divide(it.sine, it.cosine);
    return result.hi + result.lo;
}
