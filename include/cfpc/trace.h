// SPDX-License-Identifier: Apache-2.0
// trace: what turns a basis signal into the eligibility trace of its synapse, or an error into what
// teaches all of them.
#ifndef CFPC_TRACE_H
#define CFPC_TRACE_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- trace design ----------------------------------------------------------------------------
//
// Decaying traces, as systems from a basis signal to its eligibility. The other
// traces are systems, too: none is cfpc_gain, a delay is cfpc_delay, the forward model is
// cfpc_loop_transfer.

// Both have unit area: their responses sum to 1. a = exp(-step/τ).

// Response (1 - a) aⁿ: starts at its maximum and decays with the time constant τ.
cfpc_status cfpc_exponential_trace(cfpc_system *sys, double step_s, double time_constant_s);

// Response (1 - a)² n aⁿ⁻¹, the sampled alpha function t exp(-t/τ): maximum after τ.
cfpc_status cfpc_alpha_trace(cfpc_system *sys, double step_s, double time_constant_s);

// ---- teaching filter -------------------------------------------------------------------------
//
// A trace moved to the error. What a synapse learns over time is
//
//     Σ_n h_j[n] t[n] = Σ_m x_j[m] δ[m]        δ[m] = Σ_k a[k] t[m + k],   k = -L ... M
//
// with h_j the trace of x_j and t the teaching signal. So t is filtered once per cell, and no
// synapse has a state: at step n it learns from its input of M steps ago, η x_j[n - M] δ[n - M].
// For a trace with the impulse response a the two sums are equal, up to the part of a that is cut
// off after the horizon M. As the filter works on the past, it may also look back from the input:
// L is its lead.

typedef struct cfpc_teaching_filter {
    int32_t lead;     // L
    int32_t horizon;  // M
    double *taps;     // a[-L] ... a[M]                                     (L + M + 1)
    double neglected; // energy of the taps that were cut off, relative to the energy of all taps
} cfpc_teaching_filter;

// What is cut off changes a trace by c * x, where ‖c‖² is the neglected energy: neglected ‖a‖²,
// with ‖a‖² = Σ taps² / (1 - neglected). So in every trial ‖z - h‖₂ <= √neglected ‖a‖₂ ‖x‖₁ and
// max|z - h| <= √neglected ‖a‖₂ ‖x‖₂, with h the trace of all taps and z that of the filter.

// The default share of energy that is cut off.
#define CFPC_NEGLECT 1e-4

// The filter of a trace: its impulse response, with the shortest horizon, at most max_steps, that
// neglects at most `neglect` (0 to below 1) of its energy; L is 0. The energy is that of the
// infinite response: what follows the computed part is estimated from its slowest pole.
// CFPC_UNSTABLE if the response does not decay, CFPC_TOO_LARGE if more than max_steps are needed,
// CFPC_BAD_VALUE if it is zero.
cfpc_status cfpc_teaching_filter_of(cfpc_teaching_filter *filter, const cfpc_system *trace,
                                    double neglect, int32_t max_steps);

// The whitened filter of a path T, as a forward model would be: a = F⁻¹{T / (|T|² + ρ max|T|²)}.
// The teaching signal then passes T* / (|T|² + ρ max|T|²), which undoes what T does to the
// conditioning of learning. For ρ → ∞ it is the filter of the forward model, rescaled. Both lengths
// are the shortest that neglect half of `neglect` each; together at most max_steps. CFPC_BAD_VALUE
// if ρ is 0 and T is 0, or almost, at some frequency; the others as above.
cfpc_status cfpc_teaching_filter_whitened(cfpc_teaching_filter *filter, const cfpc_system *path,
                                          double rho, double neglect, int32_t max_steps);

// The phase-matched filter of a path T: a = F⁻¹{T / √(|T|² + ρ max|T|²)}, so that the teaching
// signal passes T's phase backward, and where |T|² is above ρ max|T|² nothing of its amplitude:
// what a delay would be if it could differ from frequency to frequency. Learning then meets |T|
// once, where gradient descent meets it twice and the whitened filter not at all. The rest is as
// above.
cfpc_status cfpc_teaching_filter_phase_matched(cfpc_teaching_filter *filter,
                                               const cfpc_system *path, double rho, double neglect,
                                               int32_t max_steps);

// The default ρ of both.
#define CFPC_WHITENING 1e-3

// Also accepts a zeroed or already freed filter.
void cfpc_teaching_filter_free(cfpc_teaching_filter *filter);

// The traces that a cell with this filter learns by, over a trial with signals that are zero
// outside it: z[n] = Σ_k a[k] x[n - k]. x, z: (steps x columns), apart in memory. CFPC_BAD_SIZE if
// a length, also one of the filter, is negative, or there are no columns.
cfpc_status cfpc_teaching_filter_traces(const cfpc_teaching_filter *filter, int32_t steps,
                                        int32_t columns, const double *x, double *z);

// δ[m] = Σ_k a[k] t[m + k] over a trial: the transpose. t, delta: as x, z.
cfpc_status cfpc_teaching_filter_adjoint(const cfpc_teaching_filter *filter, int32_t steps,
                                         int32_t columns, const double *t, double *delta);

// ‖ZᵀH‖₂ over a trial, with Z the traces of this filter and H = T X what the path T makes of the
// basis signals x (steps x bases). With Z = H it is λmax(HᵀH): learning, w += η Zᵀe, corrects the
// strongest direction at once at η = 1/‖ZᵀH‖. A whitened filter of T leaves ZᵀH almost symmetric,
// as Z and H have the same phase, so that it is monotone up to twice that rate.
cfpc_status cfpc_teaching_filter_norm(const cfpc_teaching_filter *filter, const cfpc_system *path,
                                      int32_t steps, int32_t bases, const double *x, double *norm);

#ifdef __cplusplus
}
#endif

#endif
