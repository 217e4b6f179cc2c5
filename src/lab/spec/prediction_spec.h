// SPDX-License-Identifier: Apache-2.0
// prediction_spec: the first stage of a cascade: a cell that learns to predict a disturbance, and
// whose prediction can drive the banks of the second, which is the cell of the spec.
#ifndef CFPC_LAB_PREDICTION_SPEC_H
#define CFPC_LAB_PREDICTION_SPEC_H

#include "spec/kinds.h"
#include "spec/values.h"

#define LAB_PREDICTION_LEARNS(X)                                                                   \
    X(LAB_LEARNS_WITH_CELL, "with-cell")                                                           \
    X(LAB_LEARNS_ALWAYS, "always")                                                                 \
    X(LAB_LEARNS_NEVER, "never")

typedef enum lab_prediction_learns { LAB_PREDICTION_LEARNS(LAB_ENUMERATOR) } lab_prediction_learns;

typedef struct lab_prediction_spec {
    lab_place place;
    char *source;                 // name of the disturbance; "": the first
    double lead_ms;               // how early the prediction comes
    lab_listing basis;            // lab_basis_spec
    double rate_fraction;         // of 1 / λmax(XᵀX), X its basis signals, late by the lead
    lab_prediction_learns learns; // when
} lab_prediction_spec;

#endif
