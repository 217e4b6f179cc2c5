// SPDX-License-Identifier: Apache-2.0
// rule_spec: how a spec learns: rules, phases, cases, and what is tried of them.
#ifndef CFPC_LAB_RULE_SPEC_H
#define CFPC_LAB_RULE_SPEC_H

#include "spec/kinds.h"
#include "spec/settings.h"

#define LAB_MODES(X)                                                                               \
    X(LAB_BATCH, "batch")                                                                          \
    X(LAB_ONLINE, "online")

typedef enum lab_mode { LAB_MODES(LAB_ENUMERATOR) } lab_mode;

// Where a rule's trace is: at every synapse, or moved to the teaching signal.
#define LAB_FORMS(X)                                                                               \
    X(LAB_TRACES, "traces")                                                                        \
    X(LAB_ADJOINT, "adjoint")

typedef enum lab_learning_form { LAB_FORMS(LAB_ENUMERATOR) } lab_learning_form;

typedef struct lab_learning_spec {
    lab_place place;
    lab_mode mode;
    lab_learning_form form;
    double neglect;       // in adjoint form: share of a filter's energy that is cut off
    int trials;           // how many, if there are no phases
    double rate;          // η; NAN: rate_fraction / λmax(HᵀH)
    double rate_fraction; // of 1 / λmax(HᵀH)
    int frozen;           // nothing is learned
} lab_learning_spec;

// Whether a trace is what the loop makes of a basis signal, a filter that is made from that and
// exists in adjoint form only, or a shape chosen for it.
typedef enum lab_trace_family { LAB_MODELLED, LAB_FILTERED, LAB_CHOSEN } lab_trace_family;

// Kinds of traces: enumerator, name, keys, family.
#define LAB_TRACE_KINDS(X)                                                                         \
    X(LAB_TRACE_FORWARD_MODEL, "forward-model", "", LAB_MODELLED)                                  \
    X(LAB_TRACE_NONE, "none", "", LAB_CHOSEN)                                                      \
    X(LAB_TRACE_DELAY, "delay", "delay_ms", LAB_CHOSEN)                                            \
    X(LAB_TRACE_EXPONENTIAL, "exponential", "time_constant_ms", LAB_CHOSEN)                        \
    X(LAB_TRACE_ALPHA, "alpha", "time_constant_ms", LAB_CHOSEN)                                    \
    X(LAB_TRACE_RESPONSE, "response", "file column tolerance max_states positive", LAB_MODELLED)   \
    X(LAB_TRACE_WHITENED, "whitened", "whitening_rho", LAB_FILTERED)                               \
    X(LAB_TRACE_PHASE_MATCHED, "phase-matched", "whitening_rho", LAB_FILTERED)

typedef enum lab_trace_kind { LAB_TRACE_KINDS(LAB_ENUMERATOR) } lab_trace_kind;

LAB_FAMILY_OF(lab_family_of_trace, lab_trace_kind, lab_trace_family, LAB_TRACE_KINDS, LAB_CHOSEN)

static inline bool lab_is_filtered(lab_trace_kind kind)
{
    return lab_family_of_trace(kind) == LAB_FILTERED;
}

static inline const char *lab_name_of_trace(lab_trace_kind kind)
{
    static const char *const names[] = {LAB_TRACE_KINDS(LAB_NAME)};
    return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : "";
}

#define LAB_UPDATE_KINDS(X)                                                                        \
    X(LAB_PLAIN, "plain")                                                                          \
    X(LAB_NORMALISED, "normalised")                                                                \
    X(LAB_PRECONDITIONED, "preconditioned")

typedef enum lab_update_kind { LAB_UPDATE_KINDS(LAB_ENUMERATOR) } lab_update_kind;

// What decides in tuning: the rRMSE of the first phase's last trial, or the mean of its trials.
#define LAB_TUNE_BYS(X)                                                                            \
    X(LAB_TUNE_BY_LAST, "last")                                                                    \
    X(LAB_TUNE_BY_MEAN, "mean")

