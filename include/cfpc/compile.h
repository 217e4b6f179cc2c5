// SPDX-License-Identifier: Apache-2.0
// compile: from design to core. Makes the immutable model that a cell runs; saves and loads models
// and data.
#ifndef CFPC_COMPILE_H
#define CFPC_COMPILE_H

#include "cfpc/blocks.h"
#include "cfpc/cell.h"
#include "cfpc/system.h"
#include "cfpc/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- compile ---------------------------------------------------------------------------------

typedef struct cfpc_cell_def {
    int32_t synapses;         // G
    int32_t steps;            // N of the basis table; 0: the caller passes x at every step
    const double *basis;      // X (steps x synapses), NULL if steps is 0
    const cfpc_system *trace; // discrete, one input, one output; not used in adjoint form
    const cfpc_teaching_filter *filter; // adjoint form (cfpc/model.h); NULL: learning by traces
    cfpc_past past;                     // adjoint form: where the inputs of M steps ago come from
    bool mutable_taps;                  // adjoint form: the filter can be replaced (cfpc_set_taps)
    bool held;                          // adjoint form: the weights change at the ends of blocks
    cfpc_rule rule;                     // its preconditioner is set by the next field
    const double *preconditioner;       // P (synapses x synapses), NULL: none
    cfpc_guard guard;                   // zeroed: none
    const cfpc_system *response; // T̂, for the guard: from o to what it takes off the error,
                                 // discrete, one input, one output; NULL: not known
    int32_t dead_time_steps;     // maximum length of a block, 0: no blocks; see cfpc_model_def
    bool only_blocks;            // h is not kept; see cfpc_model_def
    bool modal;                  // the trace in modal form (cfpc_modal), or CFPC_ILL_CONDITIONED
} cfpc_cell_def;

// Makes a model, rounded to cfpc_real; free it with cfpc_model_free.
cfpc_status cfpc_compile(const cfpc_model **model, const cfpc_cell_def *def);
void cfpc_model_free(const cfpc_model *model);

// Data at rest for a model; free it with cfpc_data_free.
cfpc_status cfpc_data_make(cfpc_data **data, const cfpc_model *model);
void cfpc_data_free(cfpc_data *data);

// Files. A saved file appears complete or not at all. Loading fails if the file is not a model (or
// data of this model) of this version and precision, or is truncated or corrupted.
cfpc_status cfpc_model_save(const cfpc_model *model, const char *path);
cfpc_status cfpc_model_load(const cfpc_model **model, const char *path);
cfpc_status cfpc_data_save(cfpc_data *data, const char *path);
cfpc_status cfpc_data_load(const cfpc_model *model, cfpc_data *data, const char *path);

// ---- threads ---------------------------------------------------------------------------------
//
// A block of steps on several threads. The order of every sum is fixed, so the results
// equal those of cfpc_step_block, bit for bit, for any number of threads.

// The maximum useful number of threads: the number of processors, or 1 if the library was built
// without OpenMP.
int32_t cfpc_max_threads(void);

// As cfpc_step_block_from, on this number of threads (at least 1), but at most one per chunk of
// synapses; without OpenMP on one thread.
cfpc_status cfpc_step_block_threads(const cfpc_model *model, cfpc_data *data,
                                    const cfpc_source *source, const cfpc_real *e, int32_t steps,
                                    cfpc_real *o, int32_t threads);

// As cfpc_learn_due_from, likewise.
cfpc_status cfpc_learn_due_threads(const cfpc_model *model, cfpc_data *data,
                                   const cfpc_source *source, int32_t threads);

#ifdef __cplusplus
}
#endif

#endif
