// SPDX-License-Identifier: Apache-2.0
// guard_proof: counts on random loops how often the guard meets its criterion:
//
//     in a phase at most one trial above `factor` times the reactive error, the one it acts on;
//     none after it has acted; the last K trials not above the reactive error.
//
// The guard acts at the end of a trial and cannot undo earlier ones. A run (one rule in one phase)
// therefore ends in one of four ways; two of them are continued to be judged.
#ifndef CFPC_BENCH_GUARD_PROOF_H
#define CFPC_BENCH_GUARD_PROOF_H

#include "guard_draw.h"

// ---- one run ---------------------------------------------------------------------------------

typedef struct guard_curve {
    int trials;          // of the phase
    const double *rrmse; // (trials)
    const double *alone; // of the reactive loop in the same trials, NULL: always 1 (trials)
    int acts;            // of the guard
    int acted;           // first in this trial of the phase, counted from 1; 0: it did not
} guard_curve;

typedef enum guard_end {
    GUARD_SETTLED,    // it acted, and K trials have passed: each of them must hold
    GUARD_LEARNS,     // it had no reason to act: their mean energy must hold
    GUARD_JUST_ACTED, // within the last K trials: to be continued
    GUARD_IS_ABOVE,   // the mean of the last K is above, and it has not acted yet: to be continued
    GUARD_ENDS
} guard_end;

typedef struct guard_verdict {
    guard_end end;
    int above_factor; // trials above it in all
    int after_act;    // trials above it after the one acted on
    int above;        // trials above the reactive error up to the one acted on
    int last_above;   // of the last K
    bool mean_holds;  // of the last K, energies
} guard_verdict;

guard_verdict guard_judge(const guard_curve *curve, double factor, int last);

// ---- all runs --------------------------------------------------------------------------------

typedef enum guard_breach {
    GUARD_HOLDS,
    GUARD_TWO_ABOVE,    // more than one trial above the factor
    GUARD_AFTER_ACT,    // a trial above the factor after it acted
    GUARD_UNSEEN,       // a trial above the factor, and it did not act
    GUARD_LAST_ABOVE,   // of the last K
    GUARD_NEVER_ENDS,   // continued, it never settled
    GUARD_TWIN_DIFFERS, // continued, it acted in another trial
    GUARD_BREACHES
} guard_breach;

typedef enum guard_refusal {
    GUARD_UNSTABLE,
    GUARD_BELIEVED_UNSTABLE,
    GUARD_AT_ONCE,   // an algebraic loop
    GUARD_TRACE,     // the response cannot be realised
    GUARD_NO_EFFECT, // no basis signal reaches the output
    GUARD_OTHER,
    GUARD_REFUSALS
} guard_refusal;

enum { GUARD_MAX_TRIALS = 1000, GUARD_MAX_LISTED = 200 };

typedef struct guard_broken {
    int loop, mode, rule, phase;
    guard_breach breach;
    double worst; // of the last K: energy over the reactive one
} guard_broken;

// The counts; those of several loops can be added.
typedef struct guard_tally {
    int loops;
    int refused[GUARD_REFUSALS];       // draws that gave no valid loop
    int posed, ill;                    // loops whose H is known; whose cond(H) is above 30
    int runs, held;                    // a run: a rule in a phase
    int mean_held;                     // runs whose last K hold in the mean
    int acted, acted_again;            // runs
    int ends[GUARD_ENDS];              // runs, before they were continued
    int single_above;                  // runs that still learn, with one of the last K above
    int breaches[GUARD_BREACHES];      // runs
    int stopped_well;                  // it acted; without it the phase would end below 0.9
    int spoiled;                       // and with it the phase does not
    int with[GUARD_MAX_TRIALS + 1];    // runs in which it acted, by the trials above until then
    int without[GUARD_MAX_TRIALS + 1]; // the same runs, by the trials above without it
    int listed;                        // of the broken
    guard_broken broken[GUARD_MAX_LISTED];
    lab_why refusal; // one of GUARD_OTHER
} guard_tally;

void guard_tally_add(guard_tally *to, const guard_tally *more);

// Median, mean and maximum of a distribution.
typedef struct guard_spread {
    double median, mean, worst;
} guard_spread;
guard_spread guard_spread_of(const int runs[GUARD_MAX_TRIALS + 1]);

// Runs a drawn loop in both modes, and counts; LAB_REFUSED if it is not valid.
lab_outcome guard_prove_draw(guard_tally *tally, const guard_draw *draw, int loop, bool noisy,
                             lab_why *why);

// Draws loop number `loop` until it is valid, runs it in both modes, and counts. The result depends
// only on the ranges and the number.
lab_outcome guard_prove(guard_tally *tally, const guard_ranges *ranges, int loop, bool noisy,
                        lab_why *why);

#endif
