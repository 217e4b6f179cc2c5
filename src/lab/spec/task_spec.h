// SPDX-License-Identifier: Apache-2.0
// task_spec: the task of a spec: its signals, trials, disturbances and cues.
#ifndef CFPC_LAB_TASK_SPEC_H
#define CFPC_LAB_TASK_SPEC_H

#include "spec/values.h"

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

#endif
