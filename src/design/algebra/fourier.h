// SPDX-License-Identifier: Apache-2.0
// fourier: the discrete Fourier transform, of 2^k numbers or of any number of them.
#ifndef CFPC_DESIGN_FOURIER_H
#define CFPC_DESIGN_FOURIER_H

#include <complex.h>
#include <stdint.h>

#include "cfpc/status.h"

// Replaces x by X[k] = Σ_n x[n] e^(-2πi kn/count); count is a power of two.
cfpc_status cfpci_fourier(int32_t count, double complex *x);

// The same for any count up to 2^28, prepared once and then made as often as needed.
typedef struct cfpci_transform {
    int32_t count;          //
    int32_t room;           // 2^k, at least 2 count
    double complex *turn;   // allocated with all that follow    (room / 2)
    double complex *chirp;  // (count)
    double complex *kernel; // (room)
    double complex *work;   // (room)
} cfpci_transform;

// Free it even if this fails.
cfpc_status cfpci_transform_make(cfpci_transform *transform, int32_t count);
void cfpci_transform_free(cfpci_transform *transform);
void cfpci_transform_run(const cfpci_transform *transform, double complex *x);

#endif
