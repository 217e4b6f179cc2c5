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
static cfpc_status fill(dual *it, const cfpc_bases *bases)
{
    const size_t steps = (size_t)bases->steps;
    double *tile = malloc(TILE * steps * sizeof *tile);
    cfpc_status status = tile ? CFPC_OK : CFPC_NO_MEMORY;
    for (int32_t j = 0; status == CFPC_OK && j < bases->count; j += TILE) {
        const int32_t some = bases->count - j < TILE ? bases->count - j : TILE;
        status = cfpci_take_bases(bases, j, some, tile);
        if (status == CFPC_OK)
            cfpci_dense_add_gram(bases->steps, some, tile, it->gram);
    }
    free(tile);
    for (size_t n = 0; status == CFPC_OK && n < steps; n++)
        if (!isfinite(it->gram[n * steps + n])) // a basis that is not finite shows up here
            status = CFPC_BAD_VALUE;
    return status;
}

static cfpc_status make(void **state, const cfpc_batch_def *def)
{
    const size_t steps = (size_t)def->bases.steps;
    dual *it = calloc(1, sizeof *it);
    *state = it;
    if (!it)
        return CFPC_NO_MEMORY;
    it->rate = def->rate;
    it->gram = calloc(steps * steps, sizeof *it->gram);
    it->sum = calloc(2 * steps, sizeof *it->sum);
    if (!it->gram || !it->sum)
        return CFPC_NO_MEMORY;
    it->change = it->sum + steps;
    cfpc_status status =
        cfpci_adjoint_trial_make(&it->trial, def->bases.steps, def->path, def->trace, def->e0);
    if (status == CFPC_OK)
        status = cfpci_pass_make(&it->pass, &def->bases, def->threads);
    return status == CFPC_OK ? fill(it, &def->bases) : status;
}

static void discard(void *state)
{
    dual *it = state;
    if (!it)
        return;
    cfpci_pass_free(&it->pass);
    cfpci_adjoint_trial_free(&it->trial);
    free(it->gram);
    free(it->sum);
    free(it);
}

static cfpc_status update(void *state)
{
    dual *it = state;
    const int32_t steps = it->trial.steps;
    cfpci_adjoint_trial_filter(&it->trial);
    cfpci_dense_symmetric_times_vector(steps, it->gram, it->trial.f, it->change);
    for (int32_t n = 0; n < steps; n++) {
        it->sum[n] += it->trial.f[n];
        it->trial.o[n] += it->rate * it->change[n];
    }
    return CFPC_OK;
}

static double error(void *state)
{
    dual *it = state;
    return cfpci_adjoint_trial_run(&it->trial);
}

// From zero weights, one pass computes them all; its output is not needed.
static cfpc_status weights(void *state, double *w)
{
    dual *it = state;
    memset(w, 0, (size_t)it->pass.bases.count * sizeof *w);
    return cfpci_pass_over(&it->pass, it->sum, it->rate, w, it->change);
}

const cfpci_form cfpci_dual_form = {make, update, error, weights, discard};
