// SPDX-License-Identifier: Apache-2.0
// blocks: many steps of a cell at once, with the same results as that many calls of cfpc_step
// (or cfpc_step_given), unless its weights are held.
//
// An output cannot affect the teaching signal before the loop's dead time has passed. So the errors
// of that many steps do not depend on the outputs of these steps, and the steps can be computed
// tile by tile. A tile is a few neighbouring synapses: they go through all steps with their state
// in registers, so that memory is read and written once per block. (A simulation knows these errors
// in advance; a loop in real time gets the outputs one block late.)
//
// These on-line rules are fast: those in which the update of a synapse does not depend on other
// synapses (plain, rectified, leaky, bounded, with inhibition), also during fades. Rules that sum
// over all synapses within a step (normaliser, output penalty, guard) or that store more than the
// weight (momentum, batch) run step by step inside the same calls. The results are the same, bit
// for bit, with one exception: an output that is not finite freezes a cell without a guard at the
// end of the block (or after 64 steps), not at its own step. A block of one step whose x is in
// memory has no exception.
//
// In adjoint form (cfpc/model.h) a synapse has no state, and needs its input of M steps ago
// instead: from the basis table (CFPC_PAST_TABLE) or from the source (CFPC_PAST_GIVEN). A source
// that cannot give it is refused with CFPC_MISSING. A cell that keeps its inputs (CFPC_PAST_KEPT)
// runs step by step.
//
// A cell in adjoint form may hold its weights (cfpc_adjoint_form.held). Then a block is not its
// steps: all its outputs are those of the weights at its start, and afterwards the updates of all
// its steps are made, in their order; the bounds of the weights are applied once, at the end. A
// block is one call of a function below, however it is computed and wherever teaching begins or
// stops within it; a block of one step is a step. The end of a trial (cfpc_learn_due_from, or
// cfpc_next_trial) also applies the bounds once. Rules that run step by step hold their weights in
// blocks, too. In batch mode there is no difference. A guard pauses the cell within a
// block; weights that it brings back count from the next one on. The data has room for a second
// copy of the weights.
//
// A block needs about 11 KB of stack in float, 19 KB in double; in adjoint form 40 KB.
#ifndef CFPC_BLOCKS_H
#define CFPC_BLOCKS_H

#include "cfpc/cell.h"

#ifdef __cplusplus
extern "C" {
#endif

// Runs `steps` steps; CFPC_BLOCK_TOO_LONG if they are more than the model's dead_time_steps.
// x: basis signals (steps x synapses), NULL: the model's basis table. e: errors, o: outputs
// (steps).
cfpc_status cfpc_step_block(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                            const cfpc_real *e, int32_t steps, cfpc_real *o);

// ---- basis signals that are not stored ---------------------------------------------------

typedef enum cfpc_source_kind {
    CFPC_HANDED, // x is an array in memory
    CFPC_TAPPED, // x_j[n] = u[n - j spacing]
    CFPC_LEAKY,  // x_j[n] = a_j x_j[n-1] + (1 - a_j) u[n]
    CFPC_SPARSE, // most x_j[n] are 0; the others are listed
    CFPC_MADE    // x_j[n] is computed by a function of the caller when it is needed
} cfpc_source_kind;

// Writes the signals of `count` synapses, starting at `first`, for `steps` steps of the block, at
// most 64, starting at `step`: x_j[n] to x[(n - step) · stride + j - first]. If all are 0 it may
// return false and write nothing. It may be called from several threads at once and must write the
// same values every time.
typedef bool cfpc_maker(const void *context, int32_t step, int32_t steps, int32_t first,
                        int32_t count, int32_t stride, cfpc_real *x);

typedef struct cfpc_source {
    cfpc_source_kind kind;
    const cfpc_real *x;      // handed: (steps x synapses), NULL: the model's basis table
    const cfpc_real *signal; // tapped, leaky: u, from the block's first step on (steps);
                             // tapped: the earlier values lie before it, at the negative indices
                             //         down to -(synapses - 1) spacing_steps
    int32_t spacing_steps;   // tapped: at least 1
    const cfpc_real *decay;  // leaky: a_j                                 (synapses)
    cfpc_real *last;         // leaky: x_j of the step before, updated     (synapses)
    const int32_t *start;    // sparse: index of the first entry of each step, and the number of
                             //         entries                            (steps + 1)
    const int32_t *synapse;  // sparse: j, increasing within a step        (start[steps])
    const cfpc_real *value;  // sparse: x_j                                (start[steps])
    cfpc_maker *make;        // made: the function
    const void *context;     // made: passed to it
    const struct cfpc_source *past; // adjoint form, CFPC_PAST_GIVEN: a source for x of M steps
                                    // earlier, also of another kind: row n of it is x[n - M];
                                    // leaky: with a `last` of its own. NULL: tapped, made and the
                                    // basis table give it themselves. Tapped: the signal also holds
                                    // the M steps before. Made: the function is also called with
                                    // negative steps, down to -M; before its time all are 0
} cfpc_source;

// As cfpc_step_block, with x computed per tile. Sparse and made sources skip what is silent: traces
// at rest or, in adjoint form, tiles without input both now and M steps ago.
cfpc_status cfpc_step_block_from(const cfpc_model *model, cfpc_data *data,
                                 const cfpc_source *source, const cfpc_real *e, int32_t steps,
                                 cfpc_real *o);

// Ending a trial in adjoint form, CFPC_PAST_GIVEN: everything that is due learns, as if M more
// steps came that teach nothing. The source is that of a block after the last one; only the past is
// read, and of it only the inputs of the trial. The same as cfpc_learn_due (cfpc/model.h) for all
// of them. Call cfpc_next_trial afterwards. Other models need no source: cfpc_next_trial does it,
// and this does nothing.
cfpc_status cfpc_learn_due_from(const cfpc_model *model, cfpc_data *data,
                                const cfpc_source *source);

#ifdef __cplusplus
}
#endif

#endif
