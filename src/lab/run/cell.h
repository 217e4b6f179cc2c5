// SPDX-License-Identifier: Apache-2.0
// cell: the cell of a rule, made of a setup, that simulate runs.
#ifndef CFPC_LAB_CELL_H
#define CFPC_LAB_CELL_H

#include "run/setup.h"
#include "run/simulate.h"

// Guarded as the spec says, or, without `guarded`, not at all. Free it in either case.
cfpc_status lab_cell_make(lab_cell *cell, const lab_setup *setup, const lab_rule *rule,
                          bool guarded);
void lab_cell_free(lab_cell *cell);

// The guard of such a cell, and the energy that it compares with, of a round of so many steps:
// trials in batch mode, windows that slide on line.
cfpc_guard lab_guard_of(const lab_setup *setup, const lab_rule *rule);
void lab_baseline_of(const lab_setup *setup, int window, bool slides, double *energy,
                     double *spread);

// The memory that such a cell needs on a machine of its own, in bytes: for every further synapse,
// and besides that. In adjoint form the inputs of M steps ago count only where no bank has them by
// itself.
cfpc_status lab_cell_bytes(const lab_setup *setup, const lab_rule *rule, double *per_synapse,
                           double *per_cell);

#endif
