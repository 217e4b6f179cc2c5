// SPDX-License-Identifier: Apache-2.0
#include "cfpc/problem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/transfer.h"
#include "dense.h"
#include "factor.h"

// One allocation for all: many would cost more than a small problem does.
static cfpc_status allocate(cfpc_problem *p)
{
    const size_t n = (size_t)p->steps, g = (size_t)p->bases, k = (size_t)p->range;
    double *block = malloc((2 * n * g + n + k * g + 2 * k + g) * sizeof *block);
    if (!block)
        return CFPC_NO_MEMORY;
    p->basis = block;
    p->h = p->basis + n * g;
    p->e0 = p->h + n * g;
    p->r = p->e0 + n;
    p->c = p->r + k * g;
    p->s = p->c + k;
    p->optimum = p->s + k;
    memset(p->optimum, 0, g * sizeof *p->optimum);
    return CFPC_OK;
}

void cfpc_problem_free(cfpc_problem *p)
{
    if (!p)
        return;
    cfpc_system_free(&p->transfer);
    free(p->basis);
    *p = (cfpc_problem){0};
}

// R = U S Vᵀ gives rank and optimum: w* = V S⁺ Uᵀ c.
static void solve(cfpc_problem *p, const double *u, const double *vt)
{
    const double least = p->s[0] * DBL_EPSILON * fmax(p->steps, p->bases);
    double left = p->rest;
    for (int32_t i = 0; i < p->range; i++) {
        double along = 0; // component of e0 along this singular direction
        for (int32_t k = 0; k < p->range; k++)
            along += u[(size_t)k * (size_t)p->range + (size_t)i] * p->c[k];
        if (!(p->s[i] > least)) {
            left = hypot(left, along);
            continue;
        }
        p->rank++;
        for (int32_t j = 0; j < p->bases; j++)
            p->optimum[j] += vt[(size_t)i * (size_t)p->bases + (size_t)j] * along / p->s[i];
    }
    p->lambda_max = p->s[0] * p->s[0];
    p->rrmse_optimum = p->e0_norm > 0 ? left / p->e0_norm : 0;
}

static cfpc_status find_optimum(cfpc_problem *p)
{
    const size_t g = (size_t)p->bases, k = (size_t)p->range;
    double *numbers = malloc((2 * k * g + k * k) * sizeof *numbers);
    if (!numbers)
        return CFPC_NO_MEMORY;
    double *copy = numbers, *vt = copy + k * g, *u = vt + k * g;
    memcpy(copy, p->r, k * g * sizeof *copy);
    cfpc_status status = cfpci_dense_svd(p->range, p->bases, copy, u, p->s, vt);
    if (status == CFPC_OK)
        solve(p, u, vt);
    free(numbers);
    return status;
}

cfpc_status cfpc_problem_pose(cfpc_problem *problem, const cfpc_system *path, int32_t steps,
                              int32_t bases, const double *basis, const double *e0)
{
    *problem =
        (cfpc_problem){.steps = steps, .bases = bases, .range = steps < bases ? steps : bases};
    if (steps < 1 || bases < 1)
        return CFPC_BAD_SIZE;
    cfpc_status status = cfpc_select(&problem->transfer, path, 0, 0);
    if (status == CFPC_OK)
        status = allocate(problem);
    if (status == CFPC_OK) {
        memcpy(problem->basis, basis, (size_t)steps * (size_t)bases * sizeof *basis);
        memcpy(problem->e0, e0, (size_t)steps * sizeof *e0);
        problem->e0_norm = cfpci_dense_norm(steps, e0);
        status = cfpc_apply(path, steps, bases, basis, problem->h);
    }
    for (size_t k = 0; status == CFPC_OK && k < (size_t)steps * (size_t)bases; k++)
        if (!isfinite(problem->h[k]))
            status = CFPC_BAD_VALUE;
    if (status == CFPC_OK && !isfinite(problem->e0_norm))
        status = CFPC_BAD_VALUE;
    if (status == CFPC_OK)
        status = cfpci_factor(steps, bases, problem->h, problem->e0, problem->r, problem->c,
                              &problem->rest);
    if (status == CFPC_OK)
        status = find_optimum(problem);
    if (status != CFPC_OK)
        cfpc_problem_free(problem);
    return status;
}

// e0 = (I - T) r
cfpc_status cfpc_problem_make(cfpc_problem *problem, const cfpc_system *transfer, int32_t steps,
                              int32_t bases, const double *basis, const double *r)
{
    *problem = (cfpc_problem){0};
    if (steps < 1 || bases < 1)
        return CFPC_BAD_SIZE;
    double *e0 = malloc((size_t)steps * sizeof *e0);
    if (!e0)
        return CFPC_NO_MEMORY;
    cfpc_status status = cfpc_apply(transfer, steps, 1, r, e0);
    for (int32_t n = 0; status == CFPC_OK && n < steps; n++)
        e0[n] = r[n] - e0[n];
    if (status == CFPC_OK)
        status = cfpc_problem_pose(problem, transfer, steps, bases, basis, e0);
    free(e0);
    return status;
}

double cfpc_rate(const cfpc_problem *problem, double fraction)
{
    return problem && problem->lambda_max > 0 ? fraction / problem->lambda_max : 0;
}

cfpc_status cfpc_batch_gradient(const cfpc_problem *problem, const cfpc_system *trace,
                                const double *e, double *g)
{
    if (!problem || !problem->basis)
        return CFPC_MISSING;
    double *filtered = malloc((size_t)problem->steps * sizeof *filtered);
    if (!filtered)
        return CFPC_NO_MEMORY;
    cfpc_status status = cfpc_adjoint(trace, problem->steps, 1, e, filtered);
    if (status == CFPC_OK)
        cfpci_dense_times_vector(true, problem->steps, problem->bases, problem->basis, filtered, g);
    free(filtered);
    return status;
}
