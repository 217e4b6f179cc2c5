// SPDX-License-Identifier: Apache-2.0
// forbidden: what tests/math/symbols.sh must refuse.
#include <complex.h>
#include <math.h>

double complex forbidden(double complex a, double complex b);

double complex forbidden(double complex a, double complex b)
{
    return a * b + cexp(a) + sin(creal(b));
}
