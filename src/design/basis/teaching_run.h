// SPDX-License-Identifier: Apache-2.0
// teaching_run: a teaching filter, run along a trial on many teaching signals together:
//
//     δ[m] = Σ_k a[k] t[m + k - late],   k = -L ... M
//
// known at step m + M, when t of the steps up to there is. What arrives after the end of the trial
// (m + k >= N) does not teach. Most terms are known long before, and are added for a block of
// inputs together; only those of the present block are added step by step.
#ifndef CFPC_DESIGN_TEACHING_RUN_H
#define CFPC_DESIGN_TEACHING_RUN_H

#include "cfpc/trace.h"

typedef struct cfpci_teaching_run {
    const cfpc_teaching_filter *filter;
    int32_t steps; // N
    int32_t late;  // steps after which the teaching signal arrives, at most N
    int32_t width; // signals, a multiple of CFPCI_TILE_WIDTH: fill up with zeros
    double *taps;  // with zeros on either side
    double *delta; // of the present block                                   (block x width)
} cfpci_teaching_run;

// CFPC_MISSING, CFPC_BAD_SIZE or CFPC_BAD_VALUE if the filter has no taps, or not finite ones.
cfpc_status cfpci_teaching_filter_check(const cfpc_teaching_filter *filter);

// The filter must outlive the run. Free it even if this fails.
cfpc_status cfpci_teaching_run_make(cfpci_teaching_run *run, const cfpc_teaching_filter *filter,
                                    int32_t steps, int32_t late, int32_t width);
void cfpci_teaching_run_free(cfpci_teaching_run *run);

// δ (width) of input m. To be called for m = 0, 1, ... N - 1 in turn. t: the rows up to step m + M,
// or to the end of the trial                                                           (N x width)
const double *cfpci_teaching_run_next(cfpci_teaching_run *run, int32_t m, const double *t);

#endif
