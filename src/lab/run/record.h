// SPDX-License-Identifier: Apache-2.0
// record: what a run leaves, as plain data. It needs nothing of the setup it came from; recording.h
// makes it, and a run fills it.
#ifndef CFPC_LAB_RECORD_H
#define CFPC_LAB_RECORD_H

#include "base/arena.h"
#include "cfpc/model.h"
#include "microzone/zone.h"
#include "population/population.h"
#include "run/trial_figures.h"

enum { LAB_GUARD_ACTS = 8 }; // that are kept of a phase

// One act of the guard.
typedef struct lab_guard_act {
    int trial;                // after this one, counted from 1
    cfpc_guard_reason reason; //
    double with_cell, alone;  // rms errors that were compared; NAN: the reason is another
    bool world_changed;       // the loop's own error had changed
    bool to_zero;             // the weights were set to 0, not to the best ones
    bool froze;               // learning stopped
} lab_guard_act;

// What the guard did in a phase.
typedef struct lab_guarded {
    int acts;                          // how often it acted
    int pauses;                        // how often it paused the cell, to look
    long paused_steps;                 // for how long
    int window_steps;                  // length of its rounds, on line
    lab_guard_act act[LAB_GUARD_ACTS]; // the first ones
} lab_guarded;

// Signals of one rule's first and last trial, each (N).
typedef struct lab_signals {
    double *r_first;  // reference of the first trial
    double *y_first;  // first trial: the reactive loop, as nothing is learned
    double *e_first;  //
    double *response; // answer to a pulse in o, measured
    double *r_last;   // last trial, borrowed from the last phase: reference
    double *y_last;   // output
    double *e_last;   // error
    double *o_last;   // counterfactual error
    double *u_last;   // command
    double *m_first;  // first trial: what was measured
    double *m_last;   // last trial, likewise
} lab_signals;

// A cue that is on.
typedef struct lab_cue_mark {
    char name[64];
    double at_s; // in the trial
} lab_cue_mark;

// Signals of the last trial of one rule in one phase, each (N).
typedef struct lab_phase_signals {
    double *r;  // reference
    double *d;  // sum of the disturbances at the plant's input
    double *y;  // output
    double *e;  // error
    double *o;  // counterfactual error
    double *u;  // command
    double *m;  // measured
    double *e0; // error of the reactive loop in the phase's first trial; in the last, if trials
                // do not repeat
    int cues;   // that are on
    lab_cue_mark *cue; // (cues)
} lab_phase_signals;

// A basis signal and its eligibility trace, each (N); NULL where a panel does not show them.
typedef struct lab_shown_trace {
    int basis;      // which, from 1; 0: a pulse
    double *x;      // basis signal of the first trial, or the pulse
    double *h;      // its trace
    double *effect; // the output's answer to it in o, by the pulse response
} lab_shown_trace;

// The teaching filter of a rule in adjoint form.
typedef struct lab_filter_record {
    bool is_adjoint;  // false: it learns by traces, and has none
    int lead;         // L, steps
    int horizon;      // M, steps
    double neglected; // share of its energy that was cut off
} lab_filter_record;

// The forward model that a rule learned.
typedef struct lab_model_record {
    double *peak_ms;  // where it is largest, at the end of each trial; NAN: it does not predict
    double *right_ms; // where it should be, at the end of each trial
    double *off_ms;   // largest distance from where it should be, within each trial; likewise
    double ready_s;   // time of the run at which it first predicted; NAN: never
} lab_model_record;

// How a rule was tuned: everything that was tried.
typedef struct lab_tuned_key {
    char text[64];
} lab_tuned_key;

typedef struct lab_tuning {
    int constants;       // how many; 0: it was not tuned
    int evaluations;     // how many
    int best;            // which of them
    lab_tuned_key *keys; // key or path of each; "rate_fraction" where rates were tried (constants)
    double *values;      // of each evaluation            (evaluations x constants)
    double *error;       // rRMSE that decides, INFINITY if it diverged   (evaluations)
} lab_tuning;

