// SPDX-License-Identifier: Apache-2.0
// The factored form of batch learning: in the coordinates a = Qᵀe = c - R w of [H e0] = Q [R c] a
// trial costs G² instead of N·G, without cancellation: ‖e‖² = rest² + ‖a‖². The traces Z of the
// bases enter only as Zᵀe = z0 - M w.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "algebra/growing_qr.h"
#include "batch/batch_form.h"
#include "batch/table_pass.h"
#include "cfpc/batch.h"
#include "cfpc/response.h"
#include "math/elementary.h"
#include "system/given.h"

typedef struct factored {
    int32_t bases;   // G
    int32_t range;   // K = min(N, G)
    double rate;     // η
    double rest;     // norm of the error that no weights can reduce
    bool is_h;       // Z = H: then Zᵀe = Rᵀa, and neither M nor z0 is needed
    const double *r; // R; a problem's, or in `own`                       (K x G)
    const double *c; // Qᵀ e0; likewise                                   (K)
    double *own;     // R and c of a learner without a problem
    double *m;       // M = Zᵀ H                                          (G x G)
    double *z0;      // Zᵀ e0                                             (G)
    double *a;       // Qᵀ e of the present trial                         (K)
    double *w;       // weights                                           (G)
    double *g;       // Zᵀ e of the present trial                         (G)
} factored;

// The bases and their effect through the loop, until R and M are computed.
typedef struct tables {
    int32_t steps;
    int32_t bases;
    const double *x;  // X         (N x G)
    const double *h;  // H = T X   (N x G)
    const double *e0; //           (N)
} tables;

// ---- the traces ------------------------------------------------------------------------------

// M = Zᵀ H and z0 = Zᵀ e0, where row n of z belongs to step n + delay.
static void correlate(factored *it, const tables *t, const double *z, int32_t delay)
{
    const int32_t met = delay < t->steps ? t->steps - delay : 0, from = t->steps - met;
    cfpci_dense_multiply(true, t->bases, t->bases, met, z, t->h + (size_t)from * (size_t)t->bases,
                         0, it->m);
    cfpci_dense_times_vector(true, met, t->bases, z, t->e0 + from, it->z0);
}

// A delayed X is X itself, multiplied by what comes `delay` steps later; any other trace is
// computed.
static cfpc_status take_traces(factored *it, const tables *t, const cfpc_system *trace)
{
    const int32_t delay = cfpci_pure_delay(trace);
    if (delay >= 0) {
        correlate(it, t, t->x, delay);
        return CFPC_OK;
    }
    double *z = malloc((size_t)t->steps * (size_t)t->bases * sizeof *z);
    if (!z)
        return CFPC_NO_MEMORY;
    const cfpc_status status = cfpc_apply(trace, t->steps, t->bases, t->x, z);
    if (status == CFPC_OK)
        correlate(it, t, z, 0);
    free(z);
    return status;
}

// ---- making it -------------------------------------------------------------------------------

static void empty(factored *it)
{
    free(it->own);
    free(it->m);
    free(it->z0);
    free(it->a);
    free(it->w);
    free(it->g);
}

// Everything except R, c and rest.
static cfpc_status set_up(factored *it, const tables *t, const cfpc_system *path,
                          const cfpc_system *trace, double rate)
{
    const size_t g = (size_t)t->bases;
    it->bases = t->bases;
    it->range = t->steps < t->bases ? t->steps : t->bases;
    it->rate = rate;
    it->is_h = cfpci_same_system(trace, path);
    it->m = it->is_h ? NULL : calloc(g * g, sizeof(double));
    it->z0 = calloc(g, sizeof(double));
    it->a = malloc((size_t)it->range * sizeof(double));
    it->w = calloc(g, sizeof(double));
    it->g = malloc(g * sizeof(double));
    if ((!it->is_h && !it->m) || !it->z0 || !it->a || !it->w || !it->g)
        return CFPC_NO_MEMORY;
    return it->is_h ? CFPC_OK : take_traces(it, t, trace);
}

static cfpc_status factor_own(factored *it, const tables *t)
{
    const size_t entries = (size_t)it->range * ((size_t)it->bases + 1);
    it->own = malloc(entries * sizeof *it->own);
    if (!it->own)
        return CFPC_NO_MEMORY;
    double *c = it->own + (size_t)it->range * (size_t)it->bases;
    it->r = it->own;
    it->c = c;
    const cfpc_status status = cfpci_factor(t->steps, t->bases, t->h, t->e0, it->own, c, &it->rest);
    return status == CFPC_OK && !cfpci_are_finite(entries, it->own) ? CFPC_BAD_VALUE : status;
}

