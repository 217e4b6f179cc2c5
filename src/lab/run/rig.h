// SPDX-License-Identifier: Apache-2.0
// rig: what simulation needs of one rule in one phase: the spec, the loop that is and the one the
// cell believes in, and the world around them. Nothing of it is measured or learned.
#ifndef CFPC_LAB_RIG_H
#define CFPC_LAB_RIG_H

#include "base/arena.h"
#include "plant/systems.h"
#include "plant/world.h"
#include "spec/plan.h"

typedef struct lab_rig {
    const lab_spec *spec; // of the rule in the phase, with the run's seeds
    double step_s;        // sampling step
    int steps;            // N
    int first;            // trial at which the phase begins, from 0
    int trials;           // of the phase
    int teacher;          // the disturbance that teaches, where one does
    lab_loop loop;        // as it is
    lab_loop believed;    // as the cell believes
    lab_world world;      // reference, disturbances, cues
} lab_rig;

// Builds what a plan says of a rule in a phase. Free it in either case, before the plan and the
// arena.
lab_outcome lab_rig_make(lab_rig *rig, lab_arena *arena, const lab_plan *plan, int rule, int phase,
                         lab_why *why);
void lab_rig_free(lab_rig *rig);

#endif
