// SPDX-License-Identifier: Apache-2.0
// robust: batch learning with every model inside a band.
//
// The path from o to the teaching signal is T = T̂ + Δ, |Δ(f)| <= ρ(f) at every frequency. With
// traces Z and bases X, both zero outside the trial, learning is w ← w + η(b - M w), M = Zᵀ(Ĥ +
// ΔX). For every a and every weight κ(f) > 0
//
//     |aᵀZᵀΔX a| <= ∫ ρ |Za| |Xa| df <= aᵀB a        B = ½ ∫ ρ (κ X*X + Z*Z/κ) df
//     ‖ΔX a‖² <= aᵀR a                               R = ∫ ρ² X*X df
//
// so that K = ½(ZᵀĤ + ĤᵀZ) - B is a lower bound of ½(M + Mᵀ), and ‖M a‖² <= aᵀN a with N =
// (1 + c)(ZᵀĤ)ᵀ(ZᵀĤ) + (1 + 1/c)‖Z‖² R for any c > 0. Learning is monotone if 2K > ηN: sufficient,
// not necessary. With ρ = 0 the bound is that of the certificate.
//
// The integrals are sums over the L frequencies of a discrete Fourier transform, L at least four
// trials long. They are exact for every Δ whose impulse response has died away after L - N steps,
// whatever ρ is between these frequencies.
#ifndef CFPC_ROBUST_H
#define CFPC_ROBUST_H

#include "cfpc/band.h"
#include "cfpc/certificate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cfpc_robust {
    int32_t directions; // of the weights that the traces reach
    double rate_max;    // every rate below it is monotone for every model inside; 0: none is known
    double widest;      // the same band, up to so many times as wide, leaves a rate; INFINITY: any
    double low_hz;      // the frequencies from here
    double high_hz;     // to here limit it: four fifths of what the band costs the worst direction
} cfpc_robust;

// The bound for a lesson with a believed effect (`effect`, N x G) and a basis, learned in batch at
// sampling step step_s. With a leak the rates are those that keep every step a contraction. With a
// preconditioner P = SSᵀ, which must be positive definite, distances are those of S⁻¹w. Momentum is
// not covered: CFPC_BAD_VALUE. The directions are those that the traces reach, to `faint` of the
// strongest as in the certificate.
cfpc_status cfpc_robust_bound(cfpc_robust *robust, const cfpc_lesson *lesson, const cfpc_band *band,
                              double step_s);

// L, the number of frequencies that the bound for a trial of this length is computed with: it sees
// the band at multiples of the sampling rate / L. 0: too many.
int32_t cfpc_robust_grid(int32_t steps);

// The impulse response (steps) of a deviation Δ on the edge of the band, for a path with this
// response (steps): T̂ times a filter of minimum phase with magnitude ρ/|T̂|, a sign, and all-pass
// filters; index, from 0, chooses among them. |Δ| = ρ but where |T̂| is below 1e-6 of its maximum.
cfpc_status cfpc_band_member(const cfpc_band *band, double step_s, int32_t steps,
                             const double *response, int32_t index, double *deviation);

#ifdef __cplusplus
}
#endif

#endif