// X by steps, as doubles: the table itself, or a copy in *copy.
static cfpc_status by_steps(const cfpc_bases *bases, double **copy, const double **x)
{
    enum { TILE = 64 };
    const size_t n = (size_t)bases->steps, g = (size_t)bases->count;
    *x = bases->doubles;
    if (bases->doubles && bases->order == CFPC_BY_STEPS)
        return CFPC_OK;
    double *tile = malloc(TILE * n * sizeof *tile);
    *copy = malloc(n * g * sizeof **copy);
    *x = *copy;
    cfpc_status status = tile && *copy ? CFPC_OK : CFPC_NO_MEMORY;
    for (size_t first = 0; status == CFPC_OK && first < g; first += TILE) {
        const size_t some = g - first < TILE ? g - first : TILE;
        status = cfpci_take_bases(bases, (int32_t)first, (int32_t)some, tile);
        for (size_t i = 0; status == CFPC_OK && i < n; i++)
            for (size_t j = 0; j < some; j++)
                (*copy)[i * g + first + j] = tile[j * n + i];
    }
    free(tile);
    return status;
}

static cfpc_status make(void **state, const cfpc_batch_def *def)
{
    const int32_t steps = def->bases.steps, bases = def->bases.count;
    factored *it = calloc(1, sizeof *it);
    double *copy = NULL, *h = malloc((size_t)steps * (size_t)bases * sizeof *h);
    tables t = {.steps = steps, .bases = bases, .h = h, .e0 = def->e0};
    *state = it;
    cfpc_status status = it && h ? by_steps(&def->bases, &copy, &t.x) : CFPC_NO_MEMORY;
    if (status == CFPC_OK && !cfpci_are_finite((size_t)steps * (size_t)bases, t.x))
        status = CFPC_BAD_VALUE;
    if (status == CFPC_OK)
        status = cfpc_apply(def->path, steps, bases, t.x, h);
    if (status == CFPC_OK)
        status = set_up(it, &t, def->path, def->trace, def->rate);
    if (status == CFPC_OK)
        status = factor_own(it, &t);
    free(copy);
    free(h);
    return status;
}

static void discard(void *state)
{
    if (state)
        empty(state);
    free(state);
}

// ---- trials ----------------------------------------------------------------------------------

// a = c - R w; returns ‖e‖.
static double error(void *state)
{
    factored *it = state;
    cfpci_dense_times_vector(false, it->range, it->bases, it->r, it->w, it->a);
    for (int32_t i = 0; i < it->range; i++)
        it->a[i] = it->c[i] - it->a[i];
    return cfpci_hypot(it->rest, cfpci_dense_norm(it->range, it->a));
}

// w += η Zᵀ e                                                                             (eq. 5)
static cfpc_status update(void *state)
{
    factored *it = state;
    if (it->is_h)
        cfpci_dense_times_vector(true, it->range, it->bases, it->r, it->a, it->g);
    else {
        cfpci_dense_times_vector(false, it->bases, it->bases, it->m, it->w, it->g);
        for (int32_t j = 0; j < it->bases; j++)
            it->g[j] = it->z0[j] - it->g[j];
    }
    for (int32_t j = 0; j < it->bases; j++)
        it->w[j] += it->rate * it->g[j];
    return CFPC_OK;
}

static cfpc_status weights(void *state, double *w)
{
    const factored *it = state;
    memcpy(w, it->w, (size_t)it->bases * sizeof *w);
    return CFPC_OK;
}

const cfpci_form cfpci_factored_form = {make, update, error, weights, discard};

// ---- a problem that is factored already ------------------------------------------------------

cfpc_status cfpc_batch_learn(const cfpc_problem *problem, const cfpc_system *trace, double rate,
                             int32_t trials, double *rrmse, double *weights_out)
{
    if (!problem || !problem->basis || !cfpci_given(trace))
        return CFPC_MISSING;
    if (trials < 1 || !isfinite(rate))
        return trials < 1 ? CFPC_BAD_SIZE : CFPC_BAD_VALUE;
    if (trace->inputs != 1 || trace->outputs != 1 || trace->step_s == 0)
        return CFPC_BAD_SHAPE;
    const tables t = {.steps = problem->steps,
                      .bases = problem->bases,
                      .x = problem->basis,
                      .h = problem->h,
                      .e0 = problem->e0};
    factored it = {.r = problem->r, .c = problem->c, .rest = problem->rest};
    cfpc_status status = set_up(&it, &t, &problem->transfer, trace, rate);
    for (int32_t k = 0; status == CFPC_OK && k < trials; k++) {
        if (k > 0)
            status = update(&it);
        rrmse[k] = problem->e0_norm > 0 ? error(&it) / problem->e0_norm : 0;
    }
    if (status == CFPC_OK && weights_out)
        status = weights(&it, weights_out);
    empty(&it);
    return status;
}
