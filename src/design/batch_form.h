// SPDX-License-Identifier: Apache-2.0
// batch_form: what a form of batch learning can do. A form keeps its own state; the learner holds
// one of them and asks nothing else of it.
#ifndef CFPC_DESIGN_BATCH_FORM_H
#define CFPC_DESIGN_BATCH_FORM_H

#include "cfpc/batch.h"

typedef struct cfpci_form {
    cfpc_status (*make)(void **state, const cfpc_batch_def *def); // at w = 0; free it in any case
    cfpc_status (*update)(void *state);                           // w += η Zᵀe
    double (*error)(void *state);                                 // the trial with w: ‖e‖
    cfpc_status (*weights)(void *state, double *w);               // copies w (bases)
    void (*free)(void *state);                                    // takes NULL
} cfpci_form;

extern const cfpci_form cfpci_primal_form;
extern const cfpci_form cfpci_factored_form;
extern const cfpci_form cfpci_dual_form;

#endif
