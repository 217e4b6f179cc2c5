// SPDX-License-Identifier: Apache-2.0
// problem: the least-squares problem of the paper (eq. 4), whose solution is the optimal weights:
//
//     e = e0 - H w,   e0 = (I - T) r,   H = T X        w* = argmin ½ eᵀe
//
// It is factored once, [H e0] = Q [R c; 0 rest]. In the coordinates a = Qᵀe = c - R w a trial of
// batch learning costs G² instead of N·G, without cancellation: ‖e‖² = rest² + ‖a‖².
#ifndef CFPC_PROBLEM_H
#define CFPC_PROBLEM_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

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

// fraction / λmax(HᵀH): the same rate for every rule. The default fraction is 0.5.
double cfpc_rate(const cfpc_problem *problem, double fraction);

// The gradient of the cost in the weights with this trace, by its adjoint: g = Zᵀe = Xᵀ(Aᵀe),
// where A is the trace's system; w += η g is one batch update (eq. 5). e: (N), g: (G).
cfpc_status cfpc_batch_gradient(const cfpc_problem *problem, const cfpc_system *trace,
                                const double *e, double *g);

// Batch learning from w = 0, by the factored form of cfpc/batch.h: rrmse (trials) before each
// update and, unless NULL, the weights of the last trial (bases).
cfpc_status cfpc_batch_learn(const cfpc_problem *problem, const cfpc_system *trace, double rate,
                             int32_t trials, double *rrmse, double *weights);

#ifdef __cplusplus
}
#endif

#endif
