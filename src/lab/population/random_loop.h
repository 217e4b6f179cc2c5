// SPDX-License-Identifier: Apache-2.0
// random_loop: stable loops of random plants, controllers, delays and movements.
//
//   smooth             1 to 3 lags of 20 to 300 ms
//   lightly-damped     a mode of 1 to 4 Hz, 3 to 12 % damped, and a lag of 10 to 100 ms
//   two-modes          the same and a second mode, 1.5 to 3 times as high, 20 to 80 % as large
//   non-minimum-phase  2 lags and a zero in the right half plane, of 50 to 300 ms each
//
// Plants have a gain of 1 at 0 Hz. The delay is 40 to 200 ms. The controller is a PI, or, where
// there are modes, an integral; its gain is the largest at which the loop amplifies no disturbance
// more than M times, with M from 1.4 to 2.2.
#ifndef CFPC_LAB_RANDOM_LOOP_H
#define CFPC_LAB_RANDOM_LOOP_H

#include "base/random.h"
#include "cfpc/system.h"
#include "spec/population_spec.h"

enum { LAB_MAX_LAGS = 3, LAB_MAX_DRAWN_MODES = 2 };

typedef struct lab_random_loop {
    lab_loop_draw kind;
    double step_s;
    int lags;
    double lag_s[LAB_MAX_LAGS];
    int modes;
    double natural[LAB_MAX_DRAWN_MODES]; // in rad/s
    double damping[LAB_MAX_DRAWN_MODES]; //
    double size[LAB_MAX_DRAWN_MODES];    // share of the gain, before all are divided by their sum
    double zero_s;                       // 1 - zero_s s in the numerator; 0: none
    double kp, ki;                       // of the controller
    int delay_steps;                     // of the error
    double amplitude;                    // of the movement: out and back
    double duration_s[2];                // of both
    bool ramps;                          // at constant speed; else of minimum jerk
} lab_random_loop;

// Factors on what a loop is believed to be.
typedef struct lab_wrong {
    const char *name;
    double gain; // of the plant
    double slow; // of all times of the plant
    double late; // of the delay; at least one step
} lab_wrong;

enum { LAB_WRONGS = 6 };

// Gain, times and delay, each by this share less and more.
void lab_wrongs(lab_wrong wrong[LAB_WRONGS], double share);

const char *lab_loop_draw_name(lab_loop_draw kind);

// The steps of a trial, in which the loop comes to rest, and the time of its bases.
int lab_random_steps(double step_s);
void lab_random_bases(double *first_s, double *last_s);

// Draws until the loop is stable and comes to rest within a trial.
cfpc_status lab_random_loop_draw(lab_random_loop *loop, lab_loop_draw kind, double step_s, int seed,
                                 int stream);

// T, if the loop is off by this; NULL: as it was drawn. CFPC_UNSTABLE if it is not stable.
cfpc_status lab_random_transfer(cfpc_system *transfer, const lab_random_loop *loop,
                                const lab_wrong *wrong);

// r (steps).
void lab_random_reference(const lab_random_loop *loop, int steps, double *r);

#endif
