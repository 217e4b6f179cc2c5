// SPDX-License-Identifier: Apache-2.0
// learn: batch learning on a loop, with everything about every trial.
#ifndef CFPC_WEB_LEARN_H
#define CFPC_WEB_LEARN_H

#include "loop.h"

// Gaussian bumps in the middle of the trial: x (steps x count).
cfpc_outcome web_bases(int32_t count, double width_ms, double spacing_ms, double step_ms,
                       int32_t steps, double *x);

typedef enum web_trace { WEB_FORWARD_MODEL, WEB_NONE, WEB_DELAY } web_trace;

// Learns to follow r (steps) with the bases x (steps x bases). learned: the rRMSE of the best
// weights (1); of every trial the rRMSE (trials), the weights that it was run with (trials x
// bases), o, y and e (trials x steps each).
cfpc_outcome web_learn(const web_loop *loop, int32_t steps, int32_t bases, const double *x,
                       const double *r, int32_t trace, double trace_delay_ms, double rate_fraction,
                       int32_t trials, double *learned);

#endif
