// SPDX-License-Identifier: Apache-2.0
// spec: an experiment as data, read from a spec file. What each key means stands in spec_tables.c.
#ifndef CFPC_LAB_SPEC_H
#define CFPC_LAB_SPEC_H

#include "spec/validate.h"

// ---- plant and controller --------------------------------------------------------------------

typedef enum lab_system_kind {
    LAB_CHAIN,
    LAB_TRANSFER_FUNCTION,
    LAB_STATE_SPACE,
    LAB_RESPONSE,
    LAB_P,
    LAB_PI,
    LAB_PID,
    LAB_LEAD_LAG
} lab_system_kind;

typedef enum lab_stage_kind { LAB_LEAKY_INTEGRATOR, LAB_LAG } lab_stage_kind;

typedef struct lab_stage_spec {
    lab_place place;
    char *name;              // "" if it has none
    int kind;                // lab_stage_kind
    double time_constant_ms; // τ
    double gain;             // of the input
} lab_stage_spec;

typedef struct lab_system_spec {
    lab_place place;
    int kind;           // lab_system_kind
    int discretise;     // cfpc_discretise_method
    lab_listing stages; // chain: lab_stage_spec
    lab_numbers num;    // transfer function: numerator, highest power first
    lab_numbers den;    // transfer function: denominator, highest power first
    int discrete;       // state space: given for the sampling step
    lab_numbers a;      // state space                 (states x states)
    lab_numbers b;      // state space                 (states)
    lab_numbers c;      // state space                 (states)
    double d;           // state space: feed-through
    char *file;         // response: CSV file
    char *column;       // response: name or number of the column
    double tolerance;   // response: singular values below this share of the first are noise
    int most_states;    // response: most states of its realisation
    double kp;          // p, pi, pid: proportional gain
    double ki_per_s;    // pi, pid: integral gain
    double kd_s;        // pid: derivative gain
    double filter_ms;   // pid: time constant of the derivative's filter
    double gain;        // lead-lag
    double zero_ms;     // lead-lag: time constant of the zero
    double pole_ms;     // lead-lag: time constant of the pole
} lab_system_spec;

// ---- the loop --------------------------------------------------------------------------------

typedef struct lab_saturation_spec {
    lab_place place;
    double low, high; // of the command; NAN: none
    double windup_ms; // time constant of the anti-windup; NAN: kp/ki
} lab_saturation_spec;

typedef struct lab_noise_spec {
    lab_place place;
    double measurement; // standard deviation, added to what is measured
    double process;     // standard deviation, added to the plant's input
    int seed;
} lab_noise_spec;

typedef enum lab_closing { LAB_CLOSE_EACH, LAB_CLOSE_WHOLE_LOOP } lab_closing;

typedef struct lab_loop_spec {
    lab_place place;
    lab_system_spec plant;
    lab_system_spec controller;
    double delay_ms;             // on the error, at the controller's input
    double command_delay_ms;     // between controller and plant
    double measurement_delay_ms; // between plant and comparison
    int discretise;              // lab_closing
    lab_saturation_spec saturation;
    lab_noise_spec noise;
} lab_loop_spec;

// What the cell believes, where it differs from what is.
typedef struct lab_believed_spec {
    lab_place place;
    lab_system_spec plant;       // its place is line 0 if left out
    lab_system_spec controller;  // likewise
    double delay_ms;             // NAN if left out
    double command_delay_ms;     // likewise
    double measurement_delay_ms; // likewise
} lab_believed_spec;

typedef enum lab_entry { LAB_CONTROLLER_INPUT, LAB_PLANT_INPUT } lab_entry;

typedef enum lab_teacher { LAB_TEACH_ERROR, LAB_TEACH_COMMAND, LAB_TEACH_DISTURBANCE } lab_teacher;

typedef struct lab_teach_spec {
    lab_place place;
    int signal;      // lab_teacher
    char *source;    // name of the disturbance; "": the first
    double gain;     // factor of the disturbance
    double delay_ms; // of the teaching signal; part of the trace
    int sign;        // 0 signed, 1 rectified
} lab_teach_spec;

// Nucleo-olivary inhibition: the cell's output, late, taken off what teaches it.
typedef struct lab_olive_spec {
    lab_place place;
    double gain;     // κ
    double delay_ms; //
} lab_olive_spec;

// ---- signals ---------------------------------------------------------------------------------

typedef enum lab_signal_kind {
    LAB_PIECEWISE_LINEAR,
    LAB_STEP,
    LAB_MINIMUM_JERK,
    LAB_SINUSOIDS,
    LAB_BAND_NOISE,
    LAB_CSV_SIGNAL
} lab_signal_kind;

