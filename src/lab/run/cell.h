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

// The guard of such a cell, and the response that it knows; NULL: none.
cfpc_guard lab_guard_of(const lab_setup *setup);
static inline const cfpc_system *lab_response_of(const lab_rule *rule)
{
    return rule->response.outputs > 0 ? &rule->response : NULL;
}

// The memory that such a cell needs on a machine of its own, in bytes: for every further synapse,
// and besides that. In adjoint form the inputs of M steps ago count only where no bank has them by
// itself.
cfpc_status lab_cell_bytes(const lab_setup *setup, const lab_rule *rule, double *per_synapse,
                           double *per_cell);

#endif
