// SPDX-License-Identifier: Apache-2.0
#include "math/complex_functions.h"

#include "math/binary.h"
#include "math/elementary.h"
#include "math/tables.h"
#include "math/unrounded.h"

double cfpci_cabs(double complex z)
{
    return cfpci_hypot(creal(z), cimag(z));
}

double cfpci_carg(double complex z)
{
    return cfpci_atan2(cimag(z), creal(z));
}

// e^x of a number of at most 1500: where it is above all doubles, its product with a cosine may be
// none the less.
static cfpci_exponential exponential(double x)
{
    if (fabs(x) < 700)
        return cfpci_exponential_of((cfpci_dd){x, 0});
    const cfpci_exponential half = cfpci_exponential_of((cfpci_dd){x / 2, 0});
    return (cfpci_exponential){cfpci_dd_multiply(half.value, half.value), 2 * half.power};
}

double complex cfpci_unit(double angle)
{
    double sine, cosine;
    cfpci_sin_cos(angle, &sine, &cosine);
    return cfpci_complex(cosine, sine);
}

double complex cfpci_cexp(double complex z)
{
    const double x = creal(z), y = cimag(z);
    if (!isfinite(y))
        return x == -HUGE_VAL ? 0 : cfpci_complex(NAN, NAN);
    const cfpci_point at = cfpci_point_at(y);
    if (!(fabs(x) < 1500)) // infinity and NaN too
        return x < 0 ? cfpci_complex(copysign(0, at.cosine.hi), copysign(0, at.sine.hi))
                     : cfpci_complex(x * HUGE_VAL * at.cosine.hi,
                                     y == 0 ? y : x * HUGE_VAL * at.sine.hi);
    const cfpci_exponential e = exponential(x);
    return cfpci_complex(cfpci_round(cfpci_dd_multiply(e.value, at.cosine), e.power),
                         cfpci_round(cfpci_dd_multiply(e.value, at.sine), e.power));
}

double complex cfpci_clog(double complex z)
{
    const double a = fabs(creal(z)), b = fabs(cimag(z)), angle = cfpci_carg(z);
    if (isinf(a) || isinf(b))
        return cfpci_complex(HUGE_VAL, angle);
    if (isnan(angle))
        return cfpci_complex(NAN, NAN);
    if (a == 0 && b == 0)
        return cfpci_complex(-HUGE_VAL, angle);
    // ln|z| = power ln 2 + ln((|z| 2^-power)^2)/2. The larger part is scaled to between 2/3 and
    // 4/3: power is 0 around |z| = 1, where the sum of squares has to be right to the last bits of
    // what it differs from 1.
    const int power = ilogb(0.75 * (a > b ? a : b)) + 1;
    const cfpci_dd twice = cfpci_logarithm_of(cfpci_squares(ldexp(a, -power), ldexp(b, -power)));
    const cfpci_dd size =
        cfpci_dd_add(cfpci_dd_times(cfpci_ln2, power), (cfpci_dd){twice.hi / 2, twice.lo / 2});
    return cfpci_complex(size.hi + size.lo, angle);
}