typedef struct lab_signal_spec {
    int kind;               // lab_signal_kind
    lab_numbers points;     // piecewise-linear: time in s, value              (points x 2)
    double at_s;            // step: when
    double from, to;        // step: before and after; minimum jerk: from
    lab_numbers moves;      // minimum jerk: start in s, duration in s, to     (moves x 3)
    lab_numbers components; // sinusoids: Hz, amplitude, phase in degrees      (components x 3)
    double offset;          // sinusoids
    double low_hz, high_hz; // noise: band
    double rms;             // noise: root mean square
    int seed;               // noise
    char *file;             // csv: one row a step
    char *column;           // csv: name or number from 1
    double scale;           // csv: factor
} lab_signal_spec;

typedef struct lab_task_spec {
    lab_place place;
    lab_signal_spec reference; // r
    double trial_s;            // length of a trial
    int reset;                 // the loop is at rest at the start of every trial
    int repeats;               // signals begin anew with every trial
} lab_task_spec;

typedef struct lab_disturbance_spec {
    lab_place place;
    char *name;
    lab_signal_spec signal;
    int at; // lab_disturbance_place
    int on; // no: it does not come
} lab_disturbance_spec;

typedef enum lab_disturbance_place {
    LAB_AT_PLANT_INPUT,
    LAB_AT_PLANT_OUTPUT
} lab_disturbance_place;

typedef struct lab_cue_spec {
    lab_place place;
    char *name;
    double at_s;        // when, in the trial
    double duration_ms; // how long it is 1; NAN: one step
    int on;             // no: it does not come
} lab_cue_spec;

// ---- basis and rules -------------------------------------------------------------------------

typedef enum lab_basis_kind {
    LAB_GAUSSIAN,
    LAB_RAISED_COSINE,
    LAB_ALPHA_BANK,
    LAB_EXPONENTIAL_BANK,
    LAB_TAPPED_DELAY,
    LAB_LEAKY_CASCADE,
    LAB_LAGUERRE,
    LAB_IDENTITY,
    LAB_CSV_BASIS,
    LAB_GRANULE
} lab_basis_kind;

typedef enum lab_basis_input {
    LAB_FROM_REFERENCE,
    LAB_FROM_CUE,
    LAB_FROM_DISTURBANCE,
    LAB_FROM_MEASUREMENT,
    LAB_FROM_COMMAND
} lab_basis_input;

// One bank of basis signals.
typedef struct lab_basis_spec {
    lab_place place;
    int kind;                // lab_basis_kind
    int count;               // how many; identity: one a step; csv: one a column
    double width_ms;         // gaussian: standard deviation; raised-cosine: half width
    double spacing_ms;       // between centres, or between taps
    double first_ms;         // first centre or time constant; NAN: the bank in the middle
    double last_ms;          // last time constant
    double time_constant_ms; // cascade and laguerre
    char *cue;               // time banks: begins with this cue; "": with the trial
    int input;               // lab_basis_input, of the signal-driven
    char *source;            // name of the cue or disturbance that drives it; "": the first
    char *file;              // csv
    int seed;                // granule
} lab_basis_spec;

typedef enum lab_mode { LAB_BATCH, LAB_ONLINE } lab_mode;

typedef struct lab_learning_spec {
    lab_place place;
    int mode;             // lab_mode
    int trials;           // how many, if there are no phases
    double rate;          // η; NAN: rate_fraction / λmax(HᵀH)
    double rate_fraction; // of 1 / λmax(HᵀH)
    int frozen;           // nothing is learned
} lab_learning_spec;

typedef enum lab_trace_kind {
    LAB_TRACE_FORWARD_MODEL,
    LAB_TRACE_NONE,
    LAB_TRACE_DELAY,
    LAB_TRACE_EXPONENTIAL,
    LAB_TRACE_ALPHA,
    LAB_TRACE_RESPONSE
} lab_trace_kind;

typedef enum lab_update_kind { LAB_PLAIN, LAB_NORMALISED, LAB_PRECONDITIONED } lab_update_kind;

typedef struct lab_rule_spec {
    lab_place place;
    char *name;              // column of curves.csv; in a case, CASE-NAME
    char *in_case;           // the case it is run in, "": in every one
    int trace;               // lab_trace_kind
    double delay_ms;         // of trace delay
    double time_constant_ms; // of traces exponential and alpha
    char *file;              // of trace response: CSV; "": the pulse response is measured
    char *column;            // of trace response
    double tolerance;        // of trace response: singular values below this share are noise
    int most_states;         // of trace response: most states of its realisation
    int update;              // lab_update_kind
    double normaliser;       // ε of a normalised update
    double rho;              // ρ of a preconditioned update; NAN: 1e-8 λmax(HᵀH)
    double rate;             // η of this rule alone; NAN: learning's
    double rate_fraction;    // likewise; NAN: learning's
    double leak;             // share of a weight lost at each update
    double momentum;         // share of the last change that goes on
    double output_penalty;   // price of o² beside e²
    double weight_low;       // bounds; NAN: none
    double weight_high;      //
    lab_settings set;        // what else is different for this rule alone
} lab_rule_spec;

