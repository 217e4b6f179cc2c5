// SPDX-License-Identifier: Apache-2.0
// complex_functions: of complex numbers, with the same bits on every processor. The built-in * and
// / of two complex numbers call functions of the compiler's library; these do not.
#ifndef CFPC_MATH_COMPLEX_FUNCTIONS_H
#define CFPC_MATH_COMPLEX_FUNCTIONS_H

#include <complex.h>
#include <math.h>
#include <string.h>

// re + i im; re + im * I would add a zero to re, and not every compiler knows CMPLX
static inline double complex cfpci_complex(double re, double im)
{
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

// Wrong by at most 0.51 ulp; cexp and clog by at most 0.75 ulp of the modulus of the result.
double cfpci_cabs(double complex z);
double cfpci_carg(double complex z);
double complex cfpci_cexp(double complex z);
double complex cfpci_clog(double complex z);
double complex cfpci_unit(double angle); // e^(i angle)

// |re| + |im|
static inline double cfpci_complex_size(double complex z)
{
    return fabs(creal(z)) + fabs(cimag(z));
}

static inline double complex cfpci_complex_product(double complex a, double complex b)
{
    return cfpci_complex(creal(a) * creal(b) - cimag(a) * cimag(b),
                         creal(a) * cimag(b) + cimag(a) * creal(b));
}

// 1 / z for a finite z; infinite or NaN at 0
static inline double complex cfpci_complex_inverse(double complex z)
{
    const double size = cfpci_complex_size(z), re = creal(z) / size, im = cimag(z) / size;
    const double square = (re * re + im * im) * size;
    return cfpci_complex(re / square, -im / square);
}

static inline double complex cfpci_complex_quotient(double complex a, double complex b)
{
    return cfpci_complex_product(a, cfpci_complex_inverse(b));
}

#endif
