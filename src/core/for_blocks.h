// SPDX-License-Identifier: Apache-2.0
// for_blocks: what data contains for blocks of steps (core/fast). The cell itself does not need it.
#ifndef CFPC_CORE_FOR_BLOCKS_H
#define CFPC_CORE_FOR_BLOCKS_H

#include "cfpc/model.h"
#include "vector.h"

enum {
    CFPC_SWEEP_STEPS = 64, // maximum steps of a sweep, which is one pass over the synapses
    CFPC_STRIP_ROWS = 32   // maximum rows of a trace that is run in strips
};

// Whether the update of a synapse is independent of the others and needs only its weight and its
// trace, or its past input if the cell need not keep it.
bool cfpci_runs_in_strips(const cfpc_rule *rule, const cfpc_guard *guard, const cfpc_lti *trace,
                          const cfpc_adjoint_form *adjoint);

// Whether the blocks of a model run in strips; otherwise they run step by step.
bool cfpci_model_strips(const cfpc_model *model);

// Number of chunks of CFPC_CHUNK synapses.
static inline int32_t cfpci_chunks(int32_t synapses)
{
    return (synapses - 1) / CFPC_CHUNK + 1;
}

#endif
