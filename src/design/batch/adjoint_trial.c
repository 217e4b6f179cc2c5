// SPDX-License-Identifier: Apache-2.0
#include "batch/adjoint_trial.h"

#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "system/reshape.h"

cfpc_status cfpci_adjoint_trial_make(cfpci_adjoint_trial *trial, int32_t steps,
                                     const cfpc_system *path, const cfpc_system *trace,
                                     const double *e0)
{
    const size_t n = (size_t)steps;
    *trial = (cfpci_adjoint_trial){.steps = steps, .e0 = calloc(4 * n, sizeof *trial->e0)};
    if (!trial->e0)
        return CFPC_NO_MEMORY;
    trial->o = trial->e0 + n;
    trial->e = trial->o + n;
    trial->f = trial->e + n;
    memcpy(trial->e0, e0, n * sizeof *e0);
    cfpc_status status = cfpc_select(&trial->path, path, 0, 0);
    if (status == CFPC_OK)
        status = cfpci_transpose(&trial->adjoint, trace);
    if (status == CFPC_OK)
        status = cfpci_filter_make(&trial->forward, &trial->path, 1);
    if (status == CFPC_OK)
        status = cfpci_filter_make(&trial->back, &trial->adjoint, 1);
    return status;
}

void cfpci_adjoint_trial_free(cfpci_adjoint_trial *trial)
{
    cfpci_filter_free(&trial->forward);
    cfpci_filter_free(&trial->back);
    cfpc_system_free(&trial->path);
    cfpc_system_free(&trial->adjoint);
    free(trial->e0);
    *trial = (cfpci_adjoint_trial){0};
}

double cfpci_adjoint_trial_run(cfpci_adjoint_trial *trial)
{
    cfpci_filter_rest(&trial->forward);
    for (int32_t n = 0; n < trial->steps; n++) {
        double y;
        cfpci_filter_step(&trial->forward, trial->o + n, &y);
        trial->e[n] = trial->e0[n] - y;
    }
    return cfpci_dense_norm(trial->steps, trial->e);
}

void cfpci_adjoint_trial_filter(cfpci_adjoint_trial *trial)
{
    cfpci_filter_rest(&trial->back);
    for (int32_t n = trial->steps - 1; n >= 0; n--)
        cfpci_filter_step(&trial->back, trial->e + n, trial->f + n);
}
