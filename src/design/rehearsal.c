// SPDX-License-Identifier: Apache-2.0
#include "rehearsal.h"

#include <stdlib.h>
#include <string.h>

#include "dense.h"

cfpc_status cfpc_rehearsal_make(cfpc_rehearsal *it, int32_t steps, const cfpc_system *path,
                                const cfpc_system *trace, const double *e0)
{
    const size_t n = (size_t)steps;
    *it = (cfpc_rehearsal){.steps = steps, .e0 = calloc(4 * n, sizeof *it->e0)};
    if (!it->e0)
        return CFPC_NO_MEMORY;
    it->o = it->e0 + n;
    it->e = it->o + n;
    it->f = it->e + n;
    memcpy(it->e0, e0, n * sizeof *e0);
    cfpc_status status = cfpc_select(&it->path, path, 0, 0);
    if (status == CFPC_OK)
        status = cfpc_transpose(&it->adjoint, trace);
    if (status == CFPC_OK)
        status = cfpc_filter_make(&it->forward, &it->path, 1);
    if (status == CFPC_OK)
        status = cfpc_filter_make(&it->back, &it->adjoint, 1);
    return status;
}

void cfpc_rehearsal_free(cfpc_rehearsal *it)
{
    cfpc_filter_free(&it->forward);
    cfpc_filter_free(&it->back);
    cfpc_system_free(&it->path);
    cfpc_system_free(&it->adjoint);
    free(it->e0);
    *it = (cfpc_rehearsal){0};
}

double cfpc_rehearse(cfpc_rehearsal *it)
{
    cfpc_filter_rest(&it->forward);
    for (int32_t n = 0; n < it->steps; n++) {
        double y;
        cfpc_filter_step(&it->forward, it->o + n, &y);
        it->e[n] = it->e0[n] - y;
    }
    return cfpc_dense_norm(it->steps, it->e);
}

void cfpc_filter_error(cfpc_rehearsal *it)
{
    cfpc_filter_rest(&it->back);
    for (int32_t n = it->steps - 1; n >= 0; n--)
        cfpc_filter_step(&it->back, it->e + n, it->f + n);
}
