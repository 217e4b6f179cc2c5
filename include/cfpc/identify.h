// SPDX-License-Identifier: Apache-2.0
// identify: from a log of input and output to a model, with its uncertainty.
//
// The first part of the log estimates, the rest is held back and judges. The impulse response is
// estimated as a regularised FIR (stable-spline prior, its constants by marginal likelihood), then
// realised with few states: directly, or through the open path T/(1 - T) where the dead time is
// inside a loop, or found by least squares in state space. The one that predicts the held-back part
// best, running free, is kept.
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
    int32_t max_order;           // up to which it is searched
    int32_t taps;                // of the FIR after the dead time; 0: found
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
    int32_t dead_time_steps; // leading zeros of the response
    int32_t order;           // states
    cfpc_system part;        // A, B, C, D and the dead time as one line at its input or output: the
                             // model, or with CFPC_IDENTIFY_OPEN_PATH its open path
    cfpc_system model;       // from input to output
    double fit;              // in % on the held-back part: 100 (1 - ‖y - ŷ‖ / ‖y - mean y‖)
    double fit_estimation; // likewise on the part that estimates
    double fit_fir;        // of the FIR on the held-back part
    int32_t first_held_back; // step at which the held-back part starts
    double trend[4];         // removed: input offset, slope per step; output offset, slope per step
    double *simulated;       // the model's output, running free; offset and trend added  (steps)

    int32_t taps;      // of the FIR, from lag 0 (the dead time's are zero)
    double *response;  // the FIR                                              (taps)
    double *deviation; // standard deviation of each                           (taps)
    double decay;      // λ of the kernel, per step
    double noise;      // standard deviation of the noise
    cfpc_band band;    // around the model, for the confidence of the settings
    double low_hz;     // the input excites frequencies from here
    double high_hz;    // to here; outside the band is the prior's

    int32_t lags;            // of the residuals' correlations, from 0 and from -lags
    double *autocorrelation; // of the residuals on the held-back part, of lag 0 to lags  (lags + 1)
    double *cross;           // of residuals and earlier inputs, lag -lags to lags    (2 lags + 1)
    double limit;            // 99 % limit of both, had they no correlation
    double whiteness;        // probability of such an autocorrelation if the residuals are white
    double unexplained;      // probability of such correlations with earlier inputs if all is
                             // explained
    double feedback;         // probability that the input depends on earlier outputs as it does,
                             // if it does not react to them: near 0, the log is of a closed loop
} cfpc_identified;

// Identifies. CFPC_BAD_SHAPE: too few steps; CFPC_BAD_VALUE: not finite, or the input does not
// excite; CFPC_UNSTABLE: no stable model was found. Free the result in either case.
cfpc_status cfpc_identify(cfpc_identified *identified, const cfpc_log *log,
                          const cfpc_identify_settings *settings);
void cfpc_identified_free(cfpc_identified *identified);

#ifdef __cplusplus
}
#endif

#endif
