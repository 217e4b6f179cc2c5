// SPDX-License-Identifier: Apache-2.0
// A peer for dense algebra: the same operations by BLAS and LAPACKE, on one thread
// (OPENBLAS_NUM_THREADS=1). A row-major matrix is LAPACK's transpose: each call
// below notes what LAPACK sees, so that no large matrix is copied to transpose it.
#include "dense_twins.h"

#include <cblas.h>
#include <lapacke.h>
#include <stdlib.h>

static cfpc_status status_of(lapack_int info)
{
    if (info == 0)
        return CFPC_OK;
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        return CFPC_NO_MEMORY;
    return info < 0 ? CFPC_BAD_VALUE : CFPC_NO_CONVERGENCE;
}

void bench_lapack_multiply(bool transpose_a, int32_t m, int32_t n, int32_t k, const double *a,
                           const double *b, double beta, double *out)
{
    if (m == 0 || n == 0)
        return;
    const int lda = transpose_a ? m : k;
    cblas_dgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans, CblasNoTrans, m, n, k, 1.0,
                a, lda > 0 ? lda : 1, b, n, beta, out, n);
}

void bench_lapack_add_gram(int32_t n, int32_t k, const double *a, double *out)
{
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, n, k, 1.0, a, n, 1.0, out, n);
}

enum {
    NARROW = 64 // columns up to which small blocks are faster
};

// Blocked Householder: a's upper part becomes R.
cfpc_status bench_lapack_qr(int32_t m, int32_t n, double *a, double *r)
{
    const int32_t k = m < n ? m : n;
    if (k == 0)
        return CFPC_OK;
    const int32_t wanted = n <= NARROW ? 8 : 32, block = k < wanted ? k : wanted;
    double *t = malloc((size_t)block * ((size_t)k + (size_t)n) * sizeof *t);
    if (!t)
        return CFPC_NO_MEMORY;
    double *work = t + (size_t)block * (size_t)k;
    cfpc_status status =
        status_of(LAPACKE_dgeqrt_work(LAPACK_COL_MAJOR, m, n, block, a, m, t, block, work));
    free(t);
    for (int32_t i = 0; i < k; i++)
        for (int32_t j = 0; j < n; j++)
            r[(size_t)i * (size_t)n + (size_t)j] = j < i ? 0 : a[(size_t)j * (size_t)m + (size_t)i];
    return status;
}

// LAPACK sees aᵀ (n x m) = v · diag(s) · uᵀ: its u is our vt, its vt our u.
cfpc_status bench_lapack_svd(int32_t m, int32_t n, double *a, double *u, double *s, double *vt)
{
    const int32_t k = m < n ? m : n;
    if (k == 0)
        return CFPC_OK;
    return status_of(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', n, m, a, n, s, vt, n, u, k));
}

// The transpose has the same singular values.
cfpc_status bench_lapack_two_norm(int32_t n, double *a, double *norm)
{
    *norm = 0;
    if (n == 0)
        return CFPC_OK;
    double *s = malloc((size_t)n * sizeof *s);
    if (!s)
        return CFPC_NO_MEMORY;
    const lapack_int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', n, n, a, n, s, NULL, 1, NULL, 1);
    *norm = info == 0 ? s[0] : 0;
    free(s);
    return status_of(info);
}

// LAPACK's columns are our rows.
cfpc_status bench_lapack_symmetric(int32_t n, double *a, double *values)
{
    if (n == 0)
        return CFPC_OK;
    return status_of(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values));
}

// The transpose has the same eigenvalues.
cfpc_status bench_lapack_eigenvalues(int32_t n, double *a, double *re, double *im)
{
    if (n == 0)
        return CFPC_OK;
    return status_of(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, re, im, NULL, 1, NULL, 1));
}

// LAPACKE transposes these small matrices.
cfpc_status bench_lapack_modes(int32_t n, double *a, double *re, double *im, double *v)
{
    if (n == 0)
        return CFPC_OK;
    return status_of(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', n, a, n, re, im, NULL, n, v, n));
}

// LAPACK cannot solve with a transpose on both sides: LAPACKE transposes these small matrices.
cfpc_status bench_lapack_solve(int32_t n, int32_t columns, double *a, double *b)
{
    if (n == 0 || columns == 0)
        return CFPC_OK;
    lapack_int *pivots = malloc((size_t)n * sizeof *pivots);
    if (!pivots)
        return CFPC_NO_MEMORY;
    const lapack_int info = LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, columns, a, n, pivots, b, columns);
    free(pivots);
    return info > 0 ? CFPC_BAD_VALUE : status_of(info);
}

// Our lower triangle is LAPACK's upper one.
cfpc_status bench_lapack_cholesky(int32_t n, double *a)
{
    if (n == 0)
        return CFPC_OK;
    const lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, a, n);
    return info != 0 ? CFPC_BAD_VALUE : CFPC_OK;
}

cfpc_status bench_lapack_solve_lower(bool transpose_l, int32_t n, int32_t columns, const double *l,
                                     double *b)
{
    if (n == 0 || columns == 0)
        return CFPC_OK;
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, transpose_l ? CblasTrans : CblasNoTrans,
                CblasNonUnit, n, columns, 1.0, l, n, b, columns);
    return CFPC_OK;
}
