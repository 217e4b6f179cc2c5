// SPDX-License-Identifier: Apache-2.0
// measure_spec: what is measured of a run of a spec, and what is claimed of it.
#ifndef CFPC_LAB_MEASURE_SPEC_H
#define CFPC_LAB_MEASURE_SPEC_H

#include "spec/kinds.h"

#define LAB_BETTERS(X)                                                                             \
    X(LAB_LOW_IS_BETTER, "low")                                                                    \
    X(LAB_HIGH_IS_BETTER, "high")                                                                  \
    X(LAB_NEITHER, "neither")

typedef enum lab_better { LAB_BETTERS(LAB_ENUMERATOR) } lab_better;

// A column of the table of rules.
typedef struct lab_column_spec {
    lab_place place;
    char *title;       // above it
    char *measure;     // of a rule, as rrmse_last: rules.NAME.rrmse_last
    lab_better better; // which values are
    double low, high;  // of its axis in the figure; NAN: as the values are
} lab_column_spec;

#define LAB_RESPONSE_SIGNALS(X)                                                                    \
    X(LAB_OUTPUT_RESPONSE, "output")                                                               \
    X(LAB_CELL_RESPONSE, "cell")

typedef enum lab_response_signal { LAB_RESPONSE_SIGNALS(LAB_ENUMERATOR) } lab_response_signal;

// What of a trial's learned response is measured.
typedef struct lab_response_spec {
    lab_place place;
    lab_response_signal signal;
    double threshold;     // share of the largest value at which it begins
    double min_amplitude; // below this there is none
    double from_s;        // the part of the trial in which it is looked for
    double to_s;          // NAN: to its end
} lab_response_spec;

#define LAB_GAIN_INPUTS(X)                                                                         \
    X(LAB_GAIN_OF_REFERENCE, "reference")                                                          \
    X(LAB_GAIN_OF_DISTURBANCE, "disturbance")

typedef enum lab_gain_input { LAB_GAIN_INPUTS(LAB_ENUMERATOR) } lab_gain_input;

// The gain by which the output follows an input, trial by trial.
typedef struct lab_gain_spec {
    lab_place place;
    lab_gain_input input;
    char *source; // name of the disturbance; "": the first
} lab_gain_spec;

// The error in windows shorter than a trial, compared with the same windows without the cell.
typedef struct lab_windows_spec {
    lab_place place;
    double length_s;
} lab_windows_spec;

typedef struct lab_claim_spec {
    lab_place place;
    char *name;       // short
    char *says;       // a sentence
    char *measure;    // name of a figure of summary.json
    double low, high; // where it must lie; NAN: no such bound
} lab_claim_spec;

#endif
