// SPDX-License-Identifier: Apache-2.0
// blocks: many steps of a cell at once, with the numbers of so many calls of cfpc_step.
//
// What the cell puts out now cannot reach what teaches it before the loop's dead time has passed:
// the errors of that many steps do not depend on the outputs of these steps. So they can be done
// tile by tile, some synapses through all the steps with their state in registers, and memory is
// touched once a block. (A simulation has these errors; a loop in real time must bear an output
// that is a block late.)
//
// Covered are the on-line rules whose update of a synapse needs nothing of the others: rectified,
// leaking, bounded, inhibited, fading in and out. Those that sum over all synapses within a step
// (a normaliser, a price of the output, the guard) or keep more than the weight (momentum, batch)
// run step by step inside the same calls. The numbers are the same, bit for bit, with one
// exception: an output that is not finite freezes an unguarded cell from the end of its block (or
// of 64 steps) on, not from its step on, because the synapses done first have passed it. A block of
// one step whose x is in memory has no exception.
//
// A block takes about 11 KB of the stack in float, 19 KB in double.
#ifndef CFPC_BLOCKS_H
#define CFPC_BLOCKS_H

#include "cfpc/data.h"

#ifdef __cplusplus
extern "C" {
#endif

// o[n] of `steps` steps, at most the model's dead_time_steps, CFPC_BLOCK_TOO_LONG otherwise.
// x: basis signals (steps x synapses), or NULL for the model's own table; e, o (steps).
cfpc_status cfpc_step_block(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                            const cfpc_real *e, int32_t steps, cfpc_real *o);

// ---- basis signals that need not be stored ---------------------------------------------------

typedef enum cfpc_source_kind {
    CFPC_HANDED, // x is in memory
    CFPC_TAPPED, // x_j[n] = u[n - j spacing]
    CFPC_LEAKY,  // x_j[n] = a_j x_j[n-1] + (1 - a_j) u[n]
    CFPC_SPARSE, // x_j[n] = 0 but for a few
    CFPC_MADE    // x_j[n] is written by the caller's own function, where it is used
} cfpc_source_kind;

// Writes the signals of `count` synapses from `first` on, through `steps` steps of the block from
// `step` on: x_j[n] at x[(n - step) · stride + j - first], all of them. Returns false, and need
// write nothing, if all are 0. It may be called from several threads at once, and must write the
// same each time.
typedef bool cfpc_maker(const void *context, int32_t step, int32_t steps, int32_t first,
                        int32_t count, int32_t stride, cfpc_real *x);

typedef struct cfpc_source {
    cfpc_source_kind kind;
    const cfpc_real *x;      // handed: (steps x synapses), NULL: the model's own table
    const cfpc_real *signal; // u of the block: (steps); tapped: (synapses - 1) spacing more before
    int32_t spacing_steps;   // tapped, at least 1
    const cfpc_real *decay;  // leaky: a_j                           (synapses)
    cfpc_real *last;         // leaky: x_j of the step before; moves on (synapses)
    const int32_t *start;    // sparse: where a step's entries begin; at the last, where they end
                             //         (steps + 1)
    const int32_t *synapse;  // sparse: j, rising within a step      (start[steps])
    const cfpc_real *value;  // sparse: x_j                          (start[steps])
    cfpc_maker *make;        // made
    const void *context;     // made: handed to it
} cfpc_source;

// As cfpc_step_block, each tile's x made where it is used. A sparse source spares the traces that
// are at rest.
cfpc_status cfpc_step_block_from(const cfpc_model *model, cfpc_data *data,
                                 const cfpc_source *source, const cfpc_real *e, int32_t steps,
                                 cfpc_real *o);

#ifdef __cplusplus
}
#endif

#endif
