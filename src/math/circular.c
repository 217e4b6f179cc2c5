// SPDX-License-Identifier: Apache-2.0
// circular: sine, cosine and tangent.
#include "math/binary.h"
#include "math/elementary.h"
#include "math/tables.h"
#include "math/unrounded.h"

// The nearest of the table's angles k/64, and what is left, |d| <= 1/128. Of sin d all but d, and
// of cos d all but 1, is below 2^-15 and in double.
typedef struct turn {
    const cfpci_dd *sine_cosine; // of k/64
    cfpci_dd d;
    double sine, cosine; // sin d - d, cos d - 1
} turn;

static turn circular_turn_of(cfpci_dd positive)
{
    const double k = cfpci_nearest(64 * positive.hi);
    const cfpci_dd d = cfpci_dd_sum(positive.hi - k / 64, positive.lo);
    const double x = d.hi, square = x * x;
    const double sine =
        x * square *
        (-1 / 6.0 + square * (1 / 120.0 + square * (-1 / 5040.0 + square * (1 / 362880.0))));
    const double cosine =
        square * (-0.5 + square * (1 / 24.0 + square * (-1 / 720.0 + square * (1 / 40320.0)))) -
        x * d.lo;
    return (turn){cfpci_circle[(int)k], d, sine, cosine};
}

static cfpci_point at_positive(cfpci_dd angle)
{
    const turn turn = circular_turn_of(angle);
    const cfpci_dd s = turn.sine_cosine[0], c = turn.sine_cosine[1];
    return (cfpci_point){
        cfpci_dd_add(
            s, cfpci_dd_plus(cfpci_dd_multiply(c, turn.d), s.hi * turn.cosine + c.hi * turn.sine)),
        cfpci_dd_subtract(
            c, cfpci_dd_plus(cfpci_dd_multiply(s, turn.d), s.hi * turn.sine - c.hi * turn.cosine))};
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
    const bool negative = angle.rest.hi < 0;
    cfpci_point rest = at_positive(negative ? cfpci_dd_negative(angle.rest) : angle.rest);
    if (negative)
        rest.sine = cfpci_dd_negative(rest.sine);
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

// The sine of `quarters` quarter turns and `rest`, right to 2^-61 of itself, as is at_positive:
// a + b d, exactly but for what is below 2^-15 of it.
static bool quick_sine(turn rest, bool negative, int quarters, double *result)
{
    const bool of_cosine = (quarters & 1) != 0;
    const cfpci_dd s = rest.sine_cosine[0], c = rest.sine_cosine[1], d = rest.d;
    const cfpci_dd a = of_cosine ? c : s, b = of_cosine ? cfpci_dd_negative(s) : c;
    const cfpci_dd product = cfpci_dd_product(b.hi, d.hi),
                   sum = cfpci_dd_fast_sum(a.hi, product.hi);
    const double low = product.lo + (b.hi * d.lo + b.lo * d.hi) + a.lo;
    const double small = a.hi * rest.cosine + b.hi * rest.sine;
    const double sign = ((quarters & 2) != 0) != (negative && !of_cosine) ? -1 : 1;
    const bool is_sure =
        cfpci_rounds_surely(sum.hi, sum.lo + (low + small), 0x1p-60 * fabs(sum.hi), result);
    *result *= sign;
    return is_sure;
}

void cfpci_sin_cos(double x, double *sine, double *cosine)
{
    bool is_sure = false;
    cfpci_angle angle;
    if (cfpci_quarter_turns_quick(x, &angle)) {
        const bool negative = angle.rest.hi < 0;
        const turn rest = circular_turn_of(negative ? cfpci_dd_negative(angle.rest) : angle.rest);
        is_sure = (!sine || quick_sine(rest, negative, angle.quarter, sine)) &&
                  (!cosine || quick_sine(rest, negative, angle.quarter + 1, cosine));
    }
    if (is_sure)
        return;
    const cfpci_dd none = {NAN, 0};
    const cfpci_point point = isfinite(x) ? cfpci_point_at(x) : (cfpci_point){none, none};
    if (sine)
        *sine = point.sine.hi + point.sine.lo;
    if (cosine)
        *cosine = point.cosine.hi + point.cosine.lo;
}

double cfpci_sin(double x)
{
    double sine;
    cfpci_sin_cos(x, &sine, NULL);
    return sine;
}

double cfpci_cos(double x)
{
    double cosine;
    cfpci_sin_cos(x, NULL, &cosine);
    return cosine;
}

double cfpci_tan(double x)
{
    if (!isfinite(x))
        return NAN;
    if (is_tiny(x))
        return x;
    const cfpci_point point = cfpci_point_at(x);
    const cfpci_dd result = cfpci_dd_divide(point.sine, point.cosine);
    return result.hi + result.lo;
}
