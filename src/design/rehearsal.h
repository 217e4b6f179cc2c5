// SPDX-License-Identifier: Apache-2.0
// rehearsal: a trial for the forms of batch learning: the error that remains with an output, and
// that error filtered backward in time. The filters are made once.
#ifndef CFPC_DESIGN_REHEARSAL_H
#define CFPC_DESIGN_REHEARSAL_H

#include "filter.h"

typedef struct cfpci_rehearsal {
    int32_t steps;        // N
    cfpc_system path;     // T
    cfpc_system adjoint;  // the trace, transposed
    cfpci_filter forward; // runs T
    cfpci_filter back;    // runs the adjoint
    double *e0;           // reactive error         (N)
    double *o;            // output                 (N)
    double *e;            // e0 - T o               (N)
    double *f;            // Aᵀ e                   (N)
} cfpci_rehearsal;

// Path and trace are discrete, with one input and one output each. Free it even if this fails.
cfpc_status cfpci_rehearsal_make(cfpci_rehearsal *it, int32_t steps, const cfpc_system *path,
                                 const cfpc_system *trace, const double *e0);
void cfpci_rehearsal_free(cfpci_rehearsal *it);

// e = e0 - T o; returns ‖e‖.
double cfpci_rehearse(cfpci_rehearsal *it);

// f = Aᵀ e
void cfpci_filter_error(cfpci_rehearsal *it);

#endif
