// SPDX-License-Identifier: Apache-2.0
// plain_complex: arithmetic of finite complex numbers. The built-in * and / call a function that
// handles infinities; these do not.
#ifndef CFPC_DESIGN_PLAIN_COMPLEX_H
#define CFPC_DESIGN_PLAIN_COMPLEX_H

#include <complex.h>
#include <math.h>

// |re| + |im|
static inline double cfpci_complex_size(double complex z)
{
    return fabs(creal(z)) + fabs(cimag(z));
}

static inline double complex cfpci_complex_product(double complex a, double complex b)
{
    return creal(a) * creal(b) - cimag(a) * cimag(b) +
           (creal(a) * cimag(b) + cimag(a) * creal(b)) * I;
}

// 1 / z
static inline double complex cfpci_complex_inverse(double complex z)
{
    const double size = cfpci_complex_size(z), re = creal(z) / size, im = cimag(z) / size;
    const double square = (re * re + im * im) * size;
    return re / square - im / square * I;
}

#endif
