// SPDX-License-Identifier: Apache-2.0
// lms_task: an unknown filter to be identified by LMS, shared by cfpc and the peers in C: noise in,
// filtered noise out. The Python peers draw the same (peers/lms_task.py).
#ifndef CFPC_BENCH_LMS_TASK_H
#define CFPC_BENCH_LMS_TASK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Uniform in [-1, 1), as a float: xorshift64*.
static inline double lms_draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(float)((double)((*state * 0x2545F4914F6CDD1Du) >> 40) / 8388608.0 - 1);
}

// signal (taps - 1 + steps), of which the first taps - 1 come before the first step; desired
// (steps): a decaying sum of the last 16 steps of the signal.
static inline void lms_task(int taps, int steps, double *signal, double *desired)
{
    uint64_t state = 0x9E3779B97F4A7C15u;
    for (int n = 0; n < taps - 1 + steps; n++)
        signal[n] = lms_draw(&state);
    for (int n = 0; n < steps; n++) {
        desired[n] = 0;
        for (int k = 0; k < 16 && k < taps; k++)
            desired[n] += signal[n + taps - 1 - k] / (1 << (k / 2));
    }
}

// The result: seconds per step, and the weights, newest tap first.
static inline void lms_print(int taps, double seconds, const double *newest_first)
{
    printf("{\"seconds\": %.9g, \"weights\": [", seconds);
    for (int k = 0; k < taps; k++)
        printf("%s%.9g", k ? ", " : "", newest_first[k]);
    printf("]}\n");
}

#endif
