// SPDX-License-Identifier: Apache-2.0
#include "cfpc/problem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/transfer.h"
#include "dense.h"

// One block for all: asking for and giving back many would cost more than a small problem does.
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
    cfpc_system_free(&p->transfer);
    free(p->basis);
    *p = (cfpc_problem){0};
}

// [H e0] by columns.
static void by_columns(const cfpc_problem *p, double *to)
{
    const size_t n = (size_t)p->steps, g = (size_t)p->bases;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < g; j++)
            to[j * n + i] = p->h[i * g + j];
    memcpy(to + g * n, p->e0, n * sizeof *to);
}

// [H e0] = Q [R c; 0 rest]
static cfpc_status factor(cfpc_problem *p)
{
    const size_t n = (size_t)p->steps, g = (size_t)p->bases, k = (size_t)p->range;
    const size_t rows = n < g + 1 ? n : g + 1;
    double *columns = malloc(n * (g + 1) * sizeof *columns);
    double *whole = malloc(rows * (g + 1) * sizeof *whole);
    cfpc_status status = columns && whole ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        by_columns(p, columns);
        status = cfpc_dense_qr(p->steps, p->bases + 1, columns, whole);
    }
    for (size_t i = 0; status == CFPC_OK && i < k; i++) {
        memcpy(p->r + i * g, whole + i * (g + 1), g * sizeof *whole);
        p->c[i] = whole[i * (g + 1) + g];
    }
    p->rest = status == CFPC_OK && rows > k ? fabs(whole[k * (g + 1) + g]) : 0;
    free(columns);
    free(whole);
    return status;
}

