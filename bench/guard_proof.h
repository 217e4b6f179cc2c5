// SPDX-License-Identifier: Apache-2.0
// guard_proof: counts on random loops whether the guard keeps its promise (docs/guard.md). The
// judge is the twin: the same loop with the same noise, without the cell. The guard does not see
// it.
//
//     Harm: in three trials together the error was more than X above the twin's, in the last of
//     them it still was above it, and the cell was not stopped: it went on being more than X above.
//     False alarm: the guard paused or stopped a cell that puts out next to nothing.
//     Lost benefit: what is learned without the guard, never doing harm, is not learned with it.
//
// A run is one rule on one loop, through all its phases.
#ifndef CFPC_BENCH_GUARD_PROOF_H
#define CFPC_BENCH_GUARD_PROOF_H

#include "guard_draw.h"
#include "run/record.h"

#define GUARD_X 0.02       // maximum harm without noise, in rms
#define GUARD_X_NOISY 0.10 // with noise, or with a sensor that rounds
#define GUARD_FACTOR 1.5   // of one trial: the guard's default

// ---- one run ---------------------------------------------------------------------------------

// Errors (rms) of all trials of a phase.
typedef struct guard_curve {
    int trials, first;        // first: of all trials of the run
    const lab_guarded *guard; // what it did; NULL: there was none
    const double *rms;        // with the cell       (trials)
    const double *alone;      // the twin's          (trials)
    int rounds;               // trials of three of its rounds
    int lag; // trials that the last output may last in the loop, after it was stopped
} guard_curve;

// Trials, from 0, at whose end there was harm of more than x: -1, if there was none.
int guard_harm(const guard_curve *curve, double x);

// Of those, the first after which the cell was not stopped.
int guard_unstopped(const guard_curve *curve, double x);

// Median of the last seven trials: rms over the twin's.
double guard_end(const guard_curve *curve);

// ---- all runs --------------------------------------------------------------------------------

typedef enum guard_breach {
    GUARD_HOLDS,
    GUARD_HARMED,      // and was not stopped
    GUARD_FALSE_ALARM, //
    GUARD_LOST,        // what would have been learned
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

// What the guard can know: everything, if trials repeat in a world that does not change, or if the
// model is right; what changes the error, in other trials that repeat; little else.
typedef enum guard_class { GUARD_KNOWS, GUARD_CHANGES, GUARD_UNKNOWN, GUARD_CLASSES } guard_class;

enum { GUARD_MAX_LISTED = 200, GUARD_KINDS = 3 * GUARD_FAMILIES };

typedef struct guard_broken {
    int loop, mode, rule;
    guard_breach breach;
    double size; // of the harm: rms over the twin's; of what was lost: difference
} guard_broken;

// The counts of one family, with a right model or with a wrong one.
typedef struct guard_counts {
    int loops;
    int runs, controls;
    int harmful;          // runs that end above twice the twin without the guard, or diverge
    int acted, paused;    // runs
    int harmed;           // runs
    int alarms;           // controls
    int learned, lost;    // runs that learn well without the guard; that do not with it
    int barred, regained; // runs that learn only after harm; that learn with the guard, too
    double steps, pause;  // of all runs; of these paused
    double learned_steps, learned_pause; // of the runs that learn well
} guard_counts;

typedef struct guard_tally {
    int refused[GUARD_REFUSALS];  // draws that gave no valid loop
    guard_counts of[GUARD_KINDS]; // by family; the second half: with a wrong model
    int runs, held, acted;        // of all
    int listed;                   // of the broken
    guard_broken broken[GUARD_MAX_LISTED];
    lab_why refusal; // one of GUARD_OTHER
} guard_tally;

void guard_tally_add(guard_tally *to, const guard_tally *more);

guard_counts guard_sum(const guard_tally *tally, guard_class of); // of all families

// Runs a drawn loop in both modes, and counts; LAB_REFUSED if it is not valid.
lab_outcome guard_prove_draw(guard_tally *tally, const guard_draw *draw, int loop, bool noisy,
                             lab_why *why);

// Draws loop number `loop` until it is valid, runs it in both modes, and counts. The result depends
// only on the ranges and the number.
lab_outcome guard_prove(guard_tally *tally, const guard_ranges *ranges, int loop, bool noisy,
                        lab_why *why);

#endif
