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
        status =
            cfpci_adjoint_trial_make(&it->trial, def->bases.steps, def->path, def->trace, def->e0);
    return status;
}

static void free_primal(void *state)
{
    primal *it = state;
    if (!it)
        return;
    cfpci_pass_free(&it->pass);
    cfpci_adjoint_trial_free(&it->trial);
    free(it->w);
    free(it);
}

static cfpc_status update_primal(void *state)
{
    primal *it = state;
    cfpci_adjoint_trial_filter(&it->trial);
    return cfpci_pass_over(&it->pass, it->trial.f, it->rate, it->w, it->trial.o);
}

static double primal_error(void *state)
{
    primal *it = state;
    return cfpci_adjoint_trial_run(&it->trial);
}

static cfpc_status primal_weights(void *state, double *w)
{
    const primal *it = state;
    memcpy(w, it->w, (size_t)it->pass.bases.count * sizeof *w);
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
static cfpc_status check(const cfpc_batch_def *def)
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
        status = check(def);
    if (status != CFPC_OK)
        return status;
    const cfpc_batch_form which = def->form == CFPC_BATCH_CHEAPEST ? cheapest : def->form;
    cfpc_batch *it = calloc(1, sizeof *it);
    if (!it)
        return CFPC_NO_MEMORY;
    it->form = form_named(which);
    it->which = which;
    it->bases = def->bases.count;
    it->e0_norm = cfpci_dense_norm(def->bases.steps, def->e0);
    status = it->form ? it->form->make(&it->state, def) : CFPC_BAD_VALUE;
    if (status == CFPC_OK)
        *learner = it;
    else
        cfpc_batch_free(it);
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
    cfpc_batch *it = learner;
    if (!it)
        return CFPC_MISSING;
    if (it->started && it->status == CFPC_OK)
        it->status = it->form->update(it->state);
    if (it->status != CFPC_OK)
        return it->status;
    const double norm = it->form->error(it->state);
    *rrmse = it->e0_norm > 0 ? norm / it->e0_norm : 0;
    it->started = true;
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
