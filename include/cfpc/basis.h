// SPDX-License-Identifier: Apache-2.0
// basis: the signals that reach the cell, as a table X (steps x count), row-major.
#ifndef CFPC_BASIS_H
#define CFPC_BASIS_H

#include "cfpc/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Gaussian receptive fields in trial time: x_j[n] = exp(-(n·step - centre_j)² / (2 width²)),
// and 0 where that is below 1e-100.
typedef struct cfpc_gaussian_bank {
    int32_t count;    // G
    double first_s;   // centre of the first, from the start of the trial
    double spacing_s; // between centres
    double width_s;   // standard deviation
} cfpc_gaussian_bank;

cfpc_status cfpc_gaussian_basis(const cfpc_gaussian_bank *bank, double step_s, int32_t steps,
                                double *basis);

// First centre for which the bank stands in the middle of a trial of steps · step_s.
double cfpc_centred_first_s(const cfpc_gaussian_bank *bank, double step_s, int32_t steps);

#ifdef __cplusplus
}
#endif

#endif
