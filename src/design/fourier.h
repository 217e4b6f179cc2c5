// SPDX-License-Identifier: Apache-2.0
// fourier: the discrete Fourier transform, of 2^k numbers or of any number of them.
#ifndef CFPC_DESIGN_FOURIER_H
#define CFPC_DESIGN_FOURIER_H

#include <complex.h>
#include <stdint.h>

#include "cfpc/status.h"

// Replaces x by X[k] = Σ_n x[n] e^(-2πi kn/count); count is a power of two.
cfpc_status cfpci_fourier(int32_t count, double complex *x);

// The same for any count up to 2^28, as a convolution of 2^k numbers.
cfpc_status cfpci_fourier_any(int32_t count, double complex *x);

#endif
