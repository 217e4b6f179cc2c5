// SPDX-License-Identifier: Apache-2.0
// for_blocks: what the data of a cell holds for blocks of steps (core/fast), which the cell itself
// does not need.
#ifndef CFPC_CORE_FOR_BLOCKS_H
#define CFPC_CORE_FOR_BLOCKS_H

#include "cfpc/model.h"
#include "vector.h"

enum {
    CFPC_SWEEP_STEPS = 64, // maximum steps of a sweep: what one pass over the synapses does
    CFPC_STRIP_ROWS = 32   // maximum rows of a trace that is run in strips
};

// Whether a model's blocks are run in strips, or else step by step.
bool cfpci_model_strips(const cfpc_model *model);

// Number of chunks of so many synapses.
static inline int32_t cfpci_chunks(int32_t synapses)
{
    return (synapses - 1) / CFPC_CHUNK + 1;
}

#endif
