// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "cfpc/teaching_filter.h"
#include "cfpc/transfer.h"
#include "dense.h"

cfpc_status cfpc_teaching_filter_norm(const cfpc_teaching_filter *filter, const cfpc_system *path,
                                      int32_t steps, int32_t bases, const double *x, double *norm)
{
    *norm = 0;
    if (!x)
        return CFPC_MISSING;
    if (steps < 1 || bases < 1)
        return CFPC_BAD_SIZE;
    const size_t entries = (size_t)steps * (size_t)bases;
    double *z = calloc(2 * entries, sizeof *z), *h = z ? z + entries : NULL;
    double *m = calloc((size_t)bases * (size_t)bases, sizeof *m);
    cfpc_status status = z && m ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = cfpc_teaching_filter_traces(filter, steps, bases, x, z);
    if (status == CFPC_OK)
        status = cfpc_apply(path, steps, bases, x, h);
    if (status == CFPC_OK) {
        cfpci_dense_multiply(true, bases, bases, steps, z, h, 0, m);
        status = cfpci_dense_two_norm(bases, m, norm);
    }
    free(z);
    free(m);
    return status;
}
