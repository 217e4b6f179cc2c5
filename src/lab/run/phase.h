// SPDX-License-Identifier: Apache-2.0
// phase: one rule through the trials of one phase: run on the loop, or computed where the result is
// the same.
#ifndef CFPC_LAB_PHASE_H
#define CFPC_LAB_PHASE_H

#include "base/pace.h"
#include "run/cell.h"
#include "run/record.h"

// What goes on from phase to phase. The caller frees it.
typedef struct lab_carried {
    cfpc_learned *learned;      // what was learned of the model; NULL: nothing yet
    const lab_rule *learned_by; // with these settings
    cfpc_data *guarding;        // the data whose guard goes on; NULL: none yet
    double *prediction;         // weights of the first stage of a cascade        (predictors)
} lab_carried;

// A phase of a rule: what it starts with and what it leaves.
typedef struct lab_phase_run {
    const lab_setup *setup;
    const lab_rule *rule;
    const char *name;        // of the rule
    int first;               // trial at which the phase begins, from 0
    int trials;              // how many
    double *weights;         // in and out                                     (G)
    double *rrmse;           // out                                            (trials)
    lab_trial *last;         // keeps the last trial, NULL: none is kept
    lab_rule_record *record; // whose figures of every trial are measured; NULL: none are
    lab_carried *carried;    // in and out; NULL: the phase starts afresh
    bool to_next;            // another phase follows: the last trial is learned from
    bool guarded;            // as the spec says
    bool may_compute;        // instead of running the loop, where the result is the same
    int diverged_at;         // out: trial of the run at which it diverged, from 1; 0: it did not
    lab_guarded guard;       // out: whether the guard acted
    long saturated;          // out: steps in which the command was saturated
    lab_fibre fibre;         // out: what became of spikes
} lab_phase_run;

// Whether a phase is computed where it may be: the plain batch rule on a linear problem, or one
// with a Q-filter.
bool lab_is_computed(const lab_setup *setup, const lab_rule *rule);

// A rule has diverged when its numbers overflowed and no guard put it right: in a trial the cell's
// output, and so its learning, stopped being finite, or the trial's rRMSE did. From that trial on
// it has no rRMSE, no signals and no weights: they are NAN.
lab_outcome lab_run_phase(lab_phase_run *phase, lab_pace *pace, lab_why *why);

// A phase that a rule does not reach, as it diverged before.
lab_outcome lab_skip_phase(const lab_phase_run *phase, lab_pace *pace, lab_why *why);

// Fails if a trial on the loop differs from the computed curve.
lab_outcome lab_check_agreement(const char *rule, double computed, double simulated, lab_why *why);

#endif
