// SPDX-License-Identifier: Apache-2.0
#include "cfpc/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "batch/adjoint_trial.h"
#include "batch/batch_form.h"
#include "batch/table_pass.h"

// ---- the primal form: one pass over X per trial; nothing is stored ----------------------------

typedef struct primal {
    cfpci_pass pass;
    cfpci_adjoint_trial trial;
    double rate;
    double *w; // weights (bases)
} primal;

static cfpc_status make_primal(void **state, const cfpc_batch_def *def)
{
    primal *primal = calloc(1, sizeof *primal);
    *state = primal;
    if (!primal)
        return CFPC_NO_MEMORY;
    primal->rate = def->rate;
    primal->w = calloc((size_t)def->bases.count, sizeof *primal->w);
    cfpc_status status = primal->w ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = cfpci_pass_make(&primal->pass, &def->bases, def->threads);
    if (status == CFPC_OK)
        status = cfpci_adjoint_trial_make(&primal->trial, def->bases.steps, def->path, def->trace,
                                          def->e0);
    return status;
}

static void free_primal(void *state)
{
    primal *primal = state;
    if (!primal)
        return;
    cfpci_pass_free(&primal->pass);
    cfpci_adjoint_trial_free(&primal->trial);
    free(primal->w);
    free(primal);
}

static cfpc_status update_primal(void *state)
{
    primal *primal = state;
    cfpci_adjoint_trial_filter(&primal->trial);
    return cfpci_pass_over(&primal->pass, primal->trial.f, primal->rate, primal->w,
                           primal->trial.o);
}

static double primal_error(void *state)
{
    primal *primal = state;
    return cfpci_adjoint_trial_run(&primal->trial);
}

static cfpc_status primal_weights(void *state, double *w)
{
    const primal *primal = state;
    memcpy(w, primal->w, (size_t)primal->pass.bases.count * sizeof *w);
    return CFPC_OK;
}

static const cfpci_form primal_form = {make_primal, update_primal, primal_error, primal_weights,
                                       free_primal};

// ---- the learner -----------------------------------------------------------------------------

struct cfpc_batch {
    const cfpci_form *form; // the form in use
    cfpc_batch_form which;  // its name
    void *state;            // of the form
    double e0_norm;         // ‖e0‖
    int32_t bases;          // G
    bool started;           // a trial has been run
    cfpc_status status;     // sticky
};

cfpc_batch_def cfpc_default_batch_def(void)
{
    return (cfpc_batch_def){.trials = 1, .threads = 1};
}

static const cfpci_form *form_named(cfpc_batch_form form)
{
    switch (form) {
    case CFPC_BATCH_PRIMAL:
        return &primal_form;
    case CFPC_BATCH_FACTORED:
        return &cfpci_factored_form;
    case CFPC_BATCH_DUAL:
        return &cfpci_dual_form;
    default:
        return NULL;
    }
}

// Checks the fields that cfpc_batch_choose ignores.
static cfpc_status batch_check(const cfpc_batch_def *def)
{
    const cfpc_bases *x = &def->bases;
    if ((x->doubles != NULL) + (x->floats != NULL) + (x->write != NULL) != 1 || !def->e0)
        return CFPC_BAD_VALUE;
    return isfinite(def->rate) && cfpci_are_finite((size_t)x->steps, def->e0) ? CFPC_OK
                                                                              : CFPC_BAD_VALUE;
}

cfpc_status cfpc_batch_make(cfpc_batch **learner, const cfpc_batch_def *def)
{
    *learner = NULL;
    cfpc_batch_form cheapest;
    cfpc_status status = cfpc_batch_choose(&cheapest, def); // checks the sizes and the systems
    if (status == CFPC_OK)
        status = batch_check(def);
    if (status != CFPC_OK)
        return status;
    const cfpc_batch_form which = def->form == CFPC_BATCH_CHEAPEST ? cheapest : def->form;
    cfpc_batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return CFPC_NO_MEMORY;
    batch->form = form_named(which);
    batch->which = which;
    batch->bases = def->bases.count;
    batch->e0_norm = cfpci_dense_norm(def->bases.steps, def->e0);
    status = batch->form ? batch->form->make(&batch->state, def) : CFPC_BAD_VALUE;
    if (status == CFPC_OK)
        *learner = batch;
    else
        cfpc_batch_free(batch);
    return status;
}

void cfpc_batch_free(cfpc_batch *learner)
{
    if (learner && learner->form)
        learner->form->free(learner->state);
    free(learner);
}

cfpc_status cfpc_batch_trial(cfpc_batch *learner, double *rrmse)
{
    cfpc_batch *batch = learner;
    if (!batch)
        return CFPC_MISSING;
    if (batch->started && batch->status == CFPC_OK)
        batch->status = batch->form->update(batch->state);
    if (batch->status != CFPC_OK)
        return batch->status;
    const double norm = batch->form->error(batch->state);
    *rrmse = batch->e0_norm > 0 ? norm / batch->e0_norm : 0;
    batch->started = true;
    return CFPC_OK;
}

cfpc_status cfpc_batch_weights(cfpc_batch *learner, double *weights)
{
    if (!learner)
        return CFPC_MISSING;
    return learner->status == CFPC_OK ? learner->form->weights(learner->state, weights)
                                      : learner->status;
}

cfpc_batch_form cfpc_batch_form_of(const cfpc_batch *learner)
{
    return learner->which;
}
