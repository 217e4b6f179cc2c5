// SPDX-License-Identifier: Apache-2.0
// The forms of batch learning whose trial runs the path T, e = e0 - T o, and filters the error
// backward in time, f = Aᵀ e. The primal form makes one pass over X per trial and stores nothing,
//
//     w += η Xᵀ f,   o = X w.
//
// The dual form updates the output directly, with B = X Xᵀ (N x N), computed once:
//
//     o += η B f,   u += f        and on demand,  w = η Xᵀ u.
//
// B depends neither on trace nor on loop, and is symmetric: only its lower triangle is used.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "batch/batch_form.h"
#include "batch/table_pass.h"
#include "system/filter.h"
#include "system/reshape.h"

enum {
    TILE = 128 // bases added to B per product
};

typedef struct adjoint {
    cfpci_pass pass;
    double rate;
    int32_t steps;        // N
    cfpc_system path;     // T
    cfpc_system adjoint;  // the trace, transposed
    cfpci_filter forward; // runs T
    cfpci_filter back;    // runs the adjoint
    double *e0;           // reactive error                        (N)
    double *o;            // output                                (N)
    double *e;            // e0 - T o                              (N)
    double *f;            // Aᵀ e                                  (N)
    double *w;            // primal form: weights                  (bases)
    double *gram;         // dual form: B, lower triangle          (N x N)
    double *sum;          // dual form: u                          (N)
    double *change;       // dual form: B f                        (N)
} adjoint;

// All but what a form has for itself.
static cfpc_status batch_adjoint_make(void **state, const cfpc_batch_def *def)
{
    const size_t n = (size_t)def->bases.steps;
    adjoint *made = calloc(1, sizeof *made);
    *state = made;
    if (!made)
        return CFPC_NO_MEMORY;
    made->rate = def->rate;
    made->steps = def->bases.steps;
    made->e0 = calloc(4 * n, sizeof *made->e0);
    if (!made->e0)
        return CFPC_NO_MEMORY;
    made->o = made->e0 + n;
    made->e = made->o + n;
    made->f = made->e + n;
    memcpy(made->e0, def->e0, n * sizeof *made->e0);
    cfpc_status status = cfpci_pass_make(&made->pass, &def->bases, def->threads);
    if (status == CFPC_OK)
        status = cfpc_select(&made->path, def->path, 0, 0);
    if (status == CFPC_OK)
        status = cfpci_transpose(&made->adjoint, def->trace);
    if (status == CFPC_OK)
        status = cfpci_filter_make(&made->forward, &made->path, 1);
    if (status == CFPC_OK)
        status = cfpci_filter_make(&made->back, &made->adjoint, 1);
    return status;
}

static void batch_adjoint_discard(void *state)
{
    adjoint *adjoint = state;
    if (!adjoint)
        return;
    cfpci_pass_free(&adjoint->pass);
    cfpci_filter_free(&adjoint->forward);
    cfpci_filter_free(&adjoint->back);
    cfpc_system_free(&adjoint->path);
    cfpc_system_free(&adjoint->adjoint);
    free(adjoint->e0);
    free(adjoint->w);
    free(adjoint->gram);
    free(adjoint->sum);
    free(adjoint);
}

static double batch_adjoint_error(void *state)
{
    adjoint *adjoint = state;
    cfpci_filter_rest(&adjoint->forward);
    for (int32_t n = 0; n < adjoint->steps; n++) {
        double y;
        cfpci_filter_step(&adjoint->forward, adjoint->o + n, &y);
        adjoint->e[n] = adjoint->e0[n] - y;
    }
    return cfpci_dense_norm(adjoint->steps, adjoint->e);
}

static void filter_back(adjoint *adjoint)
{
    cfpci_filter_rest(&adjoint->back);
    for (int32_t n = adjoint->steps - 1; n >= 0; n--)
        cfpci_filter_step(&adjoint->back, adjoint->e + n, adjoint->f + n);
}

// ---- the primal form -------------------------------------------------------------------------

static cfpc_status batch_primal_make(void **state, const cfpc_batch_def *def)
{
    const cfpc_status status = batch_adjoint_make(state, def);
    if (status != CFPC_OK)
        return status;
    adjoint *primal = *state;
    primal->w = calloc((size_t)def->bases.count, sizeof *primal->w);
    return primal->w ? CFPC_OK : CFPC_NO_MEMORY;
}

static cfpc_status batch_primal_update(void *state)
{
    adjoint *primal = state;
    filter_back(primal);
    return cfpci_pass_over(&primal->pass, primal->f, primal->rate, primal->w, primal->o);
}

static cfpc_status batch_primal_weights(void *state, double *w)
{
    const adjoint *primal = state;
    memcpy(w, primal->w, (size_t)primal->pass.bases.count * sizeof *w);
    return CFPC_OK;
}

const cfpci_form cfpci_primal_form = {batch_primal_make, batch_primal_update, batch_adjoint_error,
                                      batch_primal_weights, batch_adjoint_discard};

// ---- the dual form ---------------------------------------------------------------------------

static cfpc_status batch_dual_make(void **state, const cfpc_batch_def *def)
{
    const cfpc_bases *bases = &def->bases;
    const size_t steps = (size_t)bases->steps;
    cfpc_status status = batch_adjoint_make(state, def);
    if (status != CFPC_OK)
        return status;
    adjoint *dual = *state;
    dual->gram = calloc(steps * steps, sizeof *dual->gram);
    dual->sum = calloc(2 * steps, sizeof *dual->sum);
    dual->change = dual->sum ? dual->sum + steps : NULL;
    double *tile = malloc(TILE * steps * sizeof *tile);
    if (!dual->gram || !dual->sum || !tile)
        status = CFPC_NO_MEMORY;
    // B = Σ (a tile of X)(the same)ᵀ
    for (int32_t j = 0; status == CFPC_OK && j < bases->count; j += TILE) {
        const int32_t some = bases->count - j < TILE ? bases->count - j : TILE;
        status = cfpci_take_bases(bases, j, some, tile);
        if (status == CFPC_OK)
            cfpci_dense_add_gram(bases->steps, some, tile, dual->gram);
    }
    free(tile);
    for (size_t n = 0; status == CFPC_OK && n < steps; n++)
        if (!isfinite(dual->gram[n * steps + n])) // a basis that is not finite shows up here
            status = CFPC_BAD_VALUE;
    return status;
}

static cfpc_status batch_dual_update(void *state)
{
    adjoint *dual = state;
    filter_back(dual);
    cfpci_dense_symmetric_times_vector(dual->steps, dual->gram, dual->f, dual->change);
    for (int32_t n = 0; n < dual->steps; n++) {
        dual->sum[n] += dual->f[n];
        dual->o[n] += dual->rate * dual->change[n];
    }
    return CFPC_OK;
}

// From zero weights, one pass computes them all; its output is not needed.
static cfpc_status batch_dual_weights(void *state, double *w)
{
    adjoint *dual = state;
    memset(w, 0, (size_t)dual->pass.bases.count * sizeof *w);
    return cfpci_pass_over(&dual->pass, dual->sum, dual->rate, w, dual->change);
}

const cfpci_form cfpci_dual_form = {batch_dual_make, batch_dual_update, batch_adjoint_error,
                                    batch_dual_weights, batch_adjoint_discard};
