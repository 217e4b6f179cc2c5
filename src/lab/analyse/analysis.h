// SPDX-License-Identifier: Apache-2.0
// analysis: what can be said of an experiment before it is run: of its loop, of where learning
// leads, of how wrong the model may be, and what to do about it.
#ifndef CFPC_LAB_ANALYSIS_H
#define CFPC_LAB_ANALYSIS_H

#include "analyse/tolerance.h"
#include "cfpc/certificate.h"
#include "cfpc/frequency.h"
#include "run/setup.h"

typedef struct lab_loop_analysis {
    bool stable;             //
    int64_t pole_count;      // how many there are, the delays' included
    int poles;               // how many are listed: all up to 200, else the ten dominant ones
    double *pole_re;         // in the z plane, the largest first      (poles)
    double *pole_im;         //
    double radius;           // magnitude of the largest
    cfpc_margins margins;    //
    double bandwidth_hz;     // of T; NAN if it is not stable
    double lag_ms;           // behind an endless ramp; NAN if it is not stable
    int dead_time_steps;     // from o to whatever teaches or drives the bases
    bool hears_loop;         // a basis is driven by measurement or command
    double radius_with_cell; // of the loop closed through the weights as well; NAN if not asked
    const char *weights;     // which weights those are
} lab_loop_analysis;

enum { LAB_RATES_TRIED = 5 };

typedef struct lab_learning_analysis {
    const char *reason;           // why nothing can be said, NULL if it can
    double rate;                  // η
    cfpc_certificate certificate; //
    double optimum;               // rRMSE of the least-squares optimum; NAN if there is none
    int trials;                   // of the spec
    double *curve;                // rRMSE of each, predicted                          (trials)
    double peak;                  // its largest value
    int peak_trial;               // there, counted from 1
    int horizon;                  // trials that were looked at beyond
    double horizon_peak;          // the largest rRMSE in those
    int horizon_peak_trial;       //
    int trials_to_5pc;            // of the predicted curve: see arrival.h; 0: none in the horizon
    int bases;                    // G
    int rank;                     // of H: the bases that are neither idle nor redundant
    double rank_cut;              // share of the largest singular value above which one counts
    bool optimum_known;           // false: it may be less; see cfpc/problem.h
    double condition;             // of H: largest over smallest singular value that counts
    int *idle;                    // bases that do nothing within a trial              (idle_count)
    int idle_count;               //
    int *redundant;               // bases that others can do as well; NULL: too many  (…_count)
    int redundant_count;          //
    double tried_rate[LAB_RATES_TRIED]; // in batch: rates that are monotone, and the trials that
    int tried_trials[LAB_RATES_TRIED];  // each needs to 5 % of the optimum; 0: more than looked at
    double batch_rate_max;              // below it batch learning settles; NAN if not known
    bool rate_by_running;   // so was the next, in trials that do not repeat: known to about 20 %
    double online_rate_max; // below it learning on line settles in the mean; NAN: not known
} lab_learning_analysis;

typedef struct lab_analysis {
    const lab_spec *spec;
    lab_loop_analysis loop;
    lab_learning_analysis learning;
    lab_tolerance tolerance;
    lab_why advice; // one sentence
} lab_analysis;

typedef struct lab_analyse_options {
    bool region;              // fill the plane of delay and gain
    const char *weights_file; // where they are from
    const double *weights; // that the cell has now; NULL: those that a run ends with, where bases
    int weight_count;      // hear the loop
} lab_analyse_options;

// Analyses the spec with its main rule. Free it in either case.
lab_outcome lab_analyse(lab_analysis *analysis, const lab_spec *spec,
                        const lab_analyse_options *options, lab_why *why);
void lab_analysis_free(lab_analysis *analysis);

// "monotone", "eventual", "diverges", "not-decided" or "not-applicable".
const char *lab_verdict(const lab_learning_analysis *learning);

// The parts of it.
lab_outcome lab_analyse_loop(lab_loop_analysis *loop, const lab_spec *spec, lab_why *why);
lab_outcome lab_analyse_learning(lab_learning_analysis *learning, const lab_setup *setup, int rule,
                                 lab_why *why);

// The sentence that says what to do; without a setup the loop is not stable.
lab_outcome lab_advise(lab_analysis *analysis, const lab_setup *setup, lab_why *why);

#endif
