// SPDX-License-Identifier: Apache-2.0
#include "cfpc/batch.h"

#include <math.h>
#include <stdlib.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "batch/batch_form.h"

struct cfpc_batch {
    const cfpci_form *form; // the form in use
    cfpc_batch_form which;  // its name
    void *state;            // of the form
    double e0_norm;         // ‖e0‖
    bool started;           // a trial has been run
    cfpc_status status;     // sticky
};

cfpc_batch_def cfpc_default_batch_def(void)
{
    return (cfpc_batch_def){.trials = 1, .threads = 1};
}

cfpc_status cfpc_batch_make(cfpc_batch **learner, const cfpc_batch_def *def)
{
    *learner = NULL;
    cfpc_batch_form which;
    cfpc_status status = cfpc_batch_choose(&which, def); // checks the sizes and the systems
    if (status != CFPC_OK)
        return status;
    const cfpc_bases *x = &def->bases;
    if ((x->doubles != NULL) + (x->floats != NULL) + (x->write != NULL) != 1 || !def->e0 ||
        !isfinite(def->rate) || !cfpci_are_finite((size_t)x->steps, def->e0))
        return CFPC_BAD_VALUE;
    if (def->form != CFPC_BATCH_CHEAPEST)
        which = def->form;
    cfpc_batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return CFPC_NO_MEMORY;
    batch->form = which == CFPC_BATCH_PRIMAL     ? &cfpci_primal_form
                  : which == CFPC_BATCH_FACTORED ? &cfpci_factored_form
                  : which == CFPC_BATCH_DUAL     ? &cfpci_dual_form
                                                 : NULL;
    batch->which = which;
    batch->e0_norm = cfpci_dense_norm(x->steps, def->e0);
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
    if (!learner)
        return CFPC_MISSING;
    if (learner->started && learner->status == CFPC_OK)
        learner->status = learner->form->update(learner->state);
    if (learner->status != CFPC_OK)
        return learner->status;
    const double norm = learner->form->error(learner->state);
    *rrmse = learner->e0_norm > 0 ? norm / learner->e0_norm : 0;
    learner->started = true;
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
