// SPDX-License-Identifier: Apache-2.0
// loop: a loop by itself, without a spec. A function that returns an outcome or NULL keeps why
// (why.h).
#ifndef CFPC_WEB_LOOP_H
#define CFPC_WEB_LOOP_H

#include <stdint.h>

#include "cfpc/lab.h"
#include "cfpc/system.h"

typedef struct web_loop {
    double step_s;
    bool stable;
    cfpc_system transfer; // T, from the drive to y
    cfpc_system open;     // L, from the command through plant, delay and controller back to it
} web_loop;

// A chain of stages, each of a kind (0: leaky integrator, 1: lag) with a time constant, the
// controller kp + ki/s, and a delay of the error. An unstable loop is made too.
web_loop *web_loop_make(double step_ms, int32_t stages, const int32_t *kinds,
                        const double *time_constants_ms, double kp, double ki_per_s,
                        double delay_ms);
void web_loop_free(web_loop *loop);

// facts (5): stable (0 or 1), largest modulus of a pole, margins of gain, phase in degrees and
// delay in milliseconds: NaN if the loop is unstable, as it has none.
cfpc_outcome web_loop_facts(const web_loop *loop, double *facts);

// y = T drive, both (steps).
cfpc_outcome web_loop_simulate(const web_loop *loop, int32_t steps, const double *drive, double *y);

#endif
