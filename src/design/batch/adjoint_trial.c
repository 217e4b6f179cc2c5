// SPDX-License-Identifier: Apache-2.0
#include "batch/adjoint_trial.h"

#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "system/reshape.h"

cfpc_status cfpci_adjoint_trial_make(cfpci_adjoint_trial *it, int32_t steps,
                                     const cfpc_system *path, const cfpc_system *trace,
                                     const double *e0)
{
    const size_t n = (size_t)steps;
    *it = (cfpci_adjoint_trial){.steps = steps, .e0 = calloc(4 * n, sizeof *it->e0)};
    if (!it->e0)
        return CFPC_NO_MEMORY;
    it->o = it->e0 + n;
    it->e = it->o + n;
    it->f = it->e + n;
    memcpy(it->e0, e0, n * sizeof *e0);
    cfpc_status status = cfpc_select(&it->path, path, 0, 0);
    if (status == CFPC_OK)
        status = cfpci_transpose(&it->adjoint, trace);
    if (status == CFPC_OK)
        status = cfpci_filter_make(&it->forward, &it->path, 1);
    if (status == CFPC_OK)
        status = cfpci_filter_make(&it->back, &it->adjoint, 1);
    return status;
}

void cfpci_adjoint_trial_free(cfpci_adjoint_trial *it)
{
    cfpci_filter_free(&it->forward);
    cfpci_filter_free(&it->back);
    cfpc_system_free(&it->path);
    cfpc_system_free(&it->adjoint);
    free(it->e0);
    *it = (cfpci_adjoint_trial){0};
}

double cfpci_adjoint_trial_run(cfpci_adjoint_trial *it)
{
    cfpci_filter_rest(&it->forward);
    for (int32_t n = 0; n < it->steps; n++) {
        double y;
        cfpci_filter_step(&it->forward, it->o + n, &y);
        it->e[n] = it->e0[n] - y;
    }
    return cfpci_dense_norm(it->steps, it->e);
}

void cfpci_adjoint_trial_filter(cfpci_adjoint_trial *it)
{
    cfpci_filter_rest(&it->back);
    for (int32_t n = it->steps - 1; n >= 0; n--)
        cfpci_filter_step(&it->back, it->e + n, it->f + n);
}
