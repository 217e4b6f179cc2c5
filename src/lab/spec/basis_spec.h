// SPDX-License-Identifier: Apache-2.0
// basis_spec: the basis of a spec: banks of signals that reach the cell, and a first stage that
// predicts one.
#ifndef CFPC_LAB_BASIS_SPEC_H
#define CFPC_LAB_BASIS_SPEC_H

#include "spec/kinds.h"

// What kinds of banks have in common: how they are checked and counted.
typedef enum lab_basis_family {
    LAB_CENTRED,   // bumps in the time of the trial, around centres
    LAB_DECAYING,  // what an event leaves behind, with time constants
    LAB_SCATTERED, // bursts at random times, with time constants
    LAB_DRIVEN,    // networks that a signal drives
    LAB_TURNING,   // bumps around a turn of the angle
    LAB_PER_STEP,  // one basis signal per step of the trial
    LAB_PER_COLUMN // one per column of a file
} lab_basis_family;

// Kinds of banks: enumerator, name, keys, family.
#define LAB_BASIS_KINDS(X)                                                                         \
    X(LAB_GAUSSIAN, "gaussian", "count width_ms spacing_ms first_ms cue", LAB_CENTRED)             \
    X(LAB_RAISED_COSINE, "raised-cosine", "count width_ms spacing_ms first_ms cue", LAB_CENTRED)   \
    X(LAB_ALPHA_BANK, "alpha", "count first_ms last_ms cue", LAB_DECAYING)                         \
    X(LAB_EXPONENTIAL_BANK, "exponential", "count first_ms last_ms cue", LAB_DECAYING)             \
    X(LAB_TAPPED_DELAY, "tapped-delay", "count spacing_ms input source preview_ms", LAB_DRIVEN)    \
    X(LAB_LEAKY_CASCADE, "leaky-cascade", "count time_constant_ms input source preview_ms",        \
      LAB_DRIVEN)                                                                                  \
    X(LAB_LAGUERRE, "laguerre", "count time_constant_ms input source preview_ms", LAB_DRIVEN)      \
    X(LAB_DERIVATIVES, "derivatives", "count input source preview_ms", LAB_DRIVEN)                 \
    X(LAB_PERIODIC, "periodic", "count width_turns input", LAB_TURNING)                            \
    X(LAB_IDENTITY, "identity", "", LAB_PER_STEP)                                                  \
    X(LAB_CSV_BASIS, "csv", "file", LAB_PER_COLUMN)                                                \
    X(LAB_GRANULE, "granule", "count first_ms last_ms seed", LAB_SCATTERED)

typedef enum lab_basis_kind { LAB_BASIS_KINDS(LAB_ENUMERATOR) } lab_basis_kind;

LAB_FAMILY_OF(lab_family_of_basis, lab_basis_kind, lab_basis_family, LAB_BASIS_KINDS,
              (lab_basis_family)-1)

// What may drive a bank.
#define LAB_BASIS_INPUTS(X)                                                                        \
    X(LAB_FROM_REFERENCE, "reference")                                                             \
    X(LAB_FROM_CUE, "cue")                                                                         \
    X(LAB_FROM_DISTURBANCE, "disturbance")                                                         \
    X(LAB_FROM_MEASUREMENT, "measurement")                                                         \
    X(LAB_FROM_COMMAND, "command")                                                                 \
    X(LAB_FROM_TOTAL_COMMAND, "total-command")                                                     \
    X(LAB_FROM_PREDICTION, "prediction")                                                           \
    X(LAB_FROM_ANGLE, "angle")

typedef enum lab_basis_input { LAB_BASIS_INPUTS(LAB_ENUMERATOR) } lab_basis_input;

// One bank of basis signals.
typedef struct lab_basis_spec {
    lab_place place;
    lab_basis_kind kind;
    int count;               // how many; identity: one per step; csv: one per column
    double width_ms;         // gaussian: standard deviation; raised-cosine: half width
    double spacing_ms;       // between centres, or between taps
    double first_ms;         // first centre or time constant; NAN: the bank in the middle
    double last_ms;          // last time constant
    double time_constant_ms; // cascade and laguerre
    double width_turns;      // periodic: half width; NAN: one spacing
    char *cue;               // banks in time: begins with this cue; "": with the trial
    lab_basis_input input;   // driven banks
    char *source;            // name of the cue or disturbance that drives it; "": the first
    double preview_ms;       // driven by the reference: heard this much ahead of time
    char *file;              // csv
    int seed;                // granule
} lab_basis_spec;

// When the first stage of a cascade learns.
#define LAB_PREDICTION_LEARNS(X)                                                                   \
    X(LAB_LEARNS_WITH_CELL, "with-cell")                                                           \
    X(LAB_LEARNS_ALWAYS, "always")                                                                 \
    X(LAB_LEARNS_NEVER, "never")

typedef enum lab_prediction_learns { LAB_PREDICTION_LEARNS(LAB_ENUMERATOR) } lab_prediction_learns;

// The first stage: a cell that predicts a disturbance, and whose prediction can drive the banks of
// the second, which is the cell of the spec.
typedef struct lab_prediction_spec {
    lab_place place;
    char *source;                 // name of the disturbance; "": the first
    double lead_ms;               // how early the prediction comes
    lab_listing basis;            // lab_basis_spec
    double rate_fraction;         // of 1 / λmax(XᵀX), X its basis signals, late by the lead
    lab_prediction_learns learns; // when
} lab_prediction_spec;

#endif
