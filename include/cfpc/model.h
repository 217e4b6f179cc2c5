// SPDX-License-Identifier: Apache-2.0
// model: all that does not change while a cell runs, in one image, contiguous memory without
// pointers, so that the same bytes serve memory, a file and an array in flash.
#ifndef CFPC_MODEL_H
#define CFPC_MODEL_H

#include "cfpc/guard.h"
#include "cfpc/lti.h"
#include "cfpc/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a model is made of. Copied and checked by cfpc_model_init.
typedef struct cfpc_model_def {
    int32_t synapses;        // G, number of basis signals
    int32_t steps;           // N, rows of the basis table; 0: the caller hands x to every step
    const cfpc_real *basis;  // X, basis table, row-major (steps x synapses); NULL if steps is 0
    cfpc_lti trace;          // basis signal to eligibility trace: one input, one output
    cfpc_rule rule;          // how trace and error change the weights
    cfpc_guard guard;        // what keeps the loop from getting worse
    int32_t dead_time_steps; // steps before an output reaches what teaches: the longest block that
                             // cfpc_step_block takes; 0: none. The olive's delay is seen to there
    bool only_blocks;        // h is not kept: one number less per synapse. Only blocks learn then:
                             // for single steps call cfpc_step_block with steps = 1; cfpc_step
                             // returns 0 and raises CFPC_FLAG_ONLY_BLOCKS
} cfpc_model_def;

// One synapse on the caller's own x, no trace, rate 0, on line, guarded.
cfpc_model_def cfpc_default_model_def(void);

// Bytes of the model, 0 if the definition is not valid.
size_t cfpc_model_size(const cfpc_model_def *def);

// Places the model in mem (8-byte aligned); on failure *model is NULL.
cfpc_status cfpc_model_init(void *mem, size_t bytes, const cfpc_model_def *def,
                            const cfpc_model **model);

// Checks bytes that came from a file or from flash before they are used as a model.
cfpc_status cfpc_model_check(const void *mem, size_t bytes, const cfpc_model **model);

size_t cfpc_model_bytes(const cfpc_model *model);
int32_t cfpc_model_synapses(const cfpc_model *model);
int32_t cfpc_model_steps(const cfpc_model *model);
cfpc_rule cfpc_model_rule(const cfpc_model *model); // its arrays lie in the model's image
cfpc_guard cfpc_model_guard(const cfpc_model *model);
int32_t cfpc_model_dead_time(const cfpc_model *model); // steps
bool cfpc_model_only_blocks(const cfpc_model *model);

// The trace as an lti whose arrays lie in the model's image.
cfpc_lti cfpc_model_trace(const cfpc_model *model);

// Row n of the basis table (synapses), NULL outside the table.
const cfpc_real *cfpc_model_basis(const cfpc_model *model, int64_t n);

#ifdef __cplusplus
}
#endif

#endif
