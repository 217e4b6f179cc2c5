// SPDX-License-Identifier: Apache-2.0
// The dual form of batch learning: with B = X Xᵀ (N x N), computed once, the output is updated
// directly,
//
//     f = Aᵀe,   o += η B f,   u += f        and on demand,  w = η Xᵀ u.
//
// B depends neither on trace nor on loop, and is symmetric: only its lower triangle is used.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "batch/adjoint_trial.h"
#include "batch/batch_form.h"
#include "batch/table_pass.h"

enum {
    TILE = 128 // bases added to B per product
};

typedef struct dual {
    cfpci_pass pass;
    cfpci_adjoint_trial trial;
    double rate;
    double *gram;   // B, lower triangle                   (N x N)
    double *sum;    // u, sum of the filtered errors       (N)
    double *change; // B f                                 (N)
} dual;

// B = Σ (a tile of X)(the same)ᵀ
static cfpc_status batch_dual_fill(dual *dual, const cfpc_bases *bases)
{
    const size_t steps = (size_t)bases->steps;
    double *tile = malloc(TILE * steps * sizeof *tile);
    cfpc_status status = tile ? CFPC_OK : CFPC_NO_MEMORY;
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

static cfpc_status batch_dual_make(void **state, const cfpc_batch_def *def)
{
    const size_t steps = (size_t)def->bases.steps;
    dual *dual = calloc(1, sizeof *dual);
    *state = dual;
    if (!dual)
        return CFPC_NO_MEMORY;
    dual->rate = def->rate;
    dual->gram = calloc(steps * steps, sizeof *dual->gram);
    dual->sum = calloc(2 * steps, sizeof *dual->sum);
    if (!dual->gram || !dual->sum)
        return CFPC_NO_MEMORY;
    dual->change = dual->sum + steps;
    cfpc_status status =
        cfpci_adjoint_trial_make(&dual->trial, def->bases.steps, def->path, def->trace, def->e0);
    if (status == CFPC_OK)
        status = cfpci_pass_make(&dual->pass, &def->bases, def->threads);
    return status == CFPC_OK ? batch_dual_fill(dual, &def->bases) : status;
}

static void batch_dual_discard(void *state)
{
    dual *dual = state;
    if (!dual)
        return;
    cfpci_pass_free(&dual->pass);
    cfpci_adjoint_trial_free(&dual->trial);
    free(dual->gram);
    free(dual->sum);
    free(dual);
}

static cfpc_status batch_dual_update(void *state)
{
    dual *dual = state;
    const int32_t steps = dual->trial.steps;
    cfpci_adjoint_trial_filter(&dual->trial);
    cfpci_dense_symmetric_times_vector(steps, dual->gram, dual->trial.f, dual->change);
    for (int32_t n = 0; n < steps; n++) {
        dual->sum[n] += dual->trial.f[n];
        dual->trial.o[n] += dual->rate * dual->change[n];
    }
    return CFPC_OK;
}

static double batch_dual_error(void *state)
{
    dual *dual = state;
    return cfpci_adjoint_trial_run(&dual->trial);
}

// From zero weights, one pass computes them all; its output is not needed.
static cfpc_status batch_dual_weights(void *state, double *w)
{
    dual *dual = state;
    memset(w, 0, (size_t)dual->pass.bases.count * sizeof *w);
    return cfpci_pass_over(&dual->pass, dual->sum, dual->rate, w, dual->change);
}

const cfpci_form cfpci_dual_form = {batch_dual_make, batch_dual_update, batch_dual_error,
                                    batch_dual_weights, batch_dual_discard};
