// SPDX-License-Identifier: Apache-2.0
// spec: an experiment as data, read from a spec file.
#ifndef CFPC_LAB_SPEC_H
#define CFPC_LAB_SPEC_H

#include "validate.h"

typedef enum lab_system_kind {
    LAB_CHAIN,
    LAB_TRANSFER_FUNCTION,
    LAB_STATE_SPACE,
    LAB_P,
    LAB_PI,
    LAB_PID
} lab_system_kind;

typedef enum lab_stage_kind { LAB_LEAKY_INTEGRATOR, LAB_LAG } lab_stage_kind;

typedef struct lab_stage_spec {
    lab_place place;
    int kind;                // lab_stage_kind
    double time_constant_ms; // τ
    double gain;             // of the input
} lab_stage_spec;

// A plant or a controller.
typedef struct lab_system_spec {
    lab_place place;
    int kind;           // lab_system_kind
    int discretise;     // cfpc_discretise_method
    lab_listing stages; // chain: lab_stage_spec
    lab_numbers num;    // transfer function: numerator, highest power first
    lab_numbers den;    // transfer function: denominator, highest power first
    lab_numbers a;      // state space                 (states x states)
    lab_numbers b;      // state space                 (states)
    lab_numbers c;      // state space                 (states)
    double d;           // state space: feed-through
    double kp;          // p, pi, pid: proportional gain
    double ki_per_s;    // pi, pid: integral gain
    double kd_s;        // pid: derivative gain
    double filter_ms;   // pid: time constant of the derivative's filter
} lab_system_spec;

typedef struct lab_loop_spec {
    lab_place place;
    lab_system_spec plant;
    lab_system_spec controller;
    double delay_ms;             // on the error, at the controller's input
    double command_delay_ms;     // between controller and plant
    double measurement_delay_ms; // between plant and comparison
} lab_loop_spec;

typedef struct lab_task_spec {
    lab_place place;
    int kind;           // 0: piecewise-linear
    double trial_s;     // length of a trial
    lab_numbers points; // piecewise-linear: time in s, value   (points x 2)
} lab_task_spec;

typedef struct lab_basis_spec {
    lab_place place;
    int kind;          // 0: gaussian
    int count;         // G
    double width_ms;   // standard deviation
    double spacing_ms; // between centres
    double first_ms;   // centre of the first; NAN: the bank stands in the middle of the trial
} lab_basis_spec;

typedef enum lab_mode { LAB_BATCH, LAB_ONLINE } lab_mode;

typedef struct lab_learning_spec {
    lab_place place;
    int mode;             // lab_mode
    int trials;           // how many
    double rate;          // η; NAN: rate_fraction / λmax(HᵀH)
    double rate_fraction; // of 1 / λmax(HᵀH)
} lab_learning_spec;

typedef enum lab_trace_kind {
    LAB_TRACE_FORWARD_MODEL,
    LAB_TRACE_NONE,
    LAB_TRACE_DELAY
} lab_trace_kind;

typedef struct lab_rule_spec {
    lab_place place;
    char *name;      // column of curves.csv
    int trace;       // lab_trace_kind
    double delay_ms; // of trace delay
} lab_rule_spec;

// Delta traces of every delay in a range, compared at one trial.
typedef struct lab_scan_spec {
    lab_place place;
    double from_ms, to_ms, step_ms;
    int trial; // counted from 1
} lab_scan_spec;

typedef struct lab_claim_spec {
    lab_place place;
    char *name;       // short
    char *says;       // a sentence
    char *measure;    // name of a figure of summary.json
    double low, high; // where it must lie
} lab_claim_spec;

typedef struct lab_spec {
    lab_place place;
    char *name;         // of the experiment
    char *title;        // one line
    double step_ms;     // sampling step
    lab_loop_spec loop; //
    lab_task_spec task; //
    lab_basis_spec basis;
    lab_learning_spec learning;
    lab_listing rules;        // lab_rule_spec; the first is the experiment's own
    lab_scan_spec delay_scan; //
    lab_listing claims;       // lab_claim_spec

    char *file;    // where it was read from
    char *text;    // what was read
    int main_rule; // whose signals are kept
    bool modified; // something was overridden: its claims are reported but not held against it
} lab_spec;

static inline lab_rule_spec *lab_rules(const lab_spec *spec)
{
    return spec->rules.items;
}

static inline lab_claim_spec *lab_claims(const lab_spec *spec)
{
    return spec->claims.items;
}

// Reads and checks a spec file. Free it in either case.
lab_outcome lab_spec_load(lab_spec *spec, const char *file, lab_why *why);
lab_outcome lab_spec_parse(lab_spec *spec, const char *file, const char *text, lab_why *why);
void lab_spec_free(lab_spec *spec);

// Makes the rule of this name the one whose signals are kept.
lab_outcome lab_spec_choose_rule(lab_spec *spec, const char *name, lab_why *why);

// The whole of a text file, ended by a NUL; *text is the caller's to free.
lab_outcome lab_read_text(char **text, const char *file, lab_why *why);

#endif
