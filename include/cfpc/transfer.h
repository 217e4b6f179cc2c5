// SPDX-License-Identifier: Apache-2.0
// transfer: T, the N x N transfer matrix, as an operator. The matrix is never stored: T runs the
// system forward, Tᵀ runs its transpose backward in time. Signals are (steps x columns) row-major,
// one signal per column; all are at rest before the first step.
#ifndef CFPC_TRANSFER_H
#define CFPC_TRANSFER_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// y = T x.
cfpc_status cfpc_apply(const cfpc_system *transfer, int32_t steps, int32_t columns, const double *x,
                       double *y);

// x = Tᵀ y.
cfpc_status cfpc_adjoint(const cfpc_system *transfer, int32_t steps, int32_t columns,
                         const double *y, double *x);

// The first column of T (steps): the impulse response, from the model.
cfpc_status cfpc_response(const cfpc_system *transfer, int32_t steps, double *response);

// Direct convolution of one signal with a response: y = T x from T's first column.
void cfpc_convolve(int32_t steps, const double *response, const double *x, double *y);

// A running loop, simulated or real: makes one step with this drive and returns the output y.
typedef double (*cfpc_running_loop)(void *context, double drive);

// Measures the response: drives the loop, at rest, with one pulse and records its output.
cfpc_status cfpc_measure_response(cfpc_running_loop step, void *context, int32_t steps,
                                  double pulse, double *response);

#ifdef __cplusplus
}
#endif

#endif
