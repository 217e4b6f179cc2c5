// SPDX-License-Identifier: Apache-2.0
// story_spec: the story of a spec: the one picture that tells what comes out.
#ifndef CFPC_LAB_STORY_SPEC_H
#define CFPC_LAB_STORY_SPEC_H

#include "spec/values.h"

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

#endif
