// SPDX-License-Identifier: Apache-2.0
// identify: from a log of input and output to a model, with its uncertainty.
//
// The first part of the log estimates, the rest is held back and judges. The impulse response is
// estimated as a regularised FIR (stable-spline prior, its constants by marginal likelihood), then
// realised with few states: directly, or through the open path T/(1 - T) where the dead time is
// inside a loop; from there least squares of the output error find better ones, and the dead time.
// Of all that predict the held-back part as well as the best, running free, the one with the fewest
// states is kept (docs/theory.md, "From a log to a model").
#ifndef CFPC_IDENTIFY_H
#define CFPC_IDENTIFY_H

#include "cfpc/response.h"
#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- identify --------------------------------------------------------------------------------

typedef struct cfpc_log {
    int32_t steps;        //
    double step_s;        // sampling step in seconds
    const double *input;  // (steps)
    const double *output; // (steps)
} cfpc_log;

// What is wrong with a log.
typedef enum cfpc_log_flaw_kind {
    CFPC_LOG_SOUND,      // nothing that is known
    CFPC_LOG_SHORT,      // it has fewer than CFPC_LOG_STEPS steps
    CFPC_LOG_MAGNITUDE,  // numbers too large or too small to be computed with: change the unit
    CFPC_LOG_CONSTANT,   // a signal does not move in the part that estimates, or in the other
    CFPC_LOG_FREQUENCIES // the input holds one or two frequencies: they determine no response
} cfpc_log_flaw_kind;

enum { CFPC_LOG_STEPS = 64 }; // minimum

typedef struct cfpc_log_flaw {
    cfpc_log_flaw_kind kind;
    bool is_output;    // of the output; else of the input
    bool is_held_back; // constant: in the held-back part; else in the one that estimates
    int32_t step;      // constant: where that part starts
    double value;      // the largest magnitude, or the constant
} cfpc_log_flaw;

// The first flaw of a log of which this fraction estimates; CFPC_BAD_VALUE if it is not one.
cfpc_status cfpc_log_check(const cfpc_log *log, double estimation, cfpc_log_flaw *flaw);

typedef struct cfpc_identify_settings {
    int32_t dead_time_steps;     // -1: found
    int32_t max_dead_time_steps; // up to which it is searched; -1: a quarter of the response
    int32_t order;               // states of what is realised; 0: found
    int32_t max_order;           // up to which it is searched, at most 40
    int32_t taps;                // of the FIR after the dead time; 0: found, at most 800
    double estimation;           // fraction of the log that estimates; the rest is held back
    double confidence;           // of the band, simultaneously at all frequencies
} cfpc_identify_settings;

// Defaults: all is found; orders up to 12; half the log; 0.95.
cfpc_identify_settings cfpc_default_identify_settings(void);

typedef enum cfpc_identify_method {
    CFPC_IDENTIFY_DIRECT,                 // Ho-Kalman on the FIR
    CFPC_IDENTIFY_OPEN_PATH,              // Ho-Kalman on its open path T/(1 - T), closed again
    CFPC_IDENTIFY_LEAST_SQUARES,          // least squares of the output error, in state space
    CFPC_IDENTIFY_LEAST_SQUARES_OPEN_PATH // likewise, with the states in the open path
} cfpc_identify_method;

