// SPDX-License-Identifier: Apache-2.0
// basis_spec: the basis of a spec: banks of signals that reach the cell.
#ifndef CFPC_LAB_BASIS_SPEC_H
#define CFPC_LAB_BASIS_SPEC_H

#include "spec/values.h"

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

#endif
