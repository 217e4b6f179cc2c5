// SPDX-License-Identifier: Apache-2.0
// batch_form: the interface of a form of batch learning. A form keeps its own state; the learner
// uses one form, through this interface only.
#ifndef CFPC_DESIGN_BATCH_FORM_H
#define CFPC_DESIGN_BATCH_FORM_H

#include "cfpc/batch.h"

typedef struct cfpci_form {
    cfpc_status (*make)(void **state,
                        const cfpc_batch_def *def); // at w = 0; free it even on failure
    cfpc_status (*update)(void *state);             // w += η Zᵀe
    double (*error)(void *state);                   // the trial with w: ‖e‖
    cfpc_status (*weights)(void *state, double *w); // copies w (bases)
    void (*free)(void *state);                      // accepts NULL
} cfpci_form;

extern const cfpci_form cfpci_primal_form;
extern const cfpci_form cfpci_factored_form;
extern const cfpci_form cfpci_dual_form;

#endif
