// SPDX-License-Identifier: Apache-2.0
// adjoint: how a cell learns without traces: the teaching signal t is filtered instead, once per
// cell, and every synapse multiplies its own input of M steps ago. With the taps a[-L] ... a[M],
//
//     δ[m] = Σ_k a[k] t[m + k]        w_j += η x_j[m] δ[m]        at step n, m = n - M
//
// A step whose error must not teach (saturated, faded, frozen) enters the filter as 0; what earlier
// steps taught is still learned, for up to L + M steps. When the guard acts or the cell is frozen,
// everything that is still due is dropped. Call cfpc_teach (or cfpc_learn) once after every
// cfpc_act, with 0 if there is no error: the input of M steps ago learns in it. Inputs of before
// the trial do not learn. A normaliser and an
// output penalty need traces: CFPC_NEEDS_TRACES. The model's trace is not used.
#ifndef CFPC_ADJOINT_H
#define CFPC_ADJOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "cfpc/config.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where the inputs of M steps ago come from.
typedef enum cfpc_past {
    CFPC_PAST_KEPT,  // the cell keeps the last M + 1 inputs: (M + 1) x synapses numbers of memory
    CFPC_PAST_TABLE, // x is always the model's basis table, which has them
    CFPC_PAST_GIVEN  // the caller gives them: cfpc_step_given, cfpc_teach_given; in blocks the
                     // source gives them (cfpc/blocks.h)
} cfpc_past;

typedef struct cfpc_adjoint_form {
    const cfpc_real *taps; // a[-L] ... a[M] (lead + horizon + 1); NULL: the cell learns by traces
    int32_t lead;          // L
    int32_t horizon;       // M
    cfpc_past past;        // where the inputs of M steps ago come from
    bool is_mutable;       // the taps are part of the data, and start as given here: they can be
                           // replaced while the cell runs (cfpc_set_taps)
    bool held;             // the weights change at the end of a block (cfpc/blocks.h), not at
                           // every step: all outputs of a block are those of the weights at its
                           // start, as in a zone (cfpc/zone.h). Single steps do not differ.
} cfpc_adjoint_form;

typedef struct cfpc_model cfpc_model;
typedef struct cfpc_data cfpc_data;

// cfpc_step and cfpc_teach with the input of M steps ago (synapses), NULL: zeros. Only for
// CFPC_PAST_GIVEN; there cfpc_step and cfpc_teach act but learn nothing, and set
// CFPC_FLAG_NO_PAST.
cfpc_real cfpc_step_given(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                          const cfpc_real *past, cfpc_real e);
void cfpc_teach_given(const cfpc_model *model, cfpc_data *data, const cfpc_real *past,
                      cfpc_real teaching);

// The number of inputs, at most M, that have not learned yet: those of the last cfpc_due steps. 0
// if nothing is due, and for a cell that learns by traces.
int32_t cfpc_due(const cfpc_data *data);

// Ending a trial: the oldest of the inputs that are due learns what the trial has taught it.
// cfpc_next_trial does this for all of them, unless the caller gives the past: then call this
// cfpc_due times, with their inputs from the oldest on. What is still due after cfpc_next_trial is
// dropped, and also at the next step once this has been called.
void cfpc_learn_due(const cfpc_model *model, cfpc_data *data, const cfpc_real *past);

// Replaces the taps (lead + horizon + 1), which must be finite, of a model whose taps are mutable.
void cfpc_set_taps(const cfpc_model *model, cfpc_data *data, const cfpc_real *taps);

#ifdef __cplusplus
}
#endif

#endif
