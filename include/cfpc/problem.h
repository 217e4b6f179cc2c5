// SPDX-License-Identifier: Apache-2.0
// problem: what a trial asks of the weights, as the least-squares problem of the paper (eq. 4):
//
//     e = e0 - H w,   e0 = (I - T) r,   H = T X        w* = argmin ½ eᵀe
//
// It is factored once, [H e0] = Q [R c; 0 rest]. In the coordinates a = Qᵀe = c - R w a trial of
// batch learning costs G² instead of N·G, and nothing cancels: ‖e‖² = rest² + ‖a‖².
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
    int32_t rank;         // of H: singular values above rank_cut
    cfpc_system transfer; // T
    double *basis;        // X; its block holds all that follow  (N x G)
    double *h;            // H = T X                             (N x G)
    double *e0;           // reactive error (I - T) r            (N)
    double *r;            // R of H = Q R                        (K x G)
    double *c;            // Qᵀ e0                               (K)
    double *s;            // singular values of H, falling       (K)
    double *optimum;      // w* = H⁺ e0, shortest                (G)
    double e0_norm;       // ‖e0‖
    double rest;          // norm of what no weights mend
    double lambda_max;    // λmax(HᵀH) = s[0]²
    double rank_cut;      // share of s[0] up to which a singular value is rounding: ε max(N, G)
    double rrmse_optimum; // ‖e0 - H w*‖ / ‖e0‖, with the directions that count for the rank
    bool optimum_known;   // false: singular values fall through the cut without a gap; there may be
                          // further directions, and the optimum may be anything below
} cfpc_problem;

// Sets up and factors the problem of following r (steps) with these bases (steps x bases).
cfpc_status cfpc_problem_make(cfpc_problem *problem, const cfpc_system *transfer, int32_t steps,
                              int32_t bases, const double *basis, const double *r);

// The same for any path from o to the output, with the reactive error (steps) handed in: that of a
// loop with disturbances, or with o at the plant's input.
cfpc_status cfpc_problem_pose(cfpc_problem *problem, const cfpc_system *path, int32_t steps,
                              int32_t bases, const double *basis, const double *e0);
void cfpc_problem_free(cfpc_problem *problem);

// Bases that could be left out, bases - rank of them, by the same cut. Idle: it changes nothing
// within a trial. Redundant: those that are neither can do the same; of two that could stand for
// each other the second. The latter takes bases · rank² steps. Both (bases).
cfpc_status cfpc_problem_idle(const cfpc_problem *problem, bool *idle);
cfpc_status cfpc_problem_redundant(const cfpc_problem *problem, bool *redundant);

// fraction / λmax(HᵀH): the same rate for every rule. The default fraction is 0.5.
double cfpc_rate(const cfpc_problem *problem, double fraction);

// The gradient of the cost in the weights with this trace, by its adjoint: g = Zᵀe = Xᵀ(Aᵀe),
// where A is the trace's system; w += η g is one batch update (eq. 5). e: (N), g: (G).
cfpc_status cfpc_batch_gradient(const cfpc_problem *problem, const cfpc_system *trace,
                                const double *e, double *g);

// Batch learning from w = 0, by the factored form of cfpc/batch.h: rrmse (trials) before each
// update, and, unless NULL, the weights of the last trial (bases).
cfpc_status cfpc_batch_learn(const cfpc_problem *problem, const cfpc_system *trace, double rate,
                             int32_t trials, double *rrmse, double *weights);

#ifdef __cplusplus
}
#endif

#endif
