// SPDX-License-Identifier: Apache-2.0
// zone: P cells that read the same G inputs, each with its own forward model. In adjoint form
// (cfpc/model.h) only the filtered error of a cell depends on its model, so that a block of B
// steps of all cells is two matrix products:
//
//     O = X[now] W                   (B x G)(G x P)     the outputs of all cells
//     D = filtered errors            (B x P)            δ of each cell, times its rate
//     W ← keep W + X[earlier]ᵀ D     (G x B)(B x P)     what all cells learn
//
// Row n of X[earlier] is the input of M steps before row n of X[now]. The weights change at the end
// of a block: within it all outputs are those of the weights at its start. The numbers are those of
// P single cells in adjoint form whose updates are held in the same way (cfpc_adjoint_form.held).
//
// A block must be no longer than the shortest dead time of all cells: an output of a block then
// cannot reach an error of the same block. M is the longest horizon of all cells, L the longest
// lead; shorter filters are filled with zeros.
//
// In loops that influence each other a cell can be taught by several errors. What it learns from
// error m passes the adjoint of the path from its output to that error:
//
//     δ_p[n] = Σ_m Σ_k a_pm[k] t_m[n + k]         k = -L ... M
//
// Every cell has a guard (cfpc/model.h), which judges the errors that teach it. It has no model of
// the loop, so that trials must repeat; it pauses a cell to see the loop without it, the first
// trial included. Pauses and acts begin with the next block. No best weights are kept: an act sets
// those of the cell to 0.
//
// Inputs, errors and outputs are cfpc_real. Weights and products are float or double, as the
// definition says, whatever cfpc_real is.
#ifndef CFPC_ZONE_H
#define CFPC_ZONE_H

#include "cfpc/blocks.h"
#include "cfpc/cell.h"
#include "cfpc/model.h"
#include "cfpc/status.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- model -----------------------------------------------------------------------------------

typedef enum cfpc_zone_precision { CFPC_ZONE_FLOAT, CFPC_ZONE_DOUBLE } cfpc_zone_precision;

// An error that teaches a cell, and the filter that it passes: a trace moved to the error
// (cfpc/trace.h).
typedef struct cfpc_zone_path {
    int32_t cell;       // p, 0 to cells - 1
    int32_t error;      // m, 0 to errors - 1
    int32_t lead;       // L of these taps
    int32_t horizon;    // M of these taps
    const double *taps; // a[-L] ... a[M]                            (lead + horizon + 1)
} cfpc_zone_path;

// The definition of a zone. cfpc_zone_model_init checks and copies it.
typedef struct cfpc_zone_def {
    int32_t synapses;              // G, inputs that every cell reads
    int32_t cells;                 // P
    int32_t errors;                // E, errors per step; 0: one per cell
    int32_t block_steps;           // B, maximum length of a block: at most the shortest dead time
    int32_t path_count;            // number of paths
    const cfpc_zone_path *paths;   // no two with the same cell and error; many are checked fast
                                   // only in the order of cells, then errors (path_count)
    const double *rates;           // η of each cell                        (cells)
    double leak;                   // per step, 0 to below 1: w ← (1 - leak) w + ...
    double weight_low;             // bounds of every weight, applied at the end of a block; none
    double weight_high;            // if both are equal
    cfpc_zone_precision precision; // of weights and products
    cfpc_past past;                // CFPC_PAST_KEPT: the zone keeps the last M + B inputs;
                                   // CFPC_PAST_GIVEN: the source gives them (cfpc/blocks.h)
    cfpc_guard guard;              // of every cell. window_steps 0: a round is a trial.
                                   // CFPC_BLIND_GUARD if the rounds do not repeat; saturated_steps
                                   // must be 0
    int32_t threads;               // maximum number of threads of a call, at least 1; each has
                                   // scratch memory in the data
} cfpc_zone_def;

// Default: one synapse, one cell without a path, blocks of one step, float, inputs kept, one
// thread; the guard is on, and `guard.repeats` must be set. `rates` is NULL and must be set.
cfpc_zone_def cfpc_default_zone_def(void);

typedef struct cfpc_zone_model cfpc_zone_model; // immutable image, without pointers

// As cfpc_model_size and cfpc_model_init.
size_t cfpc_zone_model_size(const cfpc_zone_def *def);
cfpc_status cfpc_zone_model_init(const cfpc_zone_model **model, void *mem, size_t bytes,
                                 const cfpc_zone_def *def);

int32_t cfpc_zone_errors(const cfpc_zone_model *model);
int32_t cfpc_zone_horizon(const cfpc_zone_model *model); // M, the longest of all paths

