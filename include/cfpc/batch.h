// SPDX-License-Identifier: Apache-2.0
// batch: learning trial by trial (eq. 5) without traces, for any number of bases.
//
//     o = X w,   e = e0 - T o,   w += η Zᵀe = η Xᵀ(Aᵀe)          Z = A X, A the trace's system
//
// One filter runs forward over o, one backward over the error; X itself is only multiplied by a
// vector. Three forms compute the same trials; their cost depends on N, G and the number of trials:
//
//     form       once                      per trial            memory
//     primal     -                         X once or twice      N
//     factored   [H e0] = Q [R c], ZᵀH     2 G²                 2 N G, 2 G²
//     dual       X Xᵀ                      N²                   N²
#ifndef CFPC_BATCH_H
#define CFPC_BATCH_H

#include "cfpc/bases.h"
#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cfpc_batch_form {
    CFPC_BATCH_CHEAPEST, // the form that cfpc_batch_choose selects
    CFPC_BATCH_PRIMAL,   // X is read at each trial
    CFPC_BATCH_FACTORED, // in the coordinates of the bases (G x G)
    CFPC_BATCH_DUAL      // in those of the steps (N x N); weights are computed on demand
} cfpc_batch_form;

typedef struct cfpc_batch_def {
    cfpc_bases bases;         // X; a table must outlive the learner, the rest is copied
    const cfpc_system *path;  // T, from o to the output: discrete, one input, one output
    const cfpc_system *trace; // A, from a basis signal to its trace; likewise
    const double *e0;         // reactive error                                   (steps)
    double rate;              // η
    int32_t trials;           // expected number of trials, for the choice of form
    cfpc_batch_form form;     // which form
    int32_t threads;          // maximum, if built with OpenMP; the results do not depend on it
    double max_bytes;         // a form that needs more memory is not chosen; 0: no limit
} cfpc_batch_def;

// Defaults: the cheapest form, one thread, 1 trial, no limit; everything else is zero.
cfpc_batch_def cfpc_default_batch_def(void);

// ---- what it costs ---------------------------------------------------------------------------

typedef struct cfpc_batch_cost {
    double multiply_adds; // of all trials and the weights at the end
    double bytes_read;    // from tables of X, H, R, ZᵀH and X Xᵀ, likewise
    double bytes_held;    // by the learner
    double set_up_s;      // predicted, once
    double trial_s;       // predicted, for each trial after the first
    double weights_s;     // predicted, once
    double total_s;       // predicted, of `trials` trials and the weights at the end
} cfpc_batch_cost;

// Predicts the cost of a form. It uses only sizes, order, precision, systems and trials of the
// definition. The times are for the machine noted in src/design/batch_cost.c; only their order
// matters.
cfpc_status cfpc_batch_predict(cfpc_batch_cost *cost, const cfpc_batch_def *def,
                               cfpc_batch_form form);

// Selects the form with the smallest total_s that needs at most max_bytes, or primal.
cfpc_status cfpc_batch_choose(cfpc_batch_form *form, const cfpc_batch_def *def);

// ---- learning --------------------------------------------------------------------------------

typedef struct cfpc_batch cfpc_batch;

// Creates a learner with zero weights. NULL on failure; free it with cfpc_batch_free, which accepts
// NULL.
cfpc_status cfpc_batch_make(cfpc_batch **learner, const cfpc_batch_def *def);
void cfpc_batch_free(cfpc_batch *learner);

// Learns from the previous trial, if any, and runs the next one. rrmse: its error relative to that
// of the first trial. If a table of X is not finite, the forms that factor it fail; with the primal
// form rrmse is NAN. After cfpc_write_bases has failed, every later call returns the same status.
cfpc_status cfpc_batch_trial(cfpc_batch *learner, double *rrmse);

// Returns the weights of the last trial (bases).
cfpc_status cfpc_batch_weights(cfpc_batch *learner, double *weights);

// Returns the form that the learner uses.
cfpc_batch_form cfpc_batch_form_of(const cfpc_batch *learner);

#ifdef __cplusplus
}
#endif

#endif