// R = U S Vᵀ gives rank and optimum: w* = V S⁺ Uᵀ c.
static void solve(cfpc_problem *p, const double *u, const double *vt)
{
    const double least = p->s[0] * DBL_EPSILON * fmax(p->steps, p->bases);
    double left = p->rest;
    for (int32_t i = 0; i < p->range; i++) {
        double along = 0; // what e0 has along this singular direction
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
    cfpc_status status = cfpc_dense_svd(p->range, p->bases, copy, u, p->s, vt);
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
        problem->e0_norm = cfpc_dense_norm(steps, e0);
        status = cfpc_apply(path, steps, bases, basis, problem->h);
    }
    for (size_t k = 0; status == CFPC_OK && k < (size_t)steps * (size_t)bases; k++)
        if (!isfinite(problem->h[k]))
            status = CFPC_BAD_VALUE;
    if (status == CFPC_OK && !isfinite(problem->e0_norm))
        status = CFPC_BAD_VALUE;
    if (status == CFPC_OK)
        status = factor(problem);
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
    for (int32_t n = 0; n < steps; n++)
        e0[n] = r[n] - e0[n];
    if (status == CFPC_OK)
        status = cfpc_problem_pose(problem, transfer, steps, bases, basis, e0);
    free(e0);
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

// ---- batch learning in the coordinates of the problem ----------------------------------------

// The traces Z of the bases enter learning as Zᵀe = z0 - M w only.
typedef struct traces {
    bool is_h;  // Z = H: then Zᵀe = Rᵀa, and neither M nor z0 is needed
    double *m;  // M = Zᵀ H                             (G x G)
    double *z0; // Zᵀ e0                                (G)
    double *z;  // Z, where it is not X moved in time   (N x G)
    double *a;  // Qᵀ e of the present trial            (K)
    double *w;  // weights                              (G)
    double *g;  // Zᵀ e of the present trial            (G)
} traces;

static bool same_system(const cfpc_system *a, const cfpc_system *b)
{
    const size_t entries = (size_t)cfpc_system_rows(a) * (size_t)cfpc_system_columns(a);
    return a->states == b->states && a->inputs == b->inputs && a->outputs == b->outputs &&
           a->lines == b->lines && memcmp(a->matrix, b->matrix, entries * sizeof(double)) == 0 &&
           memcmp(a->delay_steps, b->delay_steps, (size_t)a->lines * sizeof(int32_t)) == 0;
}

// The delay of a system that does nothing else, -1 of any other.
static int32_t pure_delay(const cfpc_system *sys)
{
    const double *d = sys->matrix;
    if (sys->states > 0 || sys->lines > 1)
        return -1;
    if (sys->lines == 0)
        return d[0] == 1 ? 0 : -1;
    return d[0] == 0 && d[1] == 1 && d[2] == 1 && d[3] == 0 ? sys->delay_steps[0] : -1;
}

static void traces_free(traces *it)
{
    free(it->m);
    free(it->z0);
    free(it->z);
    free(it->a);
    free(it->w);
    free(it->g);
}

// M = Zᵀ H and z0 = Zᵀ e0. A delayed X is X itself, met by what comes `delay` steps later.
static cfpc_status correlate(traces *it, const cfpc_problem *p, const cfpc_system *trace)
{
    const size_t n = (size_t)p->steps, g = (size_t)p->bases;
    int32_t delay = pure_delay(trace);
    const double *z = p->basis;
    if (delay < 0) {
        it->z = malloc(n * g * sizeof *it->z);
        if (!it->z)
            return CFPC_NO_MEMORY;
        cfpc_status status = cfpc_apply(trace, p->steps, p->bases, p->basis, it->z);
        if (status != CFPC_OK)
            return status;
        z = it->z;
        delay = 0;
    }
    const int32_t met = delay < p->steps ? p->steps - delay : 0;
    cfpc_dense_multiply(true, p->bases, p->bases, met, z, p->h + (size_t)(p->steps - met) * g, 0,
                        it->m);
    cfpc_dense_times_vector(true, met, p->bases, z, p->e0 + (p->steps - met), it->z0);
    return CFPC_OK;
}

static cfpc_status traces_make(traces *it, const cfpc_problem *p, const cfpc_system *trace)
{
    const size_t g = (size_t)p->bases, k = (size_t)p->range;
    *it = (traces){.is_h = same_system(trace, &p->transfer),
                   .m = calloc(g * g, sizeof(double)),
                   .z0 = calloc(g, sizeof(double)),
                   .a = malloc(k * sizeof(double)),
                   .w = calloc(g, sizeof(double)),
                   .g = malloc(g * sizeof(double))};
    if (!it->m || !it->z0 || !it->a || !it->w || !it->g)
        return CFPC_NO_MEMORY;
    return it->is_h ? CFPC_OK : correlate(it, p, trace);
}

// a = c - R w; returns the rRMSE of the trial.
static double trial(traces *it, const cfpc_problem *p)
{
    cfpc_dense_times_vector(false, p->range, p->bases, p->r, it->w, it->a);
    for (int32_t i = 0; i < p->range; i++)
        it->a[i] = p->c[i] - it->a[i];
    const double norm = hypot(p->rest, cfpc_dense_norm(p->range, it->a));
    return p->e0_norm > 0 ? norm / p->e0_norm : 0;
}

// w += η Zᵀ e                                                                             (eq. 5)
static void update(traces *it, const cfpc_problem *p, double rate)
{
    if (it->is_h)
        cfpc_dense_times_vector(true, p->range, p->bases, p->r, it->a, it->g);
    else {
        cfpc_dense_times_vector(false, p->bases, p->bases, it->m, it->w, it->g);
        for (int32_t j = 0; j < p->bases; j++)
            it->g[j] = it->z0[j] - it->g[j];
    }
    for (int32_t j = 0; j < p->bases; j++)
        it->w[j] += rate * it->g[j];
}

cfpc_status cfpc_batch_learn(const cfpc_problem *problem, const cfpc_system *trace, double rate,
                             int32_t trials, double *rrmse, double *weights)
{
    if (trials < 1 || !isfinite(rate))
        return trials < 1 ? CFPC_BAD_SIZE : CFPC_BAD_VALUE;
    if (trace->inputs != 1 || trace->outputs != 1 || trace->step_s == 0)
        return CFPC_BAD_SHAPE;
    traces it;
    cfpc_status status = traces_make(&it, problem, trace);
    for (int32_t k = 0; status == CFPC_OK && k < trials; k++) {
        if (k > 0)
            update(&it, problem, rate);
        rrmse[k] = trial(&it, problem);
    }
    if (status == CFPC_OK && weights)
        memcpy(weights, it.w, (size_t)problem->bases * sizeof *weights);
    traces_free(&it);
    return status;
}
