// SPDX-License-Identifier: Apache-2.0
// response: what a system answers, in time and in frequency, and how wrong a model of it may be.
#ifndef CFPC_RESPONSE_H
#define CFPC_RESPONSE_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- transfer --------------------------------------------------------------------------------
//
// T, the N x N transfer matrix, as an operator. The matrix is never stored: T runs the
// system forward, Tᵀ runs its transpose backward in time. Signals are (steps x columns) row-major,
// one signal per column; all are at rest before the first step.

// y = T x.
cfpc_status cfpc_apply(const cfpc_system *transfer, int32_t steps, int32_t columns, const double *x,
                       double *y);

// x = Tᵀ y.
cfpc_status cfpc_apply_transpose(const cfpc_system *transfer, int32_t steps, int32_t columns,
                                 const double *y, double *x);

// The first column of T (steps): the impulse response, from the model.
cfpc_status cfpc_impulse_response(const cfpc_system *transfer, int32_t steps, double *response);

// Direct convolution of one signal with a response: y = T x from T's first column.
void cfpc_convolve(int32_t steps, const double *response, const double *x, double *y);

// A running loop, simulated or real: makes one step with this drive and returns the output y.
typedef double (*cfpc_running_loop)(void *context, double drive);

// Measures the response: drives the loop, at rest, with one pulse and records its output.
cfpc_status cfpc_measure_response(cfpc_running_loop step, void *context, int32_t steps,
                                  double pulse, double *response);

// ---- frequency -------------------------------------------------------------------------------
//
// The frequency response of a system, its bandwidth and dead time, and the margins of a
// loop before it oscillates. Systems have one input and one output, CFPC_BAD_SHAPE otherwise;
// discrete ones may have delay lines, continuous ones may not. States that are not controllable or
// not observable are ignored.

// The transfer function at the frequencies hz (count), re + i im (count): at z = e^(2πi hz step_s),
// or at s = 2πi hz for a continuous system. A pure gain may have any step; states or lines with a
// negative step_s are CFPC_BAD_SHAPE. On a pole: HUGE_VAL, 0.
cfpc_status cfpc_frequency_response(const cfpc_system *sys, int32_t count, const double *hz,
                                    double *re, double *im);

// Σ k g_k / Σ g_k of the impulse response g of a stable discrete system, in steps: the steady-state
// lag behind a ramp. NAN if Σ g_k is 0; CFPC_BAD_VALUE for a pole at 1.
cfpc_status cfpc_centroid(const cfpc_system *sys, double *steps);

// The margins of a loop. It is stable if the phase margin is positive.
typedef struct cfpc_margins {
    double gain;      // smallest factor above 1 for which L reaches -1; INFINITY if none below 1e9
    double gain_hz;   // its frequency; 0 if none, INFINITY if L reaches -1 by its feed-through D
    double phase_deg; // smallest angle to -1 where |L| = 1, negative if the loop is unstable;
                      // INFINITY if |L| is never 1
    double phase_hz;  // its frequency; 0 if none
    double delay_s;   // smallest extra delay in seconds for which L reaches -1; INFINITY if none
    double gain_low;  // largest factor below 1 for which L reaches -1, as around a plant that is
                      // unstable by itself; 0 if none
    double gain_low_hz; // its frequency; 0 if none
} cfpc_margins;

// The margins of an open loop L, closed by 1 / (1 + L). For a loop of cfpc_open_loop, L is minus
// the path from CFPC_LOOP_APPLIED to CFPC_LOOP_U. If |L| is above 1 at half the sampling rate, the
// delay margin is at most one step; if |D| is above 1, a continuous loop has no delay margin.
cfpc_status cfpc_margins_of(const cfpc_system *open, cfpc_margins *margins);

// The lowest frequency in Hz at which |T| falls to 1/√2 (3 dB) of |T| at 0; INFINITY if it never
// does, below half the sampling rate if it is discrete.
cfpc_status cfpc_bandwidth(const cfpc_system *closed, double *hz);

// The number of exact zeros at the start of the impulse response of a discrete system, at most
// `max_steps`.
cfpc_status cfpc_dead_time(const cfpc_system *path, int32_t max_steps, int32_t *steps);

// ---- band ------------------------------------------------------------------------------------
//
// How wrong a model may be: a band around its frequency response.
//
// A model is inside the band if |T(f) - T̂(f)| <= radius(f) at every frequency f up to half the
// sampling rate, T̂ being the model that the band is around.

typedef struct cfpc_band {
    int32_t count;  // of frequencies, at least 2
    double *hz;     // ascending, from 0 to half the sampling rate          (count)
    double *radius; // of the disc around T̂(hz), linear in between          (count)
} cfpc_band;

// A band of this many frequencies, all zero; one allocation.
cfpc_status cfpc_band_make(cfpc_band *band, int32_t count);
void cfpc_band_free(cfpc_band *band);

// The radius at any frequency; beyond the ends that of the end.
double cfpc_band_at(const cfpc_band *band, double hz);

// The impulse response (steps) of a deviation Δ on the edge of the band, for a path with this
// response (steps): T̂ times a filter of minimum phase with magnitude ρ/|T̂|, a sign, and all-pass
// filters; index, from 0, chooses among them. |Δ| = ρ but where |T̂| is below 1e-6 of its maximum.
cfpc_status cfpc_band_member(const cfpc_band *band, double step_s, int32_t steps,
                             const double *response, int32_t index, double *deviation);

#ifdef __cplusplus
}
#endif

#endif
