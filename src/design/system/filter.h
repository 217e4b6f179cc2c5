// SPDX-License-Identifier: Apache-2.0
// filter: a discrete system of one input and one output, run on many signals together, step by
// step, from rest. Zeros of the block matrix are skipped.
#ifndef CFPC_DESIGN_FILTER_H
#define CFPC_DESIGN_FILTER_H

#include "cfpc/system.h"

// Counts, places and heads are one allocation, and so are values, state, result and slots.
typedef struct cfpci_filter {
    const cfpc_system *sys;
    size_t columns;        // signals
    int32_t *counts;       // entries of each row that are not zero    (rows)
    int32_t *places;       // their columns, row by row                (entries)
    double *values;        // their values, row by row                 (entries)
    double *state;         // s                                        (states x columns)
    double *result;        // [s⁺; y; z]                               (rows x columns)
    double *slots;         // all lines, one after the other           (sum of delays x columns)
    int32_t *heads;        // slot of each line to read, then write    (lines)
    const double **source; // present address of each of [s; x; v]      (matrix columns)
} cfpci_filter;

// The system must outlive the filter. Free it even if this fails.
cfpc_status cfpci_filter_make(cfpci_filter *filter, const cfpc_system *sys, int32_t columns);
void cfpci_filter_free(cfpci_filter *filter);

// Back to rest, for a new run of all signals.
void cfpci_filter_rest(cfpci_filter *filter);

// One step of every signal: x (columns) in, y (columns) out.
void cfpci_filter_step(cfpci_filter *filter, const double *x, double *y);

#endif
