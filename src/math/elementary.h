// SPDX-License-Identifier: Apache-2.0
// elementary: functions of real numbers by IEEE operations only, so that their bits are the same on
// every processor, with every compiler and C library. Wrong by at most 0.51 units in the last place
// of the result (ulp), cfpci_log_gamma by 1; tools/check-peers math measures it against MPFR,
// tools/math-tables derives it. What is exact in IEEE 754 (sqrt, fabs, floor, ceil, rint, fmod,
// ldexp and the like) comes from the C library. Special cases are those of C17, Annex F; the sign
// of a NaN is not defined.
#ifndef CFPC_MATH_ELEMENTARY_H
#define CFPC_MATH_ELEMENTARY_H

#include <stdbool.h>

#define CFPCI_PI 3.14159265358979324
#define CFPCI_TWO_PI 6.28318530717958648

double cfpci_exp(double x);
double cfpci_exp2(double x);
double cfpci_expm1(double x);

double cfpci_log(double x);
double cfpci_log2(double x);
double cfpci_log10(double x);
double cfpci_log1p(double x);

double cfpci_pow(double x, double y);

double cfpci_sin(double x);
double cfpci_cos(double x);
double cfpci_tan(double x);
void cfpci_sin_cos(double x, double *sine, double *cosine); // either may be NULL

double cfpci_atan2(double y, double x);
double cfpci_hypot(double x, double y);

double cfpci_erfc(double x);
double cfpci_log_gamma(double x); // ln gamma(x) for x > 0; infinite at 0, NaN below

#endif
