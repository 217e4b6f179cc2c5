// SPDX-License-Identifier: Apache-2.0
// model: everything that does not change while a cell runs, in one image: contiguous memory without
// pointers, so that the same bytes work in memory, in a file and in flash.
#ifndef CFPC_MODEL_H
#define CFPC_MODEL_H

#include "cfpc/adjoint.h"
#include "cfpc/guard.h"
#include "cfpc/lti.h"
#include "cfpc/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

// The definition of a model. cfpc_model_init checks and copies it.
typedef struct cfpc_model_def {
    int32_t synapses;          // G, number of basis signals
    int32_t steps;             // N, rows of the basis table; 0: the caller passes x at every step
    const cfpc_real *basis;    // X, basis table, row-major (steps x synapses); NULL if steps is 0
    cfpc_lti trace;            // basis signal to eligibility trace: one input, one output; not used
                               // in adjoint form
    cfpc_adjoint_form adjoint; // learning without traces; zeroed: by traces
    cfpc_rule rule;            // how trace and error change the weights
    cfpc_guard guard;          // stops learning that makes the loop worse
    cfpc_lti response; // T̂, from o to what it takes off the error, for the guard: one input,
                       // one output; zeroed: not known. Then the guard knows the loop alone
                       // from rounds without output only, so they must repeat: without this,
                       // without a table and without guard.repeats it is CFPC_BLIND_GUARD
    int32_t dead_time_steps; // steps before an output affects the e of a step: the maximum length
                             // of a block; 0: no blocks. The delay of the rule's inhibition is
                             // taken into account separately
    bool only_blocks;        // h is not stored, which saves one number per synapse. The cell then
                             // learns in blocks only: for single steps call cfpc_step_block with
                             // steps = 1. cfpc_step returns 0 and sets CFPC_FLAG_ONLY_BLOCKS.
                             // Not in adjoint form, which stores no h: CFPC_BAD_SHAPE
} cfpc_model_def;

// Default: one synapse, x from the caller, no trace, rate 0, on line, with the default guard. Set
// rule.rate, or nothing is learned.
cfpc_model_def cfpc_default_model_def(void);

// Size in bytes of the model that this definition gives: the memory that cfpc_model_init needs; 0
// if the definition is invalid.
size_t cfpc_model_size(const cfpc_model_def *def);

// Creates the model in mem (8-byte aligned); on failure *model is NULL.
cfpc_status cfpc_model_init(void *mem, size_t bytes, const cfpc_model_def *def,
                            const cfpc_model **model);

// Checks an image from a file or from flash; on success *model points to it.
cfpc_status cfpc_model_check(const void *mem, size_t bytes, const cfpc_model **model);

// The same for an image that is a part of the program, as `cfpc export` writes it: header and
// checksum are checked, its numbers are trusted. Firmware that uses only this one is smaller.
cfpc_status cfpc_model_built_in(const void *mem, size_t bytes, const cfpc_model **model);

size_t cfpc_model_bytes(const cfpc_model *model); // of the image, to store it
int32_t cfpc_model_synapses(const cfpc_model *model);
int32_t cfpc_model_steps(const cfpc_model *model);
cfpc_rule cfpc_model_rule(const cfpc_model *model); // its arrays are part of the image
cfpc_guard cfpc_model_guard(const cfpc_model *model);
int32_t cfpc_model_dead_time(const cfpc_model *model); // steps
bool cfpc_model_only_blocks(const cfpc_model *model);
cfpc_adjoint_form cfpc_model_adjoint(const cfpc_model *model); // zeroed: it learns by traces

// The trace; the arrays of the lti are part of the model's image.
cfpc_lti cfpc_model_trace(const cfpc_model *model);

// The response to o that the guard knows; no outputs: none.
cfpc_lti cfpc_model_response(const cfpc_model *model);

// Row n of the basis table (synapses); NULL if n is outside the table.
const cfpc_real *cfpc_model_basis(const cfpc_model *model, int64_t n);

#ifdef __cplusplus
}
#endif

#endif
