// SPDX-License-Identifier: Apache-2.0
// zone_rate: the unit of the learning rates of a zone, 1/‖ZᵀH‖ of a cell's own loop, or of a group
// of coupled ones. H = T X is what the outputs do to the errors, Z = A X the traces that the
// teaching filters amount to. Neither is stored: with K = X Xᵀ, T and A it is the largest singular
// value of Xᵀ Aᵀ T X, by power iteration on signals of a trial.
#ifndef CFPC_LAB_ZONE_RATE_H
#define CFPC_LAB_ZONE_RATE_H

#include "cfpc/trace.h"
#include "microzone/zone_loops.h"
#include "plant/granules.h"

// ‖ZᵀH‖ of the group that begins with loop `first`. filter: of each of its cells and errors,
// without taps where an error does not teach a cell (coupled x coupled). 0: nothing is learned.
cfpc_status lab_zone_norm(double *norm, const lab_zone_loops *loops, int first,
                          const cfpc_teaching_filter *filter, const lab_granules *granules);

// ---- the operators of a group ----------------------------------------------------------------

// Signals of its cells, or of its errors, one after the other: (coupled x N).

// T v: what outputs v do to the errors. work: (N)
cfpc_status lab_group_answer(const lab_zone_loops *loops, int first, const double *v, double *t,
                             double *work);

// Aᵀ t: what errors t teach.
cfpc_status lab_group_lesson(const lab_zone_loops *loops, const cfpc_teaching_filter *filter,
                             const double *t, double *v, double *work);

#endif