// ---- data ------------------------------------------------------------------------------------

typedef struct cfpc_zone_data cfpc_zone_data; // mutable image, without pointers

// Bytes that the data of a zone of this definition needs: 0 if the definition is invalid, SIZE_MAX
// if they cannot be addressed. And the number of synapses, all else being equal, whose data fits
// into this number of bytes. 0: none.
size_t cfpc_zone_data_size_of(const cfpc_zone_def *def);
int32_t cfpc_zone_synapses_within(const cfpc_zone_def *def, size_t bytes);

// As cfpc_data_size and cfpc_data_init: at rest, with zero weights.
size_t cfpc_zone_data_size(const cfpc_zone_model *model);
cfpc_status cfpc_zone_data_init(cfpc_zone_data **data, void *mem, size_t bytes,
                                const cfpc_zone_model *model);

// Rest and zero weights, flags cleared.
void cfpc_zone_data_reset(const cfpc_zone_model *model, cfpc_zone_data *data);

// The weights of a cell (synapses), copied out and in. Nothing is copied if there is no such cell.
void cfpc_zone_get_weights(const cfpc_zone_model *model, const cfpc_zone_data *data, int32_t cell,
                           cfpc_real *w);
void cfpc_zone_set_weights(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell,
                           const cfpc_real *w);

// Sticky flags of one cell, as cfpc_flags: CFPC_FLAG_NOT_FINITE (an error that teaches it, or its
// output, was not finite; such an error counts as 0), CFPC_FLAG_FROZEN (it learns nothing until the
// flag is cleared: by cfpc_zone_freeze, by its guard, or, without a guard, because its output was
// not finite), CFPC_FLAG_GUARDED (its guard has acted). What is due when a
// cell is frozen is dropped. An input that is not finite freezes all cells; it is never learned
// from. cell -1: the flags of all cells or'ed; freezing and clearing then apply to all. A cell that
// does not exist has no flags.
uint32_t cfpc_zone_flags(const cfpc_zone_model *model, const cfpc_zone_data *data, int32_t cell);
void cfpc_zone_freeze(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell);
void cfpc_zone_clear_flags(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell,
                           uint32_t flags);

// The guard of a cell, for cfpc_guard_last, cfpc_guard_acts, cfpc_guard_pauses, cfpc_guard_paused,
// cfpc_guard_paused_steps and cfpc_baseline. NULL: it has none.
const cfpc_data *cfpc_zone_guard(const cfpc_zone_model *model, const cfpc_zone_data *data,
                                 int32_t cell);

// ---- steps -----------------------------------------------------------------------------------

// What computes the two products.
typedef struct cfpc_zone_products cfpc_zone_products;
const cfpc_zone_products *cfpc_zone_default_products(void);        // in plain C
const char *cfpc_zone_products_name(const cfpc_zone_products *by); // NULL: "none"

// Runs `steps` steps, at most block_steps, in plain C on one thread. x: inputs (steps x synapses),
// for CFPC_PAST_KEPT. errors: (steps x errors). outputs: (steps x cells).
cfpc_status cfpc_zone_step_block(const cfpc_zone_model *model, cfpc_zone_data *data,
                                 const cfpc_real *x, const cfpc_real *errors, int32_t steps,
                                 cfpc_real *outputs);

// The same with any source (cfpc/blocks.h), by these products and on this number of threads, at
// most the model's. A thread needs about 40 KB of stack. The outputs and weights are the same, bit
// for bit, for any number of threads: every product is computed by one thread, on a fixed chunk of
// inputs, and the chunks are summed in order. For CFPC_PAST_GIVEN the source also gives the inputs
// of M steps earlier.
cfpc_status cfpc_zone_step_block_by(const cfpc_zone_products *by, int32_t threads,
                                    const cfpc_zone_model *model, cfpc_zone_data *data,
                                    const cfpc_source *source, const cfpc_real *errors,
                                    int32_t steps, cfpc_real *outputs);

// Ends a trial: the inputs of the last M steps learn what is due, as if errors of 0 followed. Then
// the clock, the errors and the inputs are forgotten; the weights stay. The source is that of a
// block after the last one, of which only the past is read; NULL for CFPC_PAST_KEPT.
cfpc_status cfpc_zone_next_trial(const cfpc_zone_products *by, int32_t threads,
                                 const cfpc_zone_model *model, cfpc_zone_data *data,
                                 const cfpc_source *source);

#ifdef __cplusplus
}
#endif

#endif
