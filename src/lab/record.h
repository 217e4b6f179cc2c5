// SPDX-License-Identifier: Apache-2.0
// record: what a run leaves, as plain arrays. It needs nothing of the setup it came from.
#ifndef CFPC_LAB_RECORD_H
#define CFPC_LAB_RECORD_H

#include "cfpc/guard.h"
#include "setup.h"

// That the guard acted in a phase.
typedef struct lab_guarded {
    int acts;                 // how often; 0: it did not
    int trial;                // the first time: in this trial, counted from 1
    cfpc_guard_reason reason; // the first time
} lab_guarded;

typedef struct lab_rule_record {
    const char *name;   // the spec's
    double rate;        // η of the first phase
    double *rrmse;      // of each trial; over repeats, their mean         (trials)
    double *half_width; // of its 95 % interval over repeats, else 0       (trials)
    double *weights;    // of the last trial (on line: at its end)         (G)
    bool frozen;        // the cell stopped learning: its output was not finite
    lab_guarded *guard; // (phases)
} lab_rule_record;

typedef struct lab_record {
    double step_s;         // sampling step
    int steps;             // N
    int bases;             // G
    int trials;            // of all phases together
    int repeats;           // runs with other seeds that the curves are means of
    int phases;            // how many
    int *phase;            // of each trial, from 0                                  (trials)
    double *optimum;       // rRMSE of the least-squares optimum, NAN if none        (trials)
    double lambda_max;     // λmax(HᵀH) of the first phase, H as the cell believes
    double rrmse_optimum;  // of the first phase, NAN if none
    const char *nonlinear; // why there is no optimum, NULL if there is one
    int rules;             // how many
    int main_rule;         // whose signals are kept
    lab_rule_record *rule; // (rules)
    double *r_first;       // reference of the first trial                           (N)
    double *r_last;        // and of the last                                        (N)
    double *y_first;       // first trial: the reactive loop, as nothing is learned  (N)
    double *e_first;       // (N)
    double *y_last;        // last trial of the main rule                            (N)
    double *e_last;        // (N)
    double *o_last;        // (N)
    double *u_last;        // command                                                (N)
    double *response;      // answer to a pulse in o, measured                       (N)
    double *x;             // basis signals of the first trial                       (N x G)
    double *traces;        // Z, the main rule's eligibility traces of them          (N x G)
    double *w_optimum;     // weights of the optimum, 0 if none                      (G)
    long saturated_steps;  // of the main rule: in which the command was cut off
    int scan_count;        // delta traces compared
    double *scan_delay_ms; // (scan_count)
    double *scan_rrmse;    // at the scan's trial                                    (scan_count)
} lab_record;

// Why the guard acted, as a sentence's part.
const char *lab_guard_sentence(cfpc_guard_reason reason);

cfpc_status lab_record_make(lab_record *record, const lab_setup *setup, const lab_spec *spec);
void lab_record_free(lab_record *record);

#endif
