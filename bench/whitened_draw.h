// SPDX-License-Identifier: Apache-2.0
// whitened_draw: random loops with lightly damped modes, as spec files for the lab. The ranges are
// in a separate file.
#ifndef CFPC_BENCH_WHITENED_DRAW_H
#define CFPC_BENCH_WHITENED_DRAW_H

#include "guard_draw.h"

typedef struct whitened_ranges {
    lab_place place;
    int seed;  // of everything
    int loops; //
    double step_ms;

    draw_range resonance_hz, damping; // of a mode
    double second_share;              // of the plants: they have a second mode
    draw_range second_size;           // its gain at 0 Hz, that of the first is 1
    double lag_share;                 // of the plants
    draw_range lag_ms;

    draw_range kp;
    double integral_share; // of the controllers
    draw_range ki_per_s;
    draw_range delay_ms; // on the error

    double before_s, moves_s, after_s; // rest, movements, rest
    draw_range amplitude;
    draw_range duration; // of a movement, as a share of moves_s
    double ramp_share;   // of the tasks; the others are minimum-jerk movements

    double width_ms; // σ
    double margin_s;

    draw_range rates; // as multiples, GUARD_MAX_RULES of them at most
    int trials;       // of the forward model
    int batch_trial;  // at which whitened learning is compared with the forward model's last trial
    int online_trial;

    double model_error;
    int guarded_trials;
} whitened_ranges;

// Reads the ranges; free them even if this fails.
lab_outcome whitened_ranges_load(whitened_ranges *ranges, const char *file, lab_why *why);
void whitened_ranges_free(whitened_ranges *ranges);

// Selects what is drawn of a loop. The loop itself is the same for all.
typedef struct whitened_form {
    bool whitened;  // the rules, one per rate: whitened, or the forward model
    double spacing; // of the bases, as a multiple of σ
    bool misjudged; // the believed plant is wrong
    int trials;     //
} whitened_form;

// How many modes the plant of this draw has.
int whitened_modes(const whitened_ranges *ranges, int loop, int attempt);

// Draw number `attempt` of loop number `loop`: always the same.
guard_draw *whitened_draw_make(const whitened_ranges *ranges, int loop, int attempt,
                               const whitened_form *form);

#endif
