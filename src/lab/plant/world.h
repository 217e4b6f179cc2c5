// SPDX-License-Identifier: Apache-2.0
// world: what happens around the loop: the reference, the disturbances and the cues, by trial and
// step.
#ifndef CFPC_LAB_WORLD_H
#define CFPC_LAB_WORLD_H

#include "plant/signals.h"

typedef struct lab_world {
    const lab_spec *spec;
    int steps;                // of a trial
    lab_signal reference;     // r
    lab_signal *disturbances; // (spec->disturbances.count)
} lab_world;

// Free it in either case.
lab_outcome lab_world_make(lab_world *world, const lab_spec *spec, int steps, lab_why *why);
void lab_world_free(lab_world *world);

// Each at step n of a trial counted from 0. A disturbance that depends on the angle is 0 here.
double lab_world_reference(const lab_world *world, int trial, int n);
double lab_world_disturbance(const lab_world *world, int which, int trial, int n);
double lab_world_expected(const lab_world *world, int which, int trial, int n); // if it is on
double lab_world_push(const lab_world *world, int trial, int n);  // sum at the plant's input
double lab_world_shift(const lab_world *world, int trial, int n); // sum at the plant's output
double lab_world_cue(const lab_world *world, int which, int n);   // 1 while the cue is there

// The sum of the disturbances at the plant's input, and at its output, at this angle.
double lab_world_push_at(const lab_world *world, int trial, int n, double turns);
double lab_world_shift_at(const lab_world *world, int trial, int n, double turns);

// The reference this many steps ahead. At the end of a trial that is reset its last value is held.
double lab_world_preview(const lab_world *world, int trial, int n, int ahead);

#endif