typedef enum lab_tune_by { LAB_TUNE_BYS(LAB_ENUMERATOR) } lab_tune_by;

#define LAB_CONSTANT_SCALES(X)                                                                     \
    X(LAB_SCALE_LINEAR, "linear")                                                                  \
    X(LAB_SCALE_LOG, "log")

typedef enum lab_constant_scale { LAB_CONSTANT_SCALES(LAB_ENUMERATOR) } lab_constant_scale;

// A number of a rule that is tuned.
typedef struct lab_constant_spec {
    lab_place place;
    char *key;                // of the rule, or a path of the spec
    double low, high;         // its range
    lab_constant_scale scale; // how the range is divided
} lab_constant_spec;

typedef struct lab_rule_spec {
    lab_place place;
    char *name;    // column of curves.csv; in a case, CASE-NAME
    char *in_case; // the case it is run in, "": in every one
    lab_trace_kind trace;
    double delay_ms;         // of trace delay
    double time_constant_ms; // of traces exponential and alpha
    char *file;              // of trace response: CSV; "": the pulse response is measured
    char *column;            // of trace response
    double tolerance;        // of trace response: singular values below this share are noise
    int max_states;          // of trace response: maximum number of states of its realisation
    int positive;            // of trace response: negative values are 0
    double whitening_rho;    // of a filtered trace: ρ, as a fraction of max |T|²
    lab_update_kind update;
    double normaliser;     // ε of a normalised update
    double rho;            // ρ of a preconditioned update; NAN: 1e-8 λmax(HᵀH)
    double rate;           // η of this rule only; NAN: that of learning
    double rate_fraction;  // likewise
    int scan;              // its rate is one of tune.rate_fractions, although it has one
    double leak;           // fraction of a weight lost at each update
    double momentum;       // fraction of the last change added to the next
    double output_penalty; // weight of o² beside e²
    double weight_low;     // bounds; NAN: none
    double weight_high;    //
    double q_hz;           // cut-off of its Q-filter; NAN: none
    lab_listing tune;      // lab_constant_spec: what is tuned
    lab_settings set;      // what else is different for this rule only
} lab_rule_spec;

// The guard: keeps learning from making the loop worse.
typedef struct lab_guard_spec {
    lab_place place;
    int on;
    double factor;       // times the reactive error: too much for one trial
    double saturated_ms; // maximum without a break with the command saturated; NAN: none
    double resume;       // share of the rate to go on with after it acted; 0: learning freezes
    int tries;           // acts after which learning freezes
    double window_s;     // on line, without a reset between trials; NAN: a trial
} lab_guard_spec;

// Delta traces of every delay in a range, compared at one trial.
typedef struct lab_scan_spec {
    lab_place place;
    double from_ms, to_ms, step_ms;
    int trial; // counted from 1
} lab_scan_spec;

// The same learned with other numbers of synapses.
typedef struct lab_scale_spec {
    lab_place place;
    lab_numbers sizes; // numbers of synapses, rising
    int trials;        // of each
    int threads;       // that share the synapses out
} lab_scale_spec;

// A stretch of trials in which something is different.
typedef struct lab_phase_spec {
    lab_place place;
    char *name;
    int trials;
    char *against;    // a phase that it is compared with, "": none
    lab_settings set; // what is different
} lab_phase_spec;

// A world in which every rule is run.
typedef struct lab_case_spec {
    lab_place place;
    char *name;
    lab_settings set; // what is different in it
} lab_case_spec;

// How rules are tuned: those with constants of their own by this many evaluations, others without a
// rate by trying rates.
typedef struct lab_tune_spec {
    lab_place place;
    int evaluations;            // of each rule with constants; 1: of the values in the spec
    lab_tune_by by;             // what decides
    lab_numbers rate_fractions; // multiples of 1/λmax(HᵀH), or of 1 where the update is scaled
} lab_tune_spec;

#endif