// What keeps learning from making the loop worse.
typedef struct lab_guard_spec {
    lab_place place;
    int on;
    double factor;       // times the reactive error: too much for one trial
    int trials;          // K, whose mean may not exceed it
    double saturated_ms; // most in a row with the command cut off; NAN: any time
    double resume;       // share of the rate to go on with after it acted; 0: learning freezes
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

// Rates at which every rule without one of its own is tried.
typedef struct lab_tune_spec {
    lab_place place;
    lab_numbers rates; // multiples of 1/λmax(HᵀH), or of 1 where the update is scaled
} lab_tune_spec;

// A column of the table of rules.
typedef struct lab_column_spec {
    lab_place place;
    char *title;      // above it
    char *measure;    // of a rule, as rrmse_last: rules.NAME.rrmse_last
    int better;       // lab_better
    double low, high; // of its axis in the figure; NAN: as the values are
} lab_column_spec;

typedef enum lab_better { LAB_LOW_IS_BETTER, LAB_HIGH_IS_BETTER, LAB_NEITHER } lab_better;

typedef enum lab_response_signal { LAB_OUTPUT_RESPONSE, LAB_CELL_RESPONSE } lab_response_signal;

// What of a trial's learned response is measured.
typedef struct lab_response_spec {
    lab_place place;
    int signal;       // lab_response_signal
    double threshold; // share of the largest value at which it begins
    double least;     // below this there is none
    double from_s;    // the part of the trial in which it is looked for
    double to_s;      // NAN: to its end
} lab_response_spec;

typedef enum lab_gain_input { LAB_GAIN_OF_REFERENCE, LAB_GAIN_OF_DISTURBANCE } lab_gain_input;

// The gain by which the output follows an input, trial by trial.
typedef struct lab_gain_spec {
    lab_place place;
    int input;    // lab_gain_input
    char *source; // name of the disturbance; "": the first
} lab_gain_spec;

typedef struct lab_claim_spec {
    lab_place place;
    char *name;       // short
    char *says;       // a sentence
    char *measure;    // name of a figure of summary.json
    double low, high; // where it must lie
} lab_claim_spec;

// ---- the story -------------------------------------------------------------------------------

typedef enum lab_panel_kind {
    LAB_PANEL_SIGNALS,
    LAB_PANEL_CURVES,
    LAB_PANEL_TRACES,
    LAB_PANEL_RESPONSES,
    LAB_PANEL_GAIN,
    LAB_PANEL_BARS
} lab_panel_kind;

typedef enum lab_response_figure {
    LAB_OF_AMPLITUDE,
    LAB_OF_ONSET,
    LAB_OF_PEAK
} lab_response_figure;

// One panel of the story's picture.
typedef struct lab_panel_spec {
    lab_place place;
    int kind;               // lab_panel_kind
    char *title;            // its first line
    char *label;            // of the vertical axis; bars: of the values; "": as the kind has it
    lab_texts rules;        // whose; none: all, or of signals the main rule's
    lab_texts names;        // what the rules or bars are called; none: as they are
    char *phase;            // signals: whose last trial; "": the last
    lab_texts show;         // signals: which
    lab_texts signal_names; // signals: what they are called; none: as they are
    lab_numbers marks_s;    // signals: times to be marked; one a rule has its colour
    double from_s, to_s;    // signals, traces: the part that is shown; NAN: all of it
    int basis;              // traces: which basis signal, from 1; 0: the middle one
    int effect;             // traces: what the basis signal does to the output is shown as well
    int of;                 // responses: lab_response_figure
    lab_texts measures;     // bars: figures of summary.json
    int from_trial;         // by trial: the first that is shown
    int to_trial;           // by trial: the last; 0: all
    double low, high;       // of the axis of values; NAN: as the values are
    int wide;               // over all columns
} lab_panel_spec;

// The one picture of the experiment.
typedef struct lab_story_spec {
    lab_place place;
    int columns;
    lab_listing panels; // lab_panel_spec
} lab_story_spec;

// ---- the whole -------------------------------------------------------------------------------

typedef struct lab_spec {
    lab_place place;
    char *name;        // of the experiment
    char *title;       // one line
    lab_texts applied; // settings that are in it, as path=value; none: it is as it was written
    double step_ms;    // sampling step
    lab_loop_spec loop;
    lab_believed_spec believed; // its place is line 0 if left out
    int enters;                 // lab_entry
    lab_teach_spec teach;
    lab_olive_spec olive;
    lab_task_spec task;
    lab_listing disturbances; // lab_disturbance_spec
    lab_listing cues;         // lab_cue_spec
    lab_listing basis;        // lab_basis_spec
    lab_learning_spec learning;
    lab_guard_spec guard;
    lab_listing rules;          // lab_rule_spec; the first is the experiment's own
    char *rule;                 // whose signals are kept; "": the first's
    int runs;                   // with other seeds; the curves are their mean
    lab_listing cases;          // lab_case_spec; none: the world as it is
    lab_listing table;          // lab_column_spec
    lab_tune_spec tune;         // its place is line 0 if left out
    lab_listing phases;         // lab_phase_spec; none: one phase of learning.trials
    lab_scan_spec delay_scan;   // its place is line 0 if left out
    lab_scale_spec scale;       // likewise
    lab_response_spec response; // likewise
    lab_gain_spec gain;         // likewise
    lab_listing claims;         // lab_claim_spec
    lab_story_spec story;       // its place is line 0 if left out

    char *file;            // where it was read from
    char *text;            // what was read
    lab_node *tree;        // the same, parsed: without the settings
    lab_settings settings; // what was set besides
    int main_rule;         // number of `rule`
    int seed_offset;       // added to every seed, for repeats
    bool modified;         // claims are reported but not held against it
} lab_spec;

static inline lab_rule_spec *lab_rules(const lab_spec *spec)
{
    return spec->rules.items;
}

static inline lab_claim_spec *lab_claims(const lab_spec *spec)
{
    return spec->claims.items;
}

static inline lab_basis_spec *lab_banks(const lab_spec *spec)
{
    return spec->basis.items;
}

static inline lab_cue_spec *lab_cues(const lab_spec *spec)
{
    return spec->cues.items;
}

static inline lab_disturbance_spec *lab_disturbances(const lab_spec *spec)
{
    return spec->disturbances.items;
}

// The number of the disturbance of this name, that of the first for "", -1 if there is none.
int lab_disturbance_of(const lab_spec *spec, const char *name);

static inline lab_case_spec *lab_cases(const lab_spec *spec)
{
    return spec->cases.items;
}

static inline lab_column_spec *lab_columns(const lab_spec *spec)
{
    return spec->table.items;
}

static inline lab_phase_spec *lab_phases(const lab_spec *spec)
{
    return spec->phases.items;
}

static inline lab_panel_spec *lab_panels(const lab_spec *spec)
{
    return spec->story.panels.items;
}

// Panels of the story that is told: none, if it does not fit a changed spec.
static inline int lab_panel_count(const lab_spec *spec)
{
    return spec->story.place.line > 0 ? spec->story.panels.count : 0;
}

// Whether rules are tried at several rates.
static inline bool lab_tunes(const lab_spec *spec)
{
    return spec->tune.place.line > 0;
}

// Whether the response of every trial is to be measured.
static inline bool lab_asks_responses(const lab_spec *spec)
{
    return spec->response.place.line > 0;
}

// Reads and checks a spec file, with settings (or NULL) put into it. Free it in either case.
lab_outcome lab_spec_load(lab_spec *spec, const char *file, const lab_settings *settings,
                          lab_why *why);
lab_outcome lab_spec_parse(lab_spec *spec, const char *file, const char *text,
                           const lab_settings *settings, lab_why *why);

// A spec again, with these settings instead of its own. Free it in either case.
lab_outcome lab_spec_again(lab_spec *again, const lab_spec *spec, const lab_settings *settings,
                           lab_why *why);
void lab_spec_free(lab_spec *spec);

// The spec as it is for its main rule in one of its phases; free it in either case.
lab_outcome lab_spec_phase(lab_spec *in_phase, const lab_spec *spec, int phase, lab_why *why);

// The number of the phase that this one is compared with, -1 if there is none.
int lab_against(const lab_spec *spec, int phase);

// Trials of all phases together.
int lab_spec_trials(const lab_spec *spec);

// Makes the rule of this name the one whose signals are kept.
lab_outcome lab_spec_choose_rule(lab_spec *spec, const char *name, lab_why *why);

// Refuses with the place in the spec file.
#define lab_spec_refuse(spec, place, why, ...)                                                     \
    (lab_spec_say((spec), (place), (why), __VA_ARGS__), LAB_REFUSED)
__attribute__((format(printf, 4, 5))) void lab_spec_say(const lab_spec *spec, lab_place place,
                                                        lab_why *why, const char *format, ...);

// LAB_DONE for CFPC_OK, or what was wrong with the part of the spec at this place.
lab_outcome lab_spec_from_status(const lab_spec *spec, lab_place place, const char *part,
                                 cfpc_status status, lab_why *why);

// The path of a file that a spec names, beside the spec file; the caller frees it.
char *lab_spec_path(const lab_spec *spec, const char *name);

#endif
