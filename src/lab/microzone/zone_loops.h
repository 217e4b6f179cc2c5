// SPDX-License-Identifier: Apache-2.0
// zone_loops: the loops of a zone. Each is the spec's with a delay, a time constant of the plant's
// first stage and a gain of the controller of its own; or they are the two joints of an arm, whose
// inertias are coupled: M q'' + V q' + K q = u.
#ifndef CFPC_LAB_ZONE_LOOPS_H
#define CFPC_LAB_ZONE_LOOPS_H

#include "base/arena.h"
#include "cfpc/system.h"
#include "spec/spec.h"

enum { LAB_MAX_COUPLED = 2 }; // loops that may act on each other

typedef struct lab_zone_loop {
    int delay_steps;         // of the error, at the controller's input
    double time_constant_ms; // of the plant's first stage; NAN: of no such plant
    double gain;             // of the controller, times that of the spec
} lab_zone_loop;

// Loop m of a group of coupled ones has the number group·coupled + m.
typedef struct lab_zone_loops {
    int count;           // P
    int coupled;         // loops of a group, which act on each other; 1: none does
    double step_s;       //
    int steps;           // N
    int dead_steps;      // the shortest dead time from an output to an error
    lab_zone_loop *loop; // (P)
    cfpc_system *group;  // from the outputs o of a group's cells to y of its loops (P / coupled)
    cfpc_system *path;   // from cell p to loop m of its group                  (P x coupled)
    double *e0;          // reactive errors                                     (P x N)
    double *e0_norm;     // ‖e0‖ of each                                        (P)
    double *work;        // (N)
    double *baseline;    // that rRMSE is relative to: ‖e0‖ of all loops of its group (P)
} lab_zone_loops;

// Where loop p of `count` lies in the ranges of a zone; its gain is 1.
lab_zone_loop lab_zone_loop_at(const lab_spec *spec, int p, int count);

// Makes `count` loops that follow r (steps), or two joints with this coupling, which follow their
// part of it. Refuses a loop that is not stable. The arena owns the arrays; free the loops in
// either case.
lab_outcome lab_zone_loops_make(lab_zone_loops *zone_loops, lab_arena *arena, const lab_spec *spec,
                                int count, const double *r, int steps, lab_why *why);
lab_outcome lab_zone_joints_make(lab_zone_loops *zone_loops, lab_arena *arena, const lab_spec *spec,
                                 double coupling, const double *r, int steps, lab_why *why);
// The same with the delays, time constants and gains that are in it->loop already.
lab_outcome lab_zone_loops_close(lab_zone_loops *zone_loops, const lab_spec *spec, double coupling,
                                 const double *r, lab_why *why);
void lab_zone_loops_free(lab_zone_loops *zone_loops);

#endif
