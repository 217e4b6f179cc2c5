// SPDX-License-Identifier: Apache-2.0
// realise: from an impulse response, of a model or measured, to a system with that response: a
// small one, with the dead time as a line and a minimum number of states (Ho and Kalman: from the
// singular values of its Hankel matrix), or the response itself as an FIR filter.
#ifndef CFPC_REALISE_H
#define CFPC_REALISE_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// Realises a response (steps) from its first samples, up to 600 after the dead time. Values below
// tolerance (0 to below 1) count as zero: a leading sample relative to the largest one, a singular
// value relative to the first. Use 1e-9 for a response computed in double, 1e-5 in float.
// CFPC_BAD_VALUE if the response is not finite or all zero; CFPC_UNSTABLE if a pole is not inside
// the unit circle; the system is made even then.
cfpc_status cfpc_realise(cfpc_system *sys, double step_s, int32_t steps, const double *response,
                         double tolerance, int32_t max_states);

// Realises the response T of a closed loop, from drive to y, with dead time inside the loop: T
// itself would need a state for every step of the dead time. The open path L = T/(1 - z⁻ᵇT) is
// realised and closed again, T = L/(1 + z⁻ᵇL), where b is the loop's measurement delay. max_states
// limits the states of L. CFPC_UNSTABLE refers to the closed loop only; CFPC_ALGEBRAIC_LOOP if T
// has feed-through and b is 0.
cfpc_status cfpc_realise_loop(cfpc_system *sys, double step_s, int32_t steps,
                              const double *response, double tolerance, int32_t max_states,
                              int32_t measurement_delay_steps);

// The response (steps) as an FIR filter: y[n] = Σ response[k] x[n - k]. The dead time is one line,
// every later tap one more line of a single step. Leading and trailing samples up to tolerance (0
// to below 1) times the largest count as zero; CFPC_TOO_LARGE if more than CFPC_FIR_MAX taps
// remain between them. A step needs one multiplication per tap, but the core scans the whole block
// matrix (taps x taps): several hundred taps are slow on line.
enum { CFPC_FIR_MAX = 2500 };
cfpc_status cfpc_fir(cfpc_system *sys, double step_s, int32_t steps, const double *response,
                     double tolerance);

#ifdef __cplusplus
}
#endif

#endif
