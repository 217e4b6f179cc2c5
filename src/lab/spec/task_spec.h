// SPDX-License-Identifier: Apache-2.0
// task_spec: the task of a spec: its signals, trials, disturbances and cues, and the angle of a
// machine that turns.
#ifndef CFPC_LAB_TASK_SPEC_H
#define CFPC_LAB_TASK_SPEC_H

#include "spec/kinds.h"

// Whether a signal goes on after its trial, where time does.
typedef enum lab_signal_family {
    LAB_PASSING, // it comes to rest, or its file ends
    LAB_ENDLESS  // it is as lively after the last trial as before
} lab_signal_family;

// Kinds of signals: enumerator, name, keys, family.
#define LAB_SIGNAL_KINDS(X)                                                                        \
    X(LAB_PIECEWISE_LINEAR, "piecewise-linear", "points", LAB_PASSING)                             \
    X(LAB_STEP, "step", "at_s from to", LAB_PASSING)                                               \
    X(LAB_MINIMUM_JERK, "minimum-jerk", "from moves", LAB_PASSING)                                 \
    X(LAB_SINUSOIDS, "sinusoids", "components offset", LAB_ENDLESS)                                \
    X(LAB_HARMONICS, "harmonics", "harmonics", LAB_ENDLESS)                                        \
    X(LAB_BAND_NOISE, "noise", "low_hz high_hz rms seed", LAB_ENDLESS)                             \
    X(LAB_CSV_SIGNAL, "csv", "file column scale", LAB_PASSING)

typedef enum lab_signal_kind { LAB_SIGNAL_KINDS(LAB_ENUMERATOR) } lab_signal_kind;

LAB_FAMILY_OF(lab_family_of_signal, lab_signal_kind, lab_signal_family, LAB_SIGNAL_KINDS,
              LAB_PASSING)

typedef struct lab_signal_spec {
    lab_signal_kind kind;
    lab_numbers points;     // piecewise-linear: time in s, value              (points x 2)
    double at_s;            // step: when
    double from, to;        // step: before and after; minimum jerk: from
    lab_numbers moves;      // minimum jerk: start in s, duration in s, to     (moves x 3)
    lab_numbers components; // sinusoids: Hz, amplitude, phase in degrees      (components x 3)
    lab_numbers harmonics;  // of the angle: cycles per turn, amplitude, phase in degrees (rows x 3)
    double offset;          // sinusoids
    double low_hz, high_hz; // noise: band
    double rms;             // noise: root mean square
    int seed;               // noise
    char *file;             // csv: one row per step
    char *column;           // csv: name or number from 1
    double scale;           // csv: factor
} lab_signal_spec;

typedef struct lab_task_spec {
    lab_place place;
    lab_signal_spec reference; // r
    double trial_s;            // length of a trial
    int reset;                 // the loop is at rest at the start of every trial
    int repeats;               // signals start again with every trial
} lab_task_spec;

#define LAB_DISTURBANCE_PLACES(X)                                                                  \
    X(LAB_AT_PLANT_INPUT, "plant-input")                                                           \
    X(LAB_AT_PLANT_OUTPUT, "plant-output")

typedef enum lab_disturbance_place { LAB_DISTURBANCE_PLACES(LAB_ENUMERATOR) } lab_disturbance_place;

typedef struct lab_disturbance_spec {
    lab_place place;
    char *name;
    lab_signal_spec signal;
    lab_disturbance_place at; // where it is added
    int on;                   // no: it does not come
} lab_disturbance_spec;

typedef struct lab_cue_spec {
    lab_place place;
    char *name;
    double at_s;        // when, in the trial
    double duration_ms; // how long it is 1; NAN: one step
    int on;             // no: it does not come
} lab_cue_spec;

// What the plant's output is to the angle.
#define LAB_ANGLE_OUTPUTS(X)                                                                       \
    X(LAB_OUTPUT_IS_VELOCITY, "velocity")                                                          \
    X(LAB_OUTPUT_IS_POSITION, "position")

typedef enum lab_angle_output { LAB_ANGLE_OUTPUTS(LAB_ENUMERATOR) } lab_angle_output;

// The angle of a machine that turns, on which basis signals and disturbances may depend.
typedef struct lab_angle_spec {
    lab_place place;
    lab_angle_output output;
    double turns; // per unit of the output; of a velocity, per unit and second
    double start; // in turns, where the loop begins
    int counts;   // of the encoder per turn; 0: the angle is read exactly
} lab_angle_spec;

#endif
