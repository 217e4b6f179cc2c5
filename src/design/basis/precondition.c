// SPDX-License-Identifier: Apache-2.0
#include "cfpc/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"

// Both triangles become their mean; CFPC_BAD_VALUE if that is not finite.
static cfpc_status precondition_make_symmetric(size_t n, double *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            const double mean = a[i * n + j] / 2 + a[j * n + i] / 2;
            if (!isfinite(mean))
                return CFPC_BAD_VALUE;
            a[i * n + j] = a[j * n + i] = mean;
        }
    return CFPC_OK;
}

cfpc_status cfpc_preconditioner(int32_t n, const double *gram, double rho, double *out)
{
    if (n < 1)
        return CFPC_BAD_SIZE;
    if (!isfinite(rho) || rho < 0)
        return CFPC_BAD_VALUE;
    const size_t size = (size_t)n;
    double *raised = malloc(size * size * sizeof *raised);
    if (!raised)
        return CFPC_NO_MEMORY;
    memcpy(raised, gram, size * size * sizeof *raised);
    memset(out, 0, size * size * sizeof *out);
    for (size_t i = 0; i < size; i++) {
        raised[i * size + i] += rho;
        out[i * size + i] = 1;
    }
    cfpc_status status = cfpci_dense_solve(n, n, raised, out);
    if (status == CFPC_OK)
        status = precondition_make_symmetric(size, out);
    free(raised);
    return status;
}

cfpc_status cfpc_gram_spectrum(int32_t n, const double *gram, double *values, double *vectors)
{
    if (n < 1)
        return CFPC_BAD_SIZE;
    memcpy(vectors, gram, (size_t)n * (size_t)n * sizeof *vectors);
    const cfpc_status status = precondition_make_symmetric((size_t)n, vectors);
    return status == CFPC_OK ? cfpci_dense_symmetric(n, vectors, values) : status;
}
