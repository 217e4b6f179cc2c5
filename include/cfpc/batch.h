// SPDX-License-Identifier: Apache-2.0
// batch: learning trial by trial (eq. 5) without traces, for any number of bases.
//
//     o = X w,   e = e0 - T o,   w += η Zᵀe = η Xᵀ(Aᵀe)          Z = A X, A the trace's system
//
// One filter runs forward over o, one backward over the error; X itself is only ever multiplied by
// a vector. Three forms compute the same trials; what they cost depends on N, G and their number:
//
//     form       once                      a trial              holds
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
    CFPC_BATCH_CHEAPEST, // whichever cfpc_batch_choose takes
    CFPC_BATCH_PRIMAL,   // X is read at each trial
    CFPC_BATCH_FACTORED, // in the coordinates of the bases (G x G)
    CFPC_BATCH_DUAL      // in those of the steps (N x N); weights are made when asked for
} cfpc_batch_form;

typedef struct cfpc_batch_def {
    cfpc_bases bases;         // X; a table must outlive the learner, all else is copied
    const cfpc_system *path;  // T, from o to what the error loses: discrete, one input, one output
    const cfpc_system *trace; // A, from a basis signal to its trace; likewise
    const double *e0;         // reactive error                                   (steps)
    double rate;              // η
    int32_t trials;           // how many are meant to be run, for the choice of form
    cfpc_batch_form form;     // which form
    int32_t threads;          // at most, where built with OpenMP; the numbers do not depend on it
    double max_bytes;         // a form that holds more is not chosen; 0: no limit
} cfpc_batch_def;

// The cheapest form, one thread, 1 trial, no limit; all else is zero.
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

// What this form would cost. Only sizes, order, precision, systems and trials of the definition
// count. The seconds are those of the machine noted in src/design/batch_cost.c; of them only the
// order matters.
cfpc_status cfpc_batch_predict(cfpc_batch_cost *cost, const cfpc_batch_def *def,
                               cfpc_batch_form form);

// The form with the least total_s among those that hold no more than max_bytes, or primal.
cfpc_status cfpc_batch_choose(cfpc_batch_form *form, const cfpc_batch_def *def);

// ---- learning --------------------------------------------------------------------------------

typedef struct cfpc_batch cfpc_batch;

// A learner with zero weights. NULL on failure; free it with cfpc_batch_free, which takes NULL.
cfpc_status cfpc_batch_make(cfpc_batch **learner, const cfpc_batch_def *def);
void cfpc_batch_free(cfpc_batch *learner);

// The next trial: learns from the one before it, if there was one, and runs. rrmse: its error over
// that of the first trial. A table of X that is not finite is refused by the forms that factor it;
// with the primal form, rrmse is not a number. After a failure, that of cfpc_write_bases, the
// learner answers with the same status for ever.
cfpc_status cfpc_batch_trial(cfpc_batch *learner, double *rrmse);

// The weights of the last trial (bases).
cfpc_status cfpc_batch_weights(cfpc_batch *learner, double *weights);

// The form it runs in.
cfpc_batch_form cfpc_batch_form_of(const cfpc_batch *learner);

#ifdef __cplusplus
}
#endif

#endif
