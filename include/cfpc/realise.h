// SPDX-License-Identifier: Apache-2.0
// realise: from an impulse response, of a model or measured, to a system that has it: a small one,
// where the dead time becomes a line and the rest as few states as it takes (Ho and Kalman: the
// singular values of its Hankel matrix say how many), or the response itself, tap by tap.
#ifndef CFPC_REALISE_H
#define CFPC_REALISE_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// The system of a response (steps). Its first samples, up to 600 after the dead time, decide.
// tolerance, 0 to below 1, is what counts as nothing: a leading sample beside the largest one, a
// singular value beside the first. 1e-9 suits a response computed in double, 1e-5 one in float.
// CFPC_BAD_VALUE if the response is not finite or all zero; CFPC_UNSTABLE if a pole is not inside
// the unit circle, but the system is made all the same.
cfpc_status cfpc_realise(cfpc_system *sys, double step_s, int32_t steps, const double *response,
                         double tolerance, int32_t most_states);

// The system of a closed loop's response T, from drive to y, with dead time inside the loop: T
// itself would need a state for every step of it. The open path L = T/(1 - z⁻ᵇT) is realised and
// closed again, T = L/(1 + z⁻ᵇL), where b is the loop's measurement delay. most_states are L's.
// CFPC_UNSTABLE asks the closed loop only; CFPC_ALGEBRAIC_LOOP if T answers at once and b is 0.
cfpc_status cfpc_realise_loop(cfpc_system *sys, double step_s, int32_t steps,
                              const double *response, double tolerance, int32_t most_states,
                              int32_t measurement_delay_steps);

// The response (steps) as it is, a finite one: y[n] = Σ response[k] x[n - k]. The dead time is one
// line, every later tap one more of a single step. Leading and trailing samples up to tolerance,
// 0 to below 1, times the largest count as nothing; CFPC_TOO_LARGE if more than CFPC_FIR_MAX taps
// are left between them. A step costs as many multiplications as there are taps, but the core looks
// at the whole block matrix (taps x taps): several hundred are slow on line.
enum { CFPC_FIR_MAX = 2500 };
cfpc_status cfpc_fir(cfpc_system *sys, double step_s, int32_t steps, const double *response,
                     double tolerance);

#ifdef __cplusplus
}
#endif

#endif
