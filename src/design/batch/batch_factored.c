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
static void batch_factored_correlate(factored *factored, const tables *t, const double *z,
                                     int32_t delay)
{
    const int32_t met = delay < t->steps ? t->steps - delay : 0, from = t->steps - met;
    cfpci_dense_multiply(true, t->bases, t->bases, met, z, t->h + (size_t)from * (size_t)t->bases,
                         0, factored->m);
    cfpci_dense_times_vector(true, met, t->bases, z, t->e0 + from, factored->z0);
}

// ---- making it -------------------------------------------------------------------------------

static void empty(factored *factored)
{
    free(factored->own);
    free(factored->m);
    free(factored->z0);
    free(factored->a);
    free(factored->w);
    free(factored->g);
}

// Everything except R, c and rest.
static cfpc_status batch_factored_set_up(factored *factored, const tables *t,
                                         const cfpc_system *path, const cfpc_system *trace,
                                         double rate)
{
    const size_t g = (size_t)t->bases;
    factored->bases = t->bases;
    factored->range = t->steps < t->bases ? t->steps : t->bases;
    factored->rate = rate;
    factored->is_h = cfpci_same_system(trace, path);
    factored->m = factored->is_h ? NULL : calloc(g * g, sizeof(double));
    factored->z0 = calloc(g, sizeof(double));
    factored->a = malloc((size_t)factored->range * sizeof(double));
    factored->w = calloc(g, sizeof(double));
    factored->g = malloc(g * sizeof(double));
    if ((!factored->is_h && !factored->m) || !factored->z0 || !factored->a || !factored->w ||
        !factored->g)
        return CFPC_NO_MEMORY;
    if (factored->is_h)
        return CFPC_OK;
    // A delayed X is X itself, multiplied by what comes `delay` steps later; any other trace is
    // computed.
    const int32_t delay = cfpci_pure_delay(trace);
    if (delay >= 0) {
        batch_factored_correlate(factored, t, t->x, delay);
        return CFPC_OK;
    }
    double *z = malloc((size_t)t->steps * g * sizeof *z);
    if (!z)
        return CFPC_NO_MEMORY;
    const cfpc_status status = cfpc_apply(trace, t->steps, t->bases, t->x, z);
    if (status == CFPC_OK)
        batch_factored_correlate(factored, t, z, 0);
    free(z);
    return status;
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
        if (status == CFPC_OK)
            cfpci_rows_transpose((int32_t)some, bases->steps, tile, n, *copy + first, g);
    }
    free(tile);
    return status;
}

static cfpc_status batch_factored_make(void **state, const cfpc_batch_def *def)
{
    const int32_t steps = def->bases.steps, bases = def->bases.count;
    const size_t entries = (size_t)steps * (size_t)bases;
    factored *factored = calloc(1, sizeof *factored);
    double *copy = NULL, *h = malloc(entries * sizeof *h);
    tables t = {.steps = steps, .bases = bases, .h = h, .e0 = def->e0};
    *state = factored;
    cfpc_status status = factored && h ? by_steps(&def->bases, &copy, &t.x) : CFPC_NO_MEMORY;
    if (status == CFPC_OK && !cfpci_are_finite(entries, t.x))
        status = CFPC_BAD_VALUE;
    if (status == CFPC_OK)
        status = cfpc_apply(def->path, steps, bases, t.x, h);
    if (status == CFPC_OK)
        status = batch_factored_set_up(factored, &t, def->path, def->trace, def->rate);
    if (status == CFPC_OK) { // R and c of its own
        const size_t range = (size_t)factored->range, own = range * ((size_t)bases + 1);
        double *r = factored->own = malloc(own * sizeof *r), *c = r ? r + (own - range) : NULL;
        factored->r = r;
        factored->c = c;
        status = r ? cfpci_factor(steps, bases, h, t.e0, r, c, &factored->rest) : CFPC_NO_MEMORY;
        if (status == CFPC_OK && !cfpci_are_finite(own, r))
            status = CFPC_BAD_VALUE;
    }
    free(copy);
    free(h);
    return status;
}

static void batch_factored_discard(void *state)
{
    if (state)
        empty(state);
    free(state);
}

// ---- trials ----------------------------------------------------------------------------------

// a = c - R w; returns ‖e‖.
static double batch_factored_error(void *state)
{
    factored *factored = state;
    cfpci_dense_times_vector(false, factored->range, factored->bases, factored->r, factored->w,
                             factored->a);
    for (int32_t i = 0; i < factored->range; i++)
        factored->a[i] = factored->c[i] - factored->a[i];
    return cfpci_hypot(factored->rest, cfpci_dense_norm(factored->range, factored->a));
}

// w += η Zᵀ e                                                                             (eq. 5)
static cfpc_status batch_factored_update(void *state)
{
    factored *factored = state;
    if (factored->is_h)
        cfpci_dense_times_vector(true, factored->range, factored->bases, factored->r, factored->a,
                                 factored->g);
    else {
        cfpci_dense_times_vector(false, factored->bases, factored->bases, factored->m, factored->w,
                                 factored->g);
        for (int32_t j = 0; j < factored->bases; j++)
            factored->g[j] = factored->z0[j] - factored->g[j];
    }
    for (int32_t j = 0; j < factored->bases; j++)
        factored->w[j] += factored->rate * factored->g[j];
    return CFPC_OK;
}

static cfpc_status batch_factored_weights(void *state, double *w)
{
    const factored *factored = state;
    memcpy(w, factored->w, (size_t)factored->bases * sizeof *w);
    return CFPC_OK;
}

const cfpci_form cfpci_factored_form = {batch_factored_make, batch_factored_update,
                                        batch_factored_error, batch_factored_weights,
                                        batch_factored_discard};

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
    factored factored = {.r = problem->r, .c = problem->c, .rest = problem->rest};
    cfpc_status status = batch_factored_set_up(&factored, &t, &problem->transfer, trace, rate);
    for (int32_t k = 0; status == CFPC_OK && k < trials; k++) {
        if (k > 0)
            status = batch_factored_update(&factored);
        rrmse[k] = problem->e0_norm > 0 ? batch_factored_error(&factored) / problem->e0_norm : 0;
    }
    if (status == CFPC_OK && weights_out)
        status = batch_factored_weights(&factored, weights_out);
    empty(&factored);
    return status;
}
