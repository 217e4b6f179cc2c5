// SPDX-License-Identifier: Apache-2.0
#include "cfpc/batch.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "algebra/growing_qr.h"
#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"

// One allocation for all: many would cost more than a small problem does.
static cfpc_status problem_allocate(cfpc_problem *p)
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

static double column_norm(int32_t rows, int32_t bases, const double *v, int32_t j)
{
    double norm = 0;
    for (int32_t i = 0; i < rows; i++)
        norm = cfpci_hypot(norm, v[(size_t)i * (size_t)bases + (size_t)j]);
    return norm;
}

// A basis is idle if the norm of its column is at most cut/√G: k such columns make at least k
// singular values that do not exceed the cut.
static bool problem_is_idle(const cfpc_problem *p, int32_t j)
{
    return column_norm(p->range, p->bases, p->r, j) <= p->s[0] * p->rank_cut / sqrt(p->bases);
}

// R = U S Vᵀ gives rank and optimum: w* = V S⁺ Uᵀ c.
static cfpc_status find_optimum(cfpc_problem *p)
{
    const size_t g = (size_t)p->bases, range = (size_t)p->range;
    double *copy = malloc((2 * range * g + range * range) * sizeof *copy);
    if (!copy)
        return CFPC_NO_MEMORY;
    double *vt = copy + range * g, *u = vt + range * g;
    memcpy(copy, p->r, range * g * sizeof *copy);
    const cfpc_status status = cfpci_dense_svd(p->range, p->bases, copy, u, p->s, vt);
    if (status != CFPC_OK) {
        free(copy);
        return status;
    }
    p->rank_cut = DBL_EPSILON * cfpci_max(p->steps, p->bases);
    const double least = p->s[0] * p->rank_cut;
    double left = p->rest;
    for (size_t i = 0; i < range; i++) {
        double along = 0; // component of e0 along this singular direction
        for (size_t k = 0; k < range; k++)
            along += u[k * range + i] * p->c[k];
        if (!(p->s[i] > least)) {
            left = cfpci_hypot(left, along);
            continue;
        }
        p->rank++;
        for (size_t j = 0; j < g; j++)
            p->optimum[j] += vt[i * g + j] * along / p->s[i];
    }
    free(copy);
    p->lambda_max = p->s[0] * p->s[0];
    p->rrmse_optimum = p->e0_norm > 0 ? left / p->e0_norm : 0;
    // Exactly redundant bases leave a gap at the cut. Without a gap, up to a thousand times the
    // cut, the next singular value may exist and be lost in rounding.
    int32_t most = p->range;
    for (int32_t j = 0; p->rank < most && j < p->bases; j++)
        most -= problem_is_idle(p, j);
    p->optimum_known =
        p->rank >= most || p->rank == 0 || p->s[p->rank - 1] > 1e3 * p->rank_cut * p->s[0];
    return CFPC_OK;
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
        status = problem_allocate(problem);
    if (status == CFPC_OK) {
        memcpy(problem->basis, basis, (size_t)steps * (size_t)bases * sizeof *basis);
        memcpy(problem->e0, e0, (size_t)steps * sizeof *e0);
        problem->e0_norm = cfpci_dense_norm(steps, e0);
        status = cfpc_apply(path, steps, bases, basis, problem->h);
    }
    if (status == CFPC_OK && !(cfpci_are_finite((size_t)steps * (size_t)bases, problem->h) &&
                               isfinite(problem->e0_norm)))
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

// ---- bases that could be omitted -------------------------------------------------------------

cfpc_status cfpc_problem_idle(const cfpc_problem *problem, bool *idle)
{
    if (!problem || !problem->basis || !idle)
        return CFPC_MISSING;
    for (int32_t j = 0; j < problem->bases; j++)
        idle[j] = problem_is_idle(problem, j);
    return CFPC_OK;
}

// Subtracts the part along column j, of this norm, from every other column.
static void take_off(int32_t rank, int32_t bases, double *v, int32_t j, double norm)
{
    const size_t g = (size_t)bases, r = (size_t)rank, at = (size_t)j;
    for (size_t k = 0; k < g; k++) {
        double along = 0;
        for (size_t i = 0; k != at && i < r; i++)
            along += v[i * g + at] / norm * v[i * g + k];
        for (size_t i = 0; along != 0 && i < r; i++)
            v[i * g + k] -= along * v[i * g + at] / norm;
    }
}

// Needed are as many bases as the rank, whose columns of Vᵀ, cut at the rank, are far from
// dependent (Golub, Klema and Stewart 1976).
static cfpc_status leave_redundant(const cfpc_problem *problem, bool *left)
{
    const size_t g = (size_t)problem->bases, k = (size_t)problem->range;
    double *copy = malloc((2 * k * g + k * k + k + g) * sizeof *copy);
    if (!copy)
        return CFPC_NO_MEMORY;
    double *vt = copy + k * g, *u = vt + k * g, *s = u + k * k, *norm = s + k;
    memcpy(copy, problem->r, k * g * sizeof *copy);
    cfpc_status status = cfpci_dense_svd(problem->range, problem->bases, copy, u, s, vt);
    for (int32_t i = 0; status == CFPC_OK && i < problem->rank; i++) {
        // Of the columns that are left, the first that is not much shorter than any other.
        double largest = 0;
        int32_t j = 0;
        for (int32_t b = 0; b < problem->bases; b++) {
            norm[b] = left[b] ? column_norm(problem->rank, problem->bases, vt, b) : -1;
            largest = cfpci_max(largest, norm[b]);
        }
        while (norm[j] < 0.7 * largest)
            j++;
        take_off(problem->rank, problem->bases, vt, j, norm[j]);
        left[j] = false;
    }
    free(copy);
    return status;
}

cfpc_status cfpc_problem_redundant(const cfpc_problem *problem, bool *redundant)
{
    cfpc_status status = cfpc_problem_idle(problem, redundant);
    if (status != CFPC_OK)
        return status;
    int32_t count = -problem->rank;
    for (int32_t j = 0; j < problem->bases; j++) {
        redundant[j] = !redundant[j];
        count += redundant[j];
    }
    if (count > 0)
        return leave_redundant(problem, redundant);
    memset(redundant, 0, (size_t)problem->bases * sizeof *redundant);
    return CFPC_OK;
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

double cfpc_problem_rate(const cfpc_problem *problem, double rate_fraction)
{
    return problem && problem->lambda_max > 0 ? rate_fraction / problem->lambda_max : 0;
}

cfpc_status cfpc_batch_gradient(const cfpc_problem *problem, const cfpc_system *trace,
                                const double *e, double *g)
{
    if (!problem || !problem->basis)
        return CFPC_MISSING;
    double *filtered = malloc((size_t)problem->steps * sizeof *filtered);
    if (!filtered)
        return CFPC_NO_MEMORY;
    cfpc_status status = cfpc_apply_transpose(trace, problem->steps, 1, e, filtered);
    if (status == CFPC_OK)
        cfpci_dense_times_vector(true, problem->steps, problem->bases, problem->basis, filtered, g);
    free(filtered);
    return status;
}
