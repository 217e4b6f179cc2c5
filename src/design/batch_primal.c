// SPDX-License-Identifier: Apache-2.0
// The primal form of batch learning: one pass over X per trial; nothing is stored.
#include <stdlib.h>
#include <string.h>

#include "batch_form.h"
#include "pass.h"
#include "rehearsal.h"

typedef struct primal {
    cfpci_pass pass;
    cfpci_rehearsal trial;
    double rate;
    double *w; // weights (bases)
} primal;

static cfpc_status make(void **state, const cfpc_batch_def *def)
{
    primal *it = calloc(1, sizeof *it);
    *state = it;
    if (!it)
        return CFPC_NO_MEMORY;
    it->rate = def->rate;
    it->w = calloc((size_t)def->bases.count, sizeof *it->w);
    cfpc_status status = it->w ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = cfpci_pass_make(&it->pass, &def->bases, def->threads);
    if (status == CFPC_OK)
        status = cfpci_rehearsal_make(&it->trial, def->bases.steps, def->path, def->trace, def->e0);
    return status;
}

static void discard(void *state)
{
    primal *it = state;
    if (!it)
        return;
    cfpci_pass_free(&it->pass);
    cfpci_rehearsal_free(&it->trial);
    free(it->w);
    free(it);
}

static cfpc_status update(void *state)
{
    primal *it = state;
    cfpci_filter_error(&it->trial);
    return cfpci_pass_over(&it->pass, it->trial.f, it->rate, it->w, it->trial.o);
}

static double error(void *state)
{
    primal *it = state;
    return cfpci_rehearse(&it->trial);
}

static cfpc_status weights(void *state, double *w)
{
    const primal *it = state;
    memcpy(w, it->w, (size_t)it->pass.bases.count * sizeof *w);
    return CFPC_OK;
}

const cfpci_form cfpci_primal_form = {make, update, error, weights, discard};
