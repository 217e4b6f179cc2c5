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

#include "cfpc/band.h"
#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cfpc_log {
    int32_t steps;        //
    double step_s;        // sampling step in seconds
    const double *input;  // (steps)
    const double *output; // (steps)
} cfpc_log;

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
// CFPC_BAD_SIZE: a setting is out of range; CFPC_BAD_VALUE: not finite, or input or output do not
// change; CFPC_UNSTABLE: no stable model was found. Free the result in either case. The same log
// always gives the same result.
cfpc_status cfpc_identify(cfpc_identified *identified, const cfpc_log *log,
                          const cfpc_identify_settings *settings);
void cfpc_identified_free(cfpc_identified *identified);

#ifdef __cplusplus
}
#endif

#endif
