// SPDX-License-Identifier: Apache-2.0
// granules: basis signals like those of granule cells. Each is one burst per trial, with a time
// constant and a moment of its own, and silent otherwise; there may be millions, so none is stored.
#ifndef CFPC_LAB_GRANULES_H
#define CFPC_LAB_GRANULES_H

#include "cfpc/blocks.h"
#include "spec/spec.h"

typedef struct lab_granules {
    int steps;        // N, of a trial
    int count;        // G
    int longest;      // steps of the longest burst
    double *burst;    // of each time constant, 0 after its end         (LAB_BURSTS x longest)
    cfpc_real *fired; // the same, as a cell receives them, zeros around each
    int *length;      // steps of each                                  (LAB_BURSTS)
    int32_t *onset;   // step at which each cell begins, rising         (count)
    uint8_t *kind;    // which burst each has                           (count)
    int first;        // step at which the present block begins
} lab_granules;

enum { LAB_BURSTS = 32 }; // time constants, spaced geometrically

// Draws the cells: onsets spread over the trial, and time constants. `seed` is added to the bank's.
// Free it in either case.
cfpc_status lab_granules_make(lab_granules *granules, const lab_basis_spec *basis_spec,
                              double step_s, int steps, int count, int seed);
void lab_granules_free(lab_granules *granules);

// Signal of cell j at step n.
double lab_granule(const lab_granules *granules, int j, int n);

// X Xᵀ a, from every `stride`-th cell, for all: out, a (N).
void lab_granules_gram(const lab_granules *granules, int stride, const double *a, double *out);

// The signals of a block of steps from step `first` on: made where they are used, also those of
// earlier steps (0 before the trial), which a cell in adjoint form needs. The granules must stay
// where they are until it is run.
cfpc_source lab_granules_block(lab_granules *granules, int first);

#endif
