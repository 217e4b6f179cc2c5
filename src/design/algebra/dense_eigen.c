// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and eigenvectors of any square matrix in plain C.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_isolate.h"
#include "algebra/dense_product.h"
#include "algebra/dense_rows.h"
#include "algebra/dense_schur.h"
#include "algebra/dense_triangular.h"

// ---- what both need ----------------------------------------------------------------------------

typedef struct eigen {
    cfpci_isolated isolated;
    cfpci_schur schur;
    double *copy; // (n x n)
    double size;  // by which a was divided
    double *memory;
    int32_t *indices;
} eigen;

static void eigen_free(eigen *eigen)
{
    free(eigen->memory);
    free(eigen->indices);
}

static cfpc_status eigen_make(eigen *made, int32_t n, double *a, double *re, double *im,
                              bool vectors)
{
    const size_t each = (size_t)n, squared = each * each;
    *made = (eigen){.memory = malloc((squared * (vectors ? 2 : 1) + 3 * each) * sizeof(double)),
                    .indices = malloc(3 * each * sizeof(int32_t))};
    if (!made->memory || !made->indices) {
        eigen_free(made);
        return CFPC_NO_MEMORY;
    }
    double *next = made->memory + squared;
    made->copy = made->memory;
    made->isolated = (cfpci_isolated){.n = n, .order = made->indices, .scale = next};
    made->schur = (cfpci_schur){.n = n, .h = a, .re = re, .im = im};
    made->schur.v = next + each;
    made->schur.w = next + 2 * each;
    made->schur.zt = vectors ? next + 3 * each : NULL;
    return CFPC_OK;
}

static cfpc_status eigen_find(eigen *eigen, double largest)
{
    const int32_t n = eigen->schur.n;
    eigen->size = cfpci_dense_shrink((int64_t)n * n, eigen->schur.h, largest);
    cfpci_isolate(&eigen->isolated, eigen->schur.h, eigen->indices + n, eigen->copy);
    eigen->schur.first = eigen->isolated.first;
    eigen->schur.end = eigen->isolated.end;
    cfpci_schur_reduce(&eigen->schur);
    return cfpci_schur_iterate(&eigen->schur);
}

static void resize(const eigen *eigen)
{
    if (eigen->size == 1)
        return;
    cfpci_dense_scale(eigen->schur.n, eigen->schur.re, eigen->size);
    cfpci_dense_scale(eigen->schur.n, eigen->schur.im, eigen->size);
}

// ---- modes -------------------------------------------------------------------------------------

// Rows of x (n x n), one per vector, back in a's own order and scale.
static void restore(const cfpci_isolated *isolated, const double *x, double *out)
{
    const size_t n = (size_t)isolated->n;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            out[k * n + (size_t)isolated->order[i]] = x[k * n + i] * isolated->scale[i];
}

static void eigen_normalise(int32_t n, double *x)
{
    cfpci_dense_scale(n, x, 1 / cfpci_dense_largest(n, x));
    cfpci_dense_scale(n, x, 1 / cfpci_dense_norm(n, x));
}

// Real and imaginary part, one after the other: of length 1, the largest entry real.
static void normalise_pair(int32_t n, double *x)
{
    double *re = x, *im = x + n, most = 0;
    int32_t at = 0;
    eigen_normalise(2 * n, x);
    for (int32_t i = 0; i < n; i++)
        if (re[i] * re[i] + im[i] * im[i] > most) {
            most = re[i] * re[i] + im[i] * im[i];
            at = i;
        }
    const double c = re[at] / sqrt(most), s = im[at] / sqrt(most);
    for (int32_t i = 0; i < n; i++) {
        const double turned = c * im[i] - s * re[i];
        re[i] = c * re[i] + s * im[i];
        im[i] = turned;
    }
    im[at] = 0;
}

// v from the eigenvectors of t, which are the rows of x.
static void eigen_put(eigen *eigen, double *v)
{
    const int32_t n = eigen->schur.n;
    const size_t down = (size_t)n;
    double *x = eigen->copy, *t = eigen->schur.h;
    cfpci_triangular_vectors(&eigen->schur, x);
    memset(t, 0, down * down * sizeof *t);
    cfpci_product(false, n, n, n, (cfpci_factor){x, down, 1}, eigen->schur.zt, down, t, down);
    restore(&eigen->isolated, t, x);
    for (int32_t k = 0; k < n; k++)
        if (eigen->schur.im[k] == 0)
            eigen_normalise(n, x + (size_t)k * down);
        else
            normalise_pair(n, x + (size_t)k++ * down);
    cfpci_rows_transpose(n, n, x, down, v, down);
}

// ---- both --------------------------------------------------------------------------------------

// v (n x n) may be NULL: the eigenvalues alone.
static cfpc_status eigen_solve(int32_t n, double *a, double *re, double *im, double *v)
{
    eigen eigen;
    const int64_t entries = (int64_t)n * n;
    const double largest = cfpci_dense_largest(entries, a);
    if (isnan(largest))
        return CFPC_BAD_VALUE;
    if (n == 0)
        return CFPC_OK;
    if (isinf(largest)) {
        cfpci_dense_fill(n, re, NAN);
        cfpci_dense_fill(n, im, NAN);
        cfpci_dense_fill(v ? entries : 0, v, NAN);
        return CFPC_OK;
    }
    cfpc_status status = eigen_make(&eigen, n, a, re, im, v != NULL);
    if (status != CFPC_OK)
        return status;
    status = eigen_find(&eigen, largest);
    if (status == CFPC_OK && v)
        eigen_put(&eigen, v);
    resize(&eigen);
    eigen_free(&eigen);
    return status;
}

cfpc_status cfpci_dense_eigenvalues(int32_t n, double *a, double *re, double *im)
{
    return eigen_solve(n, a, re, im, NULL);
}

cfpc_status cfpci_dense_modes(int32_t n, double *a, double *re, double *im, double *v)
{
    return eigen_solve(n, a, re, im, v);
}
