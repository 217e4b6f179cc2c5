// SPDX-License-Identifier: Apache-2.0
// adjoint_trial: a trial for the forms of batch learning: the error that remains with an output,
// and that error filtered backward in time. The filters are made once.
#ifndef CFPC_DESIGN_ADJOINT_TRIAL_H
#define CFPC_DESIGN_ADJOINT_TRIAL_H

#include "system/filter.h"

typedef struct cfpci_adjoint_trial {
    int32_t steps;        // N
    cfpc_system path;     // T
    cfpc_system adjoint;  // the trace, transposed
    cfpci_filter forward; // runs T
    cfpci_filter back;    // runs the adjoint
    double *e0;           // reactive error         (N)
    double *o;            // output                 (N)
    double *e;            // e0 - T o               (N)
    double *f;            // Aᵀ e                   (N)
} cfpci_adjoint_trial;

// Path and trace are discrete, with one input and one output each. Free it even if this fails.
cfpc_status cfpci_adjoint_trial_make(cfpci_adjoint_trial *trial, int32_t steps,
                                     const cfpc_system *path, const cfpc_system *trace,
                                     const double *e0);
void cfpci_adjoint_trial_free(cfpci_adjoint_trial *trial);

// e = e0 - T o; returns ‖e‖.
double cfpci_adjoint_trial_run(cfpci_adjoint_trial *trial);

// f = Aᵀ e
void cfpci_adjoint_trial_filter(cfpci_adjoint_trial *trial);

#endif
