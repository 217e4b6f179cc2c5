// SPDX-License-Identifier: Apache-2.0
// story_spec: the story of a spec: one picture of the main results, made of panels.
#ifndef CFPC_LAB_STORY_SPEC_H
#define CFPC_LAB_STORY_SPEC_H

#include "spec/kinds.h"

// What the axis of a panel is.
typedef enum lab_panel_family { LAB_BY_TIME, LAB_BY_TRIAL, LAB_BY_MEASURE } lab_panel_family;

// Kinds of panels: enumerator, name, keys, family, and what they and their axis of values are
// called if the spec does not say.
#define LAB_PANEL_KINDS(X)                                                                         \
    X(LAB_PANEL_SIGNALS, "signals", "rules phase show signal_names marks_s from_s to_s",           \
      LAB_BY_TIME, "signals of the last trial", "signal")                                          \
    X(LAB_PANEL_CURVES, "curves", "rules from_trial to_trial", LAB_BY_TRIAL,                       \
      "rRMSE, trial by trial", "rRMSE")                                                            \
    X(LAB_PANEL_TRACES, "traces", "rules from_s to_s effect pulse marks_s", LAB_BY_TIME,           \
      "a basis signal and its trace", "relative to its peak")                                      \
    X(LAB_PANEL_RESPONSES, "responses", "rules from_trial to_trial", LAB_BY_TRIAL,                 \
      "amplitude of the response, trial by trial", "amplitude of the response")                    \
    X(LAB_PANEL_GAIN, "gain", "rules from_trial to_trial", LAB_BY_TRIAL, "gain, trial by trial",   \
      "gain")                                                                                      \
    X(LAB_PANEL_WINDOWS, "windows", "rules from_trial to_trial", LAB_BY_TRIAL,                     \
      "largest error in a window, trial by trial", "largest rms in a window / without the cell")   \
    X(LAB_PANEL_MODEL, "model", "rules from_trial to_trial", LAB_BY_TRIAL,                         \
      "peak of the learned model, trial by trial", "peak of the model (ms)")                       \
    X(LAB_PANEL_BARS, "bars", "measures", LAB_BY_MEASURE, "figures of the run", "")

typedef enum lab_panel_kind { LAB_PANEL_KINDS(LAB_ENUMERATOR) } lab_panel_kind;

LAB_FAMILY_OF(lab_family_of_panel, lab_panel_kind, lab_panel_family, LAB_PANEL_KINDS,
              LAB_BY_MEASURE)

// One panel of the story's picture.
typedef struct lab_panel_spec {
    lab_place place;
    lab_panel_kind kind;
    char *title;            // its first line
    char *label;            // of the axis of values; "": as the kind has it
    lab_texts rules;        // whose; none: all, or of signals the main rule's
    lab_texts names;        // what the rules or bars are called; none: as they are
    char *phase;            // signals: whose last trial; "": the last
    lab_texts show;         // signals: which
    lab_texts signal_names; // signals: what they are called; none: as they are
    lab_numbers marks_s;    // signals, traces: times to mark; with one per rule, in its colour
    double from_s, to_s;    // signals, traces: the part that is shown; NAN: all of it
    int effect;             // traces: what the basis signal does to the output is shown as well
    int pulse;              // traces: of a pulse at the start of the trial, not of a basis signal
    lab_texts measures;     // bars: figures of summary.json
    int from_trial;         // by trial: the first that is shown
    int to_trial;           // by trial: the last; 0: all
    double low, high;       // of the axis of values; NAN: as the values are
    int wide;               // over both columns
} lab_panel_spec;

// The one picture of the experiment.
typedef struct lab_story_spec {
    lab_place place;
    lab_listing panels; // lab_panel_spec
} lab_story_spec;

#endif