typedef struct lab_rule_record {
    const char *name;         // as in the spec
    bool is_varied;           // it has settings of its own
    lab_filter_record filter; // of the first phase
    double rate;              // η of the first phase
    lab_teacher teacher;      // what taught it in the first phase
    bool is_spiking;          // spikes teach it in one of the phases
    long spike_steps;         // in which spikes taught it; 0: none did
    long spikes_clipped;      // of them, those whose rate would have been below 0
    double *rrmse;            // of each trial; over repeats, their mean         (trials)
    double *half_width;       // of its 95 % interval over repeats, else 0       (trials)
    double *optimum;          // rRMSE of its least-squares optimum, NAN if none (trials)
    int bases;                // G
    double *weights;          // of the last trial (on line: at its end)         (G)
    int predictors;           // weights of the first stage of a cascade; 0: there is none
    double *prediction_error; // of it, in the last trial of each phase          (phases)
    const char *nonlinear;    // why there is no optimum, NULL if there is one
    double lambda_max;        // λmax(HᵀH) of the first phase, H as the cell believes
    int diverged_at;          // trial at which it diverged, from 1 (phase.h); 0: it did not
    lab_guarded *guard;       // (phases)
    lab_responses responses;  // of each trial, where the spec asks for them
    double *gain;             // likewise                                        (trials)
    double *worst_window;     // likewise: largest rms over that without the cell (trials)
    lab_model_record model;   // where it is learned; else NULL                  (trials)
    double *kernel;           // the trace of a pulse at the trial's start       (N)
    lab_shown_trace *shown;   // of the story's panels                           (panels)
    lab_signals signals;      //
    lab_phase_signals *last;  // of each phase                                   (phases)
} lab_rule_record;

// The experiment's own rule with another number of synapses.
typedef struct lab_scale_point {
    int synapses;      // G
    double lambda_max; // λmax(HᵀH)
    double rate;       // η
    double *rrmse;     // of each trial                                          (scale_trials)
    int diverged_at;   // trial at which it diverged, from 1; 0: it did not
    double bytes;      // of the cell's data
    double seconds;    // that its trials took; differs from run to run, like `realtime`
    double realtime;   // simulated seconds per second
} lab_scale_point;

// All but `rule` is of the main rule.
typedef struct lab_record {
    lab_arena arena;        // owns all arrays
    double step_s;          // sampling step
    int steps;              // N
    int bases;              // G
    int trials;             // of all phases together
    int repeats;            // runs with other seeds that the curves are means of
    int phases;             // how many
    int *phase;             // of each trial, from 0                                  (trials)
    const double *optimum;  // rRMSE of the least-squares optimum, NAN if none        (trials)
    double lambda_max;      // λmax(HᵀH) of the first phase, H as the cell believes
    double rrmse_optimum;   // of the first phase, NAN if none
    const char *nonlinear;  // why there is no optimum, NULL if there is one
    int rules;              // how many
    int main_rule;          // whose signals are in this struct
    lab_rule_record *rule;  // (rules)
    lab_tuning *tuning;     // of each rule; NULL: none was tuned                     (rules)
    lab_signals signals;    // borrowed
    double *x;              // basis signals of the first trial                       (N x G)
    double *traces;         // Z, the eligibility traces of them                      (N x G)
    double *w_optimum;      // weights of the optimum, 0 if none                      (G)
    long saturated_steps;   // in which the command was saturated
    int panels;             // of the story
    int scan_count;         // delta traces compared
    double *scan_delay_ms;  // (scan_count)
    double *scan_rrmse;     // at the scan's trial                                    (scan_count)
    int scale_sizes;        // numbers of synapses compared
    int scale_trials;       // of each
    lab_scale_point *scale; // (scale_sizes)
    lab_population population; // of random loops
    lab_zone zone;             // of many cells
} lab_record;

// How a rule was tuned; NULL if it was not.
const lab_tuning *lab_tuning_of(const lab_record *record, int rule);

// Whether any rule was tuned.
bool lab_any_tuned(const lab_record *record);

// The value that was found for a constant.
static inline double lab_found(const lab_tuning *tuning, int constant)
{
    return tuning->values[tuning->best * tuning->constants + constant];
}

// Why the guard acted, as part of a sentence.
const char *lab_guard_sentence(cfpc_guard_reason reason);

// Whether a rule has settings, and so a loop, a task or an optimum, of its own.
bool lab_any_varied(const lab_record *record);

// Whether all rules were taught by the same signal.
bool lab_one_teacher(const lab_record *record);

// Whether a rule learned its model.
bool lab_any_model(const lab_record *record);

// What became of a learned model, as a sentence.
typedef struct lab_model_text {
    char text[320];
} lab_model_text;
lab_model_text lab_model_sentence(const lab_model_record *model, int last);

// " (diverged at trial 12)", which follows the name of a rule that did; "" for one that did not.
typedef struct lab_diverged {
    char text[48];
} lab_diverged;
lab_diverged lab_diverged_text(const lab_record *record, int rule);

// "adjoint form, horizon M = 734 steps (734 ms), ...".
typedef struct lab_filter_text {
    char text[160];
} lab_filter_text;
lab_filter_text lab_filter_sentence(const lab_filter_record *filter, double step_s);

void lab_record_free(lab_record *record);

#endif
