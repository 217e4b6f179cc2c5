// SPDX-License-Identifier: Apache-2.0
// record: what a run leaves, as plain arrays.
#ifndef CFPC_LAB_RECORD_H
#define CFPC_LAB_RECORD_H

#include "setup.h"

typedef struct lab_rule_record {
    const char *name; // the spec's
    double *rrmse;    // of each trial                              (trials)
    double *weights;  // of the last trial (on line: at its end)    (G)
    bool frozen;      // the cell stopped learning: its output was not finite
} lab_rule_record;

typedef struct lab_record {
    int trials;            // how many
    int rules;             // how many
    int main_rule;         // whose signals are kept
    lab_rule_record *rule; // (rules)
    double *y_first;       // first trial: the reactive loop, as nothing is learned yet  (N)
    double *e_first;       // (N)
    double *y_last;        // last trial of the main rule                                (N)
    double *e_last;        // (N)
    double *o_last;        // (N)
    double *response;      // impulse response of the loop, measured with a pulse        (N)
    double *traces;        // Z, the main rule's eligibility traces                      (N x G)
    int scan_count;        // delta traces compared
    double *scan_delay_ms; // (scan_count)
    double *scan_rrmse; // at the scan's trial                                        (scan_count)
} lab_record;

cfpc_status lab_record_make(lab_record *record, const lab_setup *setup, const lab_spec *spec);
void lab_record_free(lab_record *record);

#endif
