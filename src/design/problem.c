// SPDX-License-Identifier: Apache-2.0
#include "cfpc/problem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/transfer.h"
#include "dense.h"

static cfpc_status allocate(cfpc_problem *p)
{
    const size_t n = (size_t)p->steps, g = (size_t)p->bases, k = (size_t)p->range;
    p->basis = malloc(n * g * sizeof(double));
    p->h = malloc(n * g * sizeof(double));
    p->e0 = malloc(n * sizeof(double));
    p->q = malloc(n * k * sizeof(double));
    p->s = malloc(k * sizeof(double));
    p->vt = malloc(k * g * sizeof(double));
    p->c = malloc(k * sizeof(double));
    p->rest = malloc(n * sizeof(double));
    p->optimum = calloc(g, sizeof(double));
    const bool whole =
        p->basis && p->h && p->e0 && p->q && p->s && p->vt && p->c && p->rest && p->optimum;
    return whole ? CFPC_OK : CFPC_NO_MEMORY;
}

void cfpc_problem_free(cfpc_problem *p)
{
    free(p->basis);
    free(p->h);
    free(p->e0);
    free(p->q);
    free(p->s);
    free(p->vt);
    free(p->c);
    free(p->rest);
    free(p->optimum);
    *p = (cfpc_problem){0};
}

// e0 = (I - T) r
static cfpc_status reactive_error(cfpc_problem *p, const cfpc_system *transfer, const double *r)
{
    cfpc_status status = cfpc_apply(transfer, p->steps, 1, r, p->e0);
    for (int32_t n = 0; n < p->steps; n++)
        p->e0[n] = r[n] - p->e0[n];
    p->e0_norm = cfpc_dense_norm(p->steps, p->e0);
    return status == CFPC_OK && !isfinite(p->e0_norm) ? CFPC_BAD_VALUE : status;
}

// H = Q S Vᵀ
static cfpc_status factor(cfpc_problem *p)
{
    const size_t bytes = (size_t)p->steps * (size_t)p->bases * sizeof(double);
    double *copy = malloc(bytes);
    if (!copy)
        return CFPC_NO_MEMORY;
    memcpy(copy, p->h, bytes);
    cfpc_status status = cfpc_dense_svd(p->steps, p->bases, copy, p->q, p->s, p->vt);
    free(copy);
    if (status != CFPC_OK)
        return status;
    const double least = p->s[0] * DBL_EPSILON * fmax(p->steps, p->bases);
    while (p->rank < p->range && p->s[p->rank] > least)
        p->rank++;
    p->lambda_max = p->s[0] * p->s[0];
    return CFPC_OK;
}

// c = Qᵀ e0, rest = e0 - Q c, w* = V S⁺ c
static void project(cfpc_problem *p)
{
    cfpc_dense_times_vector(true, p->steps, p->range, p->q, p->e0, p->c);
    cfpc_dense_times_vector(false, p->steps, p->range, p->q, p->c, p->rest);
    for (int32_t n = 0; n < p->steps; n++)
        p->rest[n] = p->e0[n] - p->rest[n];
    p->rest_norm = cfpc_dense_norm(p->steps, p->rest);
    for (int32_t i = 0; i < p->rank; i++)
        for (int32_t j = 0; j < p->bases; j++)
            p->optimum[j] += p->vt[(size_t)i * (size_t)p->bases + (size_t)j] * p->c[i] / p->s[i];
    const double left = cfpc_dense_norm(p->range - p->rank, p->c + p->rank);
    p->rrmse_optimum = p->e0_norm > 0 ? hypot(p->rest_norm, left) / p->e0_norm : 0;
}

cfpc_status cfpc_problem_make(cfpc_problem *problem, const cfpc_system *transfer, int32_t steps,
                              int32_t bases, const double *basis, const double *r)
{
    *problem =
        (cfpc_problem){.steps = steps, .bases = bases, .range = steps < bases ? steps : bases};
    if (steps < 1 || bases < 1)
        return CFPC_BAD_SIZE;
    cfpc_status status = allocate(problem);
    if (status == CFPC_OK) {
        memcpy(problem->basis, basis, (size_t)steps * (size_t)bases * sizeof *basis);
        status = cfpc_apply(transfer, steps, bases, basis, problem->h);
    }
    if (status == CFPC_OK)
        status = reactive_error(problem, transfer, r);
    if (status == CFPC_OK)
        status = factor(problem);
    if (status == CFPC_OK)
        project(problem);
    else
        cfpc_problem_free(problem);
    return status;
}

