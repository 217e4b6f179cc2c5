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

#endif
