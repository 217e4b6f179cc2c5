// SPDX-License-Identifier: Apache-2.0
// contest: four traces learn on one loop in batch, each tuned by the same number of learning
// curves, and then on loops that differ from what was believed.
#ifndef CFPC_LAB_CONTEST_H
#define CFPC_LAB_CONTEST_H

#include "base/outcome.h"
#include "population/random_loop.h"

// Traces that are compared: enumerator, name, what is tuned beside the rate.
#define LAB_CONTESTANTS(X)                                                                         \
    X(LAB_CONTEST_FORWARD_MODEL, "forward-model", "")                                              \
    X(LAB_CONTEST_DELAY, "delay", "delay_ms")                                                      \
    X(LAB_CONTEST_PHASE_MATCHED, "phase-matched", "rho")                                           \
    X(LAB_CONTEST_WHITENED, "whitened", "rho")

// How long learning continues if the loop is not the believed one: 2^17 trials.
enum { LAB_LATE_DOUBLINGS = 17, LAB_LATE = 1 << LAB_LATE_DOUBLINGS };

typedef enum lab_contestant { LAB_CONTESTANTS(LAB_ENUMERATOR) LAB_CONTESTANT_COUNT } lab_contestant;

const char *lab_contestant_name(lab_contestant which);

// How a trace did at its best settings: those with the lowest mean rRMSE of all trials, among those
// that converge if that is asked for. If none does, it has no settings, diverges and is not tried
// on wrong loops.
typedef struct lab_contest_score {
    double constant;      // delay in ms, or ρ; NAN: only the rate was tuned, or no settings
    double rate_fraction; // η as a fraction of 1/‖ZᵀH‖; NAN: no settings
    double rrmse_mean;    // of all trials: what was minimised
    double rrmse_last;    // of the last trial; INFINITY: it overflowed
    int trials_to_5pc;    // base/arrival.h; 0: never
    bool diverges;        // in the end, by its certificate, however slowly
    double wrong_last[LAB_WRONGS]; // of the last trial, where the loop is not what is believed;
                                   // NAN: not stable without a cell either, or no settings
    double wrong_late[LAB_WRONGS]; // likewise, of trial LAB_LATE + 1
} lab_contest_score;

typedef struct lab_contest {
    lab_loop_draw kind;
    int loop; // of its kind, from 1
    bool is_wide;
    int bases;
    double optimum;                   // rRMSE
    double wrong_optimum[LAB_WRONGS]; // of those loops; NAN: not stable without a cell either
    lab_contest_score score[LAB_CONTESTANT_COUNT];
} lab_contest;

// Holds both contests of a loop: with narrow and with wide bases. neglect: share of a teaching
// filter's energy that is cut off.
lab_outcome lab_contest_hold(lab_contest contest[2], const lab_population_spec *spec,
                             const lab_random_loop *loop, double neglect, lab_why *why);

#endif