double cfpc_rate(const cfpc_problem *problem, double fraction)
{
    return problem->lambda_max > 0 ? fraction / problem->lambda_max : 0;
}

cfpc_status cfpc_batch_gradient(const cfpc_problem *problem, const cfpc_system *trace,
                                const double *e, double *g)
{
    double *filtered = malloc((size_t)problem->steps * sizeof *filtered);
    if (!filtered)
        return CFPC_NO_MEMORY;
    cfpc_status status = cfpc_adjoint(trace, problem->steps, 1, e, filtered);
    if (status == CFPC_OK)
        cfpc_dense_times_vector(true, problem->steps, problem->bases, problem->basis, filtered, g);
    free(filtered);
    return status;
}

// Batch learning in the coordinates of the problem.
typedef struct reduced {
    double *z;  // traces of the bases                  (N x G)
    double *zq; // Zᵀ Q                                 (G x K)
    double *z0; // Zᵀ rest, what the rest teaches        (G)
    double *a;  // Qᵀ e of the present trial            (K)
    double *w;  // weights                              (G)
    double *g;  // Zᵀ e of the present trial, less z0   (G)
} reduced;

static void reduced_free(reduced *it)
{
    free(it->z);
    free(it->zq);
    free(it->z0);
    free(it->a);
    free(it->w);
    free(it->g);
}

static cfpc_status reduced_make(reduced *it, const cfpc_problem *p, const cfpc_system *trace)
{
    const size_t n = (size_t)p->steps, g = (size_t)p->bases, k = (size_t)p->range;
    *it = (reduced){.z = malloc(n * g * sizeof(double)),
                    .zq = malloc(g * k * sizeof(double)),
                    .z0 = malloc(g * sizeof(double)),
                    .a = malloc(k * sizeof(double)),
                    .w = calloc(g, sizeof(double)),
                    .g = malloc(g * sizeof(double))};
    if (!it->z || !it->zq || !it->z0 || !it->a || !it->w || !it->g)
        return CFPC_NO_MEMORY;
    cfpc_status status = cfpc_apply(trace, p->steps, p->bases, p->basis, it->z);
    if (status != CFPC_OK)
        return status;
    cfpc_dense_multiply(true, p->bases, p->range, p->steps, it->z, p->q, 0, it->zq);
    cfpc_dense_times_vector(true, p->steps, p->bases, it->z, p->rest, it->z0);
    return CFPC_OK;
}

// a = c - S Vᵀ w; returns the rRMSE of the trial.
static double reduced_trial(reduced *it, const cfpc_problem *p)
{
    cfpc_dense_times_vector(false, p->range, p->bases, p->vt, it->w, it->a);
    for (int32_t i = 0; i < p->range; i++)
        it->a[i] = p->c[i] - p->s[i] * it->a[i];
    const double norm = hypot(p->rest_norm, cfpc_dense_norm(p->range, it->a));
    return p->e0_norm > 0 ? norm / p->e0_norm : 0;
}

// w += η Zᵀ e                                                                             (eq. 5)
static void reduced_update(reduced *it, const cfpc_problem *p, double rate)
{
    cfpc_dense_times_vector(false, p->bases, p->range, it->zq, it->a, it->g);
    for (int32_t j = 0; j < p->bases; j++)
        it->w[j] += rate * (it->z0[j] + it->g[j]);
}

cfpc_status cfpc_batch_learn(const cfpc_problem *problem, const cfpc_system *trace, double rate,
                             int32_t trials, double *rrmse, double *weights)
{
    if (trials < 1 || !isfinite(rate))
        return trials < 1 ? CFPC_BAD_SIZE : CFPC_BAD_VALUE;
    reduced it;
    cfpc_status status = reduced_make(&it, problem, trace);
    for (int32_t k = 0; status == CFPC_OK && k < trials; k++) {
        if (k > 0)
            reduced_update(&it, problem, rate);
        rrmse[k] = reduced_trial(&it, problem);
    }
    if (status == CFPC_OK && weights)
        memcpy(weights, it.w, (size_t)problem->bases * sizeof *weights);
    reduced_free(&it);
    return status;
}
