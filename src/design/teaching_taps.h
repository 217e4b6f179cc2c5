// SPDX-License-Identifier: Apache-2.0
// teaching_taps: what the kinds of teaching filters share: cutting a long response.
#ifndef CFPC_DESIGN_TEACHING_TAPS_H
#define CFPC_DESIGN_TEACHING_TAPS_H

#include "cfpc/teaching_filter.h"

// Whether neglect and max_steps are in range.
cfpc_status cfpci_check_lengths(double neglect, int32_t max_steps);

// How many of the `count` values that begin at `end` and go in this direction (1 or -1) can be cut
// off: their energy is added to `cut`, which stays at most `limit`.
int32_t cfpci_negligible(int32_t count, const double *end, int direction, double limit,
                         double *cut);

// Makes a filter of the taps around a[0], which is at `zero`. filter: lead, horizon and what is
// neglected, to which the taps are added; zeroed if this fails. CFPC_TOO_LARGE if they span more
// than max_steps.
cfpc_status cfpci_keep_taps(cfpc_teaching_filter *filter, int32_t max_steps, const double *zero);

#endif
