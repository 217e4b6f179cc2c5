// SPDX-License-Identifier: Apache-2.0
// setup: what learning needs of one rule's settings in one phase, on top of the rig: measurements
// of the reactive loop, the least-squares problem they pose, and each rule's trace and rate.
#ifndef CFPC_LAB_SETUP_H
#define CFPC_LAB_SETUP_H

#include "cfpc/batch.h"
#include "run/rig.h"
#include "run/rule.h"

typedef struct lab_setup {
    lab_arena arena;        // owns the arrays
    lab_rig rig;            // what simulation needs
    int bases;              // G
    double *r;              // reference of the phase's first trial                   (N)
    double *x;              // basis signals of the first reactive trial, with a prediction that
                            // has converged                                          (N x G)
    double *e0;             // its error                                              (N)
    double *response;       // to a pulse in o: minus the change of what teaches     (N)
    double reactive;        // ‖e‖ of a reactive trial of this phase; it may be 0
    double baseline;        // what rRMSE is relative to: that, or another phase's if it is 0
    double *watched;        // error that the guard watches in the first reactive trial (N)
    double watched_norm;    // ‖·‖ of it in a reactive trial of this phase
    double watched_spread;  // standard deviation of its ‖·‖² from reactive trial to trial
    int longest_saturation; // steps that the command is saturated in a row, in reactive trials
    double drive_rms;       // rms of the signal that o is added to, in the first reactive trial
    int windows;            // of a trial, where the spec asks for them
    int window_trials;      // reactive trials whose windows are known: all, or 1 if they repeat
    double *window_norms;   // ‖e‖ in each of them                     (window_trials x windows)
    bool hears_loop;        // a bank is driven by measurement or commands
    int predictors;         // basis signals of the first stage of a cascade; 0: there is none
    const char *nonlinear;  // why learning is not a linear problem, NULL if it is one
    cfpc_problem problem;   // what learning is, where that is a linear problem
    bool believes_right;    // the cell believes in that problem
    cfpc_problem believes;  // the problem it believes in, where that is another
    int rules;              // how many the spec has
    lab_rule *rule;         // those that have these settings; the others are zero     (rules)
    cfpc_system *q;         // their Q-filters; without outputs: none                  (rules)
    const lab_spectrum *spectrum; // borrowed; rules made with it are only computed, NULL: none
} lab_setup;

// The problem that the cell believes in: gives λmax and P.
static inline const cfpc_problem *lab_believed_problem(const lab_setup *setup)
{
    return setup->believes_right ? &setup->problem : &setup->believes;
}

// Builds what a plan says of a rule in a phase. Free it in either case, before the plan.
lab_outcome lab_setup_make(lab_setup *setup, const lab_plan *plan, int rule, int phase,
                           lab_why *why);
// A phase whose reactive error is 0 takes its baseline from the first phase that has one. If no
// phase has one, it is refused: there is nothing to learn.
lab_outcome lab_setup_scale(lab_setup *setups, int phases, lab_why *why);
void lab_setup_free(lab_setup *setup);

// The spectrum of a setup's believed problem, in the arena.
lab_outcome lab_spectrum_make(lab_spectrum *spectrum, const lab_setup *setup, lab_arena *arena,
                              lab_why *why);

// A setup with other values of a rule's constants, which reach no further than the rule and its
// lessons (constants.h); it borrows all else, and has no other rule. Free it in either case, before
// the setup.
lab_outcome lab_setup_vary(lab_setup *varied, const lab_setup *setup, int rule,
                           const double *values, lab_why *why);
void lab_setup_vary_free(lab_setup *varied);

// The same in place: the values that a rule has from now on.
lab_outcome lab_setup_take(lab_setup *setup, int rule, const double *values, lab_why *why);

// The scale of a rule with this spec whose trace and filter are made.
cfpc_status lab_find_scale(lab_rule *rule, const lab_setup *setup, const lab_rule_spec *rule_spec);

#endif
