// SPDX-License-Identifier: Apache-2.0
// learned: a forward model that is learned while the cell runs. A probe (band-limited noise) is
// added to o, and what teaches is regressed on the probe alone: the rest of o is correlated with
// the error, so that a regression on it would be biased.
//
//     -t[n] = Σ_k a[k] p[n - k] + everything else        a[k] = Σ_i θ_i l_i[k - d]
//
// l_i are the first Laguerre functions (orthonormal) and d is a dead time. Both sides pass a filter
// that whitens t; without it the error that is not yet learned would hide the probe. The sums of
// least squares with forgetting are kept for every d up to the maximum, and the d that explains
// most is taken. A model predicts if what it says of the next steps comes true: the regression of t
// on its prediction, made beforehand, has a slope of 1 for the right model and 0 for a random one.
//
// A cell that learns with it has an adjoint form with mutable taps (cfpc/model.h), without lead,
// and the same horizon. Its taps are 0, so that it learns nothing, as long as the model does not
// predict.
//
//     o = cfpc_learned_step(model, cell, learned, x, e);     // as cfpc_step
#ifndef CFPC_LEARNED_H
#define CFPC_LEARNED_H

#include "cfpc/model.h"
#include "cfpc/status.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CFPC_LEARNED_FUNCTIONS = 8, CFPC_LEARNED_WHITENING = 16 }; // maxima

typedef struct cfpc_learned_def {
    cfpc_real probe_rms;     // root mean square of the probe, in the unit of o; above 0
    cfpc_real probe_low;     // its band: corner frequencies in cycles per step,
    cfpc_real probe_high;    // 0 <= low < high <= 0.5
    cfpc_real probe_least;   // the probe fades with the rms of what teaches, once the model
                             // predicts, down to this fraction; 1: it does not fade
    uint32_t seed;           // of the probe
    int32_t dead_time_steps; // maximum of d
    int32_t horizon;         // M, the last tap; above dead_time_steps
    int32_t functions;       // number of Laguerre functions, 1 to CFPC_LEARNED_FUNCTIONS
    cfpc_real decay_steps;   // their time constant
    int32_t whitening;       // order of the whitening filter, up to CFPC_LEARNED_WHITENING
    int32_t memory_steps;    // time constant of forgetting; at least 50
    cfpc_real share;         // of its prediction that must come true, above 0 and below 1
} cfpc_learned_def;

// Default: a band from 1/50 to 1/8, fading to 1/20, dead times up to 50 steps, horizon 75, one
// function that decays within 2 steps, whitening of order 6, memory of 1000 steps, share 0.5. There
// is no default for probe_rms.
cfpc_learned_def cfpc_default_learned_def(void);

// An image: contiguous memory without pointers. Within one program, memcpy copies it. It is not
// part of cfpc_data: cfpc_data_seal does not save it, and a cell that is restored with a new one
// identifies its model again.
typedef struct cfpc_learned cfpc_learned;

size_t cfpc_learned_size(const cfpc_learned_def *def);
cfpc_status cfpc_learned_init(cfpc_learned **learned, void *mem, size_t bytes,
                              const cfpc_learned_def *def);
size_t cfpc_learned_bytes(const cfpc_learned *learned);

// Forgets what was learned; the probe starts again.
void cfpc_learned_reset(cfpc_learned *learned);

// Another rms of the probe, above 0, from the next step on; what was learned stays.
void cfpc_learned_set_rms(cfpc_learned *learned, cfpc_real rms);

// CFPC_OK if a cell of this model can learn with it; CFPC_BAD_SHAPE also where the caller gives the
// past inputs (CFPC_PAST_GIVEN).
cfpc_status cfpc_learned_fits(const cfpc_learned *learned, const cfpc_model *model);

// ---- all in one ------------------------------------------------------------------------------

// cfpc_step with a learned model: returns o with the probe in it. The probe does not fade with the
// cell: while the cell is off, use cfpc_step.
cfpc_real cfpc_learned_step(const cfpc_model *model, cfpc_data *data, cfpc_learned *learned,
                            const cfpc_real *x, cfpc_real e);

// cfpc_teach with a learned model, after cfpc_act and cfpc_learned_probe.
void cfpc_learned_teach(const cfpc_model *model, cfpc_data *data, cfpc_learned *learned,
                        cfpc_real teaching);

// ---- its parts -------------------------------------------------------------------------------

// The probe of this step, to be added to o; once per step.
cfpc_real cfpc_learned_probe(cfpc_learned *learned);

// What taught in this step, after cfpc_learned_probe. Returns whether the taps changed: at the
// first step, to 0, whatever model the cell started with, and every memory_steps / 50 steps, which
// then cost dead_time_steps x functions² more operations.
bool cfpc_learned_observe(cfpc_learned *learned, cfpc_real teaching);

bool cfpc_learned_ready(const cfpc_learned *learned); // the model predicts
const cfpc_real *
cfpc_learned_taps(const cfpc_learned *learned); // to learn with (M + 1); 0 if not ready
const cfpc_real *cfpc_learned_estimate(const cfpc_learned *learned); // the model so far (M + 1)
cfpc_real cfpc_learned_share(const cfpc_learned *learned); // of its prediction that came true

#ifdef __cplusplus
}
#endif

#endif
