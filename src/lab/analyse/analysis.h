// SPDX-License-Identifier: Apache-2.0
// analysis: what can be said of an experiment before it is run, as plain data: of its loop, of
// where learning leads, of how wrong the model may be, and what to do about it. analyse.h finds it.
#ifndef CFPC_LAB_ANALYSIS_H
#define CFPC_LAB_ANALYSIS_H

#include "base/arena.h"
#include "cfpc/certificate.h"
#include "cfpc/response.h"
#include "spec/spec.h"

// Peak rRMSE above which the error rises in the course of learning, whatever the weights do.
#define LAB_ERROR_RISES 1.001

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
    bool hears_loop;         // a basis is driven by measurement or commands
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
    int horizon;                  // trials that were predicted
    double horizon_peak;          // the largest rRMSE in those
    int horizon_peak_trial;       //
    int trials_to_5pc;            // of the predicted curve: see arrival.h; 0: none in the horizon
    int bases;                    // G
    int rank;                     // of H: the bases that are neither idle nor redundant
    double rank_cut;              // share of the largest singular value above which one counts
    bool optimum_known;           // false: it may be less; see cfpc/batch.h
    double condition;             // of H: largest over smallest singular value that counts
    int *idle;                    // bases that do nothing within a trial              (idle_count)
    int idle_count;               //
    int *redundant;               // bases that others can do as well; NULL: too many  (…_count)
    int redundant_count;          //
    double tried_rate[LAB_RATES_TRIED]; // in batch: rates that are monotone, and the trials that
    int tried_trials[LAB_RATES_TRIED];  // each needs to 5 % of the optimum; 0: more than predicted
    double batch_rate_max;              // below it batch learning converges; NAN if not known
    bool rate_by_running;   // the next was found by running, as trials do not repeat: to about 20 %
    double online_rate_max; // below it online learning converges in the mean; NAN: not known
} lab_learning_analysis;

// How learning goes in a loop that is a little different.
typedef enum lab_fate { LAB_MONOTONE, LAB_EVENTUAL, LAB_DIVERGES, LAB_UNSTABLE } lab_fate;

// One parameter of the loop, and how far it may go either way with all others unchanged.
typedef struct lab_tolerated {
    char name[64];                      // its key in the spec
    const char *unit;                   // "ms" or "1"
    double believed;                    // what the cell believes; a gain is a factor
    double actual;                      // what it is
    double low, high;                   // within which the verdict stays; NAN: as far as searched
    bool low_decided, high_decided;     // false, and NAN: it depends on faint directions
    double phase_low, phase_high;       // within which the phase error stays below 90°; likewise,
                                        // and NAN if it is above already
    double searched_low, searched_high; // how far was searched
} lab_tolerated;

typedef struct lab_tolerance {
    lab_fate fate;          // with the loop as it is
    bool is_skipped;        // as it would take too long
    int count;              //
    lab_tolerated *items;   // (count)
    double phase_error_deg; // largest, between trace and loop, where the bases have power
    double phase_error_hz;  // there
    int delays, gains;      // of the region
    double *delay_error_ms; // actual less believed                                  (delays)
    double *gain;           // factors on the plant                                  (gains)
    lab_fate *region;     //                                                       (gains x delays)
    double *region_phase; // phase error in degrees, NAN where unstable            (gains x delays)
} lab_tolerance;

// The main rule in one form, at the same fraction of the rate.
typedef enum lab_form {
    LAB_BY_TRACES,
    LAB_BY_ADJOINT,
    LAB_BY_FILTER, // whitened, or as the rule is
    LAB_FORMS_COMPARED
} lab_form;

typedef struct lab_form_analysis {
    bool is_used;                   // the spec's
    const char *reason;             // why it is not possible; NULL if it is
    int lead, horizon;              // of its teaching filter, in steps; 0 by traces
    double neglected;               // share of the filter's energy that is cut off
    double synapse_bytes;           // memory per synapse
    double cell_bytes;              // and besides
    lab_learning_analysis learning; // of another form than the spec's: in brief
} lab_form_analysis;

enum {
    LAB_COMPARED_TRIAL = 5,  // trial (from 1) at which settings are compared
    LAB_WATCHED_TRIALS = 100 // in which the error must not exceed what it was at that trial
};

// The worst of several models.
typedef struct lab_worst {
    double compared; // largest rRMSE at trial LAB_COMPARED_TRIAL, or at the last if there are fewer
    double last;     // at the last trial
    int model;       // that has the former
    bool falls; // in every trial of the spec in every model, to 1e-6 of the reactive error, and
                // in none of LAB_WATCHED_TRIALS is it above what it was at that trial
} lab_worst;

enum { LAB_CHOICE_SETTINGS = 6 };

// Settings of the rule that serve the worst model best.
typedef struct lab_choice {
    bool found;           // some make the error fall in every trial in every model, by 1 % at least
    int tried;            // settings that were compared
    lab_trace_kind trace; // forward model or whitened
    double whitening_rho; // of a whitened trace
    lab_update_kind update;
    double rho;      // of a preconditioned update
    double rate;     // η
    double leak;     //
    lab_worst worst; //
    double rate_max; // below it the sufficient bound covers the same settings; 0: at no rate
    int count;       // of the lines
    char line[LAB_CHOICE_SETTINGS][384]; // as --set takes them
} lab_choice;

// What is said of every model in the band of the believed one.
typedef struct lab_band_analysis {
    bool is_given;        //
    const char *reason;   // why nothing can be said of it, NULL if it can
    const char *no_bound; // why there is no sufficient bound, NULL if there is
    double unsafe_hz;     // where a plant of the band may make the loop unstable; NAN: nowhere
    cfpc_robust bound;    // sufficient, of this rule; rates as the spec gives them
    int variants;         // of the models that were sampled
    int members;          // likewise, on the edge of a band
    lab_worst worst;      // of those, with this rule
    const char *worst_model;
    lab_choice choice;
    double excited_low_hz;  // a band from a log: the log excites the loop from here; NAN: not known
    double excited_high_hz; // to here
    double excited_share;   // of the bases' power that lies there
    int frequencies;        // of what follows
    double *hz;             //                                            (frequencies)
    double *believed;       // magnitude of the believed response         (frequencies)
    double *radius;         // of the band                                (frequencies)
    double *power;          // of the bases, relative to their maximum    (frequencies)
} lab_band_analysis;

typedef struct lab_analysis {
    lab_arena arena;      // owns the arrays
    const lab_spec *spec; // borrowed
    lab_teacher teacher;  // of the main rule
    lab_why doubt;        // of a model that failed a test of its own; "": none did
    lab_why untuned;      // that the main rule is tuned when it runs; "": it is not
    lab_loop_analysis loop;
    lab_learning_analysis learning;
    lab_tolerance tolerance;
    lab_form_analysis *forms; // (LAB_FORMS_COMPARED), NULL: not compared
    lab_band_analysis band;
    lab_why advice; // one sentence
} lab_analysis;

void lab_analysis_free(lab_analysis *analysis);

// "monotone", "eventual", "diverges", "not-decided" or "not-applicable".
const char *lab_verdict(const lab_learning_analysis *learning);

// "traces", "adjoint" or "whitened", or the name of the main rule's own filter.
const char *lab_form_name(const lab_spec *spec, lab_form form);

// "monotone", "eventual", "diverges" or "loop unstable".
const char *lab_fate_name(lab_fate fate);

#endif
