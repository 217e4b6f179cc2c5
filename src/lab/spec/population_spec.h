// SPDX-License-Identifier: Apache-2.0
// population_spec: random loops on which kinds of traces are compared.
#ifndef CFPC_LAB_POPULATION_SPEC_H
#define CFPC_LAB_POPULATION_SPEC_H

#include "spec/kinds.h"

// Kinds of random loops: enumerator, name.
#define LAB_LOOP_DRAWS(X)                                                                          \
    X(LAB_SMOOTH, "smooth")                                                                        \
    X(LAB_LIGHTLY_DAMPED, "lightly-damped")                                                        \
    X(LAB_TWO_MODES, "two-modes")                                                                  \
    X(LAB_NON_MINIMUM_PHASE, "non-minimum-phase")

typedef enum lab_loop_draw { LAB_LOOP_DRAWS(LAB_ENUMERATOR) LAB_LOOP_DRAW_KINDS } lab_loop_draw;

typedef struct lab_population_spec {
    lab_place place;
    lab_texts kinds;     // names of the kinds that are drawn; none: all
    int count;           // loops of each kind
    int seed;            //
    int trials;          // of each learning curve
    int evaluations;     // learning curves that each trace may try on a loop to be tuned
    int converging;      // settings that diverge in the end do not count
    double narrow_ms;    // standard deviation of the narrow bases; they are twice as far apart
    double wide_ms;      // of the wide ones
    double max_delay_ms; // of delay traces
    double wrong;        // share by which plant and delay are wrong
} lab_population_spec;

#endif