typedef struct cfpc_identified {
    cfpc_identify_method method;
    int32_t dead_time_steps; // leading zeros of the model's response
    int32_t order;           // states
    cfpc_system part;        // A, B, C, D and a line at its input: the model, or with an open path
                             // the path. Of least squares the line is a step shorter than the dead
                             // time, the last step of which is that of states without D
    cfpc_system model;       // from input to output
    double fit;            // in % on the held-back part: 100 (1 - ‖y - ŷ‖ / ‖y - mean y‖)
    double fit_estimation; // likewise on the part that estimates
    double fit_fir;        // of the FIR on the held-back part
    double outlier;        // of the largest residual: standard deviations of the others
    int32_t outlier_step;  // its step
    int32_t first_held_back; // step at which the held-back part starts
    double trend[4];         // removed: input offset, slope per step; output offset, slope per step
    double *simulated;       // the model's output, running free; offset and trend added  (steps)

    int32_t taps;      // of the FIR, from lag 0; the first are zero, two fewer than the dead time:
                       // it may be a little shorter than found
    double *response;  // the FIR                                              (taps)
    double *deviation; // standard deviation of each                           (taps)
    double decay;      // λ of the kernel, per step
    double noise;      // standard deviation of what the FIR leaves of the part that estimates
    cfpc_band band;    // around the model, for the confidence of the settings
    double low_hz;     // the log excites frequencies from here
    double high_hz;    // to here (98 % of its power); outside the band is the prior's
    double radius;     // largest radius of the band over |T|, where the log excites and |T| is at
                       // least a tenth of its maximum; NAN: nowhere
    double radius_hz;  // there

    int32_t lags;            // of the residuals' correlations, from 0 and from -lags
    double *autocorrelation; // of the residuals on the held-back part, of lag 0 to lags  (lags + 1)
    double *cross;           // of residuals and earlier inputs, lag -lags to lags    (2 lags + 1)
    double limit;            // 99 % limit of both, had they no correlation
    double whiteness;        // probability of such an autocorrelation if the residuals are white
    double unexplained;      // probability of such correlations with earlier inputs if all is
                             // explained
    double feedback;         // probability that the input is correlated with earlier noise as it
                             // is, if it does not react to it: near 0, the log is of a closed loop
                             // and its input the wrong one. 1 if there is no noise to react to
} cfpc_identified;

// Identifies. CFPC_BAD_SHAPE: too few steps, at all or for the dead time or taps that are given;
// CFPC_BAD_SIZE: a setting is out of range; CFPC_BAD_VALUE: not finite, or the log has a flaw that
// cfpc_log_check names; CFPC_UNSTABLE: no stable model was found. Free the result in either case.
// The same log always gives the same result. What was found may be no model: ask cfpc_model_judge.
cfpc_status cfpc_identify(cfpc_identified *identified, const cfpc_log *log,
                          const cfpc_identify_settings *settings);
void cfpc_identified_free(cfpc_identified *identified);

// Probabilities below which a test has failed.
#define CFPC_FEEDBACK_P 1e-4
#define CFPC_UNEXPLAINED_P 1e-3
#define CFPC_WHITENESS_P 0.01

// What speaks against a model, the worst first.
typedef enum cfpc_model_fault {
    CFPC_MODEL_SOUND,      // nothing that is known
    CFPC_MODEL_OUTLIER,    // it is no model, and one step of the output is unlike all others
    CFPC_MODEL_NO_FIT,     // it is no model: a fit below 5 %
    CFPC_MODEL_FEEDBACK,   // the input reacts to the output: it is the command of a closed loop
    CFPC_MODEL_CHANGES,    // it fits the held-back part much worse than the other one
    CFPC_MODEL_FIR_BETTER, // no model of few states fits as well as the FIR
    CFPC_MODEL_LACKS,      // the input explains more of the output than the model does
    CFPC_MODEL_UNKNOWN,    // how far it may be wrong is not known: where the log excites, the
                           // output hardly responds
    CFPC_MODEL_UNCERTAIN,  // it may be wrong by more than half somewhere
    CFPC_MODEL_LOW_FIT     // a fit below 50 %
} cfpc_model_fault;

// The verdict on what was identified, or on what is kept of it: a fit, a probability or an outlier
// that is NAN is not judged by.
cfpc_model_fault cfpc_model_judge(const cfpc_identified *identified);

// Whether a model with this fault failed a test: what is computed of it says little about the
// machine. Otherwise it is only known poorly.
bool cfpc_model_fails(cfpc_model_fault fault);

// ---- excite ----------------------------------------------------------------------------------
//
// A probe that tells most about a path for what it does to the path's output, and how
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
