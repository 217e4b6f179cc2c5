// SPDX-License-Identifier: Apache-2.0
// excite: a probe that tells most about a path for what it does to the path's output, and how
// accurately the path will be known from it.
//
// The probe is periodic: a sum of cosines at whole multiples (lines) of one over its period,
//
//     u[n] = Σ_k a_k cos(2π k n / period + φ_k).
//
// From n steps of it the estimate T̂ at a line has the variance E|T̂ - T|² = 4 Φ / (n a²), where Φ is
// the spectrum of the noise in what is measured (σ² for white noise of standard deviation σ). The
// probe puts the power p = a² |T|² / 2 of that line into the output, so the relative variance is
// 2 Φ / (n p): for a given Σ p its maximum is smallest if p is proportional to Φ, and it is then
// 2 ΣΦ / (n Σp) at every line. So |a| is proportional to √Φ / |T|.
#ifndef CFPC_EXCITE_H
#define CFPC_EXCITE_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// White noise that reaches what is measured through a path; NULL: as it is.
typedef struct cfpc_excite_noise {
    const cfpc_system *path; // one input, one output, the same step
    double deviation;        // standard deviation
} cfpc_excite_noise;

typedef struct cfpc_excite_settings {
    int32_t steps;     // maximum length
    double low_hz;     // the band: from here
    double high_hz;    // to here, at most half the sampling rate
    double rms;        // of what the probe does to the output, once it repeats
    double floor;      // |T| and √Φ count as at least this share of their maximum in the band
    double estimation; // fraction of the probe's steps that the estimate is made from
    uint32_t seed;     // of the phases at the start; 0: Schroeder's
} cfpc_excite_settings;

// Defaults: a floor of 0.1, so that 1 % of the largest power is the least that counts; an
// estimation of 0.5, the half that cfpc_identify estimates from; the caller sets steps, band and
// rms.
cfpc_excite_settings cfpc_default_excite_settings(void);

typedef struct cfpc_excitation {
    double step_s;        // sampling step in seconds
    int32_t settling;     // steps until the path's response stays below 1 % of its peak
    int32_t least_steps;  // minimum length for this path and band: two periods
    int32_t period_steps; // at least 2 settling, and at least one turn of the lowest frequency
    int32_t periods;      // a whole number
    int32_t lines;        //
    double *probe;        // one period; starts and ends near 0                 (period_steps)
    double *hz;           // frequency of each line                             (lines)
    double *amplitude;    // a                                                  (lines)
    double *re, *im;      // T, as believed                                     (lines)
    double *noise;        // √Φ; 0 without noise                                (lines)
    double *deviation;    // √E|T̂ - T|²; 0 without noise                        (lines)
    double rms, peak;     // of the probe
    double error; // √(Σ E|T̂ - T|² / Σ |T|²): expected error relative to T; NAN: no noise
    double relative_rms; // rms of deviation / |T| over the lines; NAN: no noise
    double relative_max; // maximum of it
    double relative_hz;  // there
} cfpc_excitation;

// Designs the probe for a stable discrete path of one input and one output. CFPC_BAD_SIZE: steps is
// below least_steps, which is then set; CFPC_BAD_VALUE: a setting is out of range, or the path is
// zero in the band. Free it in either case.
cfpc_status cfpc_excite(cfpc_excitation *excitation, const cfpc_system *path, int32_t noises,
                        const cfpc_excite_noise *noise, const cfpc_excite_settings *settings);
void cfpc_excitation_free(cfpc_excitation *excitation);

#ifdef __cplusplus
}
#endif

#endif
