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

#include "cfpc/basis.h"
#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- problem ---------------------------------------------------------------------------------
//
// The least-squares problem of the paper (eq. 4), whose solution is the optimal weights:
//
//     e = e0 - H w,   e0 = (I - T) r,   H = T X        w* = argmin ½ eᵀe
//
// It is factored once, [H e0] = Q [R c; 0 rest]. In the coordinates a = Qᵀe = c - R w a trial of
// batch learning costs G² instead of N·G, without cancellation: ‖e‖² = rest² + ‖a‖².

typedef struct cfpc_problem {
    int32_t steps;        // N
    int32_t bases;        // G
    int32_t range;        // K = min(N, G)
    int32_t rank;         // of H: number of singular values above rank_cut
    cfpc_system transfer; // T
    double *basis;        // X; allocated with all that follow   (N x G)
    double *h;            // H = T X                             (N x G)
    double *e0;           // reactive error (I - T) r            (N)
    double *r;            // R of H = Q R                        (K x G)
    double *c;            // Qᵀ e0                               (K)
    double *s;            // singular values of H, descending    (K)
    double *optimum;      // w* = H⁺ e0, of minimum norm         (G)
    double e0_norm;       // ‖e0‖
    double rest;          // norm of the error that no weights can reduce
    double lambda_max;    // λmax(HᵀH) = s[0]²
    double rank_cut;      // singular values up to this fraction of s[0] are rounding: ε max(N, G)
    double rrmse_optimum; // ‖e0 - H w*‖ / ‖e0‖, with the directions counted in the rank
    bool optimum_known;   // false: there is no gap of singular values at the cut; there may be
                          // further directions, and the optimum may be lower
} cfpc_problem;

// Sets up and factors the problem of following r (steps) with these bases (steps x bases).
cfpc_status cfpc_problem_make(cfpc_problem *problem, const cfpc_system *transfer, int32_t steps,
                              int32_t bases, const double *basis, const double *r);

// The same for any path from o to the output, with a given reactive error (steps): for a loop with
// disturbances, or with o at the plant's input.
cfpc_status cfpc_problem_pose(cfpc_problem *problem, const cfpc_system *path, int32_t steps,
                              int32_t bases, const double *basis, const double *e0);
void cfpc_problem_free(cfpc_problem *problem);

// Bases that could be omitted, bases - rank of them, by the same cut. Idle: without effect within a
// trial. Redundant: a combination of the remaining bases; of two interchangeable bases, the second.
// The latter costs bases · rank² operations. Both (bases).
cfpc_status cfpc_problem_idle(const cfpc_problem *problem, bool *idle);
cfpc_status cfpc_problem_redundant(const cfpc_problem *problem, bool *redundant);

// rate_fraction / λmax(HᵀH): the same rate for every rule. The default of a spec is 0.5.
double cfpc_problem_rate(const cfpc_problem *problem, double rate_fraction);

// The gradient of the cost in the weights with this trace, by its adjoint: g = Zᵀe = Xᵀ(Aᵀe),
// where A is the trace's system; w += η g is one batch update (eq. 5). e: (N), g: (G).
cfpc_status cfpc_batch_gradient(const cfpc_problem *problem, const cfpc_system *trace,
                                const double *e, double *g);

// Batch learning from w = 0, by the factored form of cfpc/batch.h: rrmse (trials) before each
// update and, unless NULL, the weights of the last trial (bases).
cfpc_status cfpc_batch_learn(const cfpc_problem *problem, const cfpc_system *trace, double rate,
                             int32_t trials, double *rrmse, double *weights);

// ---- batch -----------------------------------------------------------------------------------

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
