// SPDX-License-Identifier: Apache-2.0
// interval: mean and 95 % confidence interval of a number that was measured several times.
#ifndef CFPC_LAB_INTERVAL_H
#define CFPC_LAB_INTERVAL_H

// Updates a mean and the sum of squared deviations from it by one more value, the `count`-th
// (Welford). Both begin as 0; a value that is NAN makes both NAN.
void lab_mean_add(double *mean, double *squares, double value, int count);

// Half the width of the 95 % interval of such a mean (Student); count: at least 2.
double lab_half_width(double squares, int count);

#endif
