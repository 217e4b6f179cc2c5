// SPDX-License-Identifier: Apache-2.0
// frequency: a system seen by its frequencies: how much of each comes through, how late, and what a
// loop bears before it swings by itself. Systems have one input and one output, CFPC_BAD_SHAPE
// otherwise; discrete ones may have lines, continuous ones none. What the input does not reach or
// the output does not see has no part in it.
#ifndef CFPC_FREQUENCY_H
#define CFPC_FREQUENCY_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// The transfer function at these frequencies in Hz (count), re + i im (count): at z = e^(2πi hz
// step_s), or at s = 2πi hz of a continuous system. A gain at any step is itself at all of them;
// states or lines at any step are CFPC_BAD_SHAPE. On a pole: HUGE_VAL, 0.
cfpc_status cfpc_frequency_response(const cfpc_system *sys, int32_t count, const double *hz,
                                    double *re, double *im);

// Σ k g_k / Σ g_k of the impulse response g of a stable discrete system, in steps: the lag behind
// an endless ramp. Not a number if Σ g_k is 0; CFPC_BAD_VALUE for a pole at 1.
cfpc_status cfpc_centroid(const cfpc_system *sys, double *steps);

// What a loop bears. It is stable now if the phase is positive.
typedef struct cfpc_margins {
    double gain;      // least factor from 1 up that makes L meet -1; INFINITY if none below 1e9
    double gain_hz;   // where; 0 if nowhere, INFINITY if L meets it by its direct part D
    double phase_deg; // least angle to -1 where |L| = 1, below 0 if the loop is unstable now;
                      // INFINITY if |L| is nowhere 1
    double phase_hz;  // where; 0 if nowhere
    double delay_s;   // least extra delay in seconds that makes L meet -1; INFINITY if none
} cfpc_margins;

// The margins of a loop cut open: L, closed by 1 / (1 + L), which for a loop of cfpc_open_loop is
// minus the path from CFPC_LOOP_APPLIED to CFPC_LOOP_U. With |L| above 1 at half the sampling rate
// one step is the most that a loop can bear; with |D| above 1 a continuous one bears no delay.
cfpc_status cfpc_margins_of(const cfpc_system *open, cfpc_margins *margins);

// The lowest frequency in Hz at which |T| falls to 1/√2 (3 dB) of |T| at 0; INFINITY if it never
// does, below half the sampling rate if it is discrete.
cfpc_status cfpc_bandwidth(const cfpc_system *closed, double *hz);

// The exact zeros that the impulse response of a discrete system starts with, at most `most`.
cfpc_status cfpc_dead_time(const cfpc_system *path, int32_t most, int32_t *steps);

#ifdef __cplusplus
}
#endif

#endif
