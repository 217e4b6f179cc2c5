// SPDX-License-Identifier: Apache-2.0
// last_bits: another processor, played. Loaded before BLAS and LAPACK (LD_PRELOAD), it changes the
// last bits of what goes into every call by up to 2 units, at random (CFPC_LAST_BITS is the seed).
// No test of design or lab may depend on them: another processor's kernels sum in another order.
#include <cblas.h>
#include <dlfcn.h>
#include <float.h>
#include <lapacke.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Equal numbers are changed alike, so that runs repeat bit for bit as they do on any one processor,
// and short ones (whole numbers, simple fractions) not at all: every processor has them exact.
static double shake(double x)
{
    static uint64_t seed;
    uint64_t bits;
    if (seed == 0) {
        const char *text = getenv("CFPC_LAST_BITS");
        seed = 2 * strtoull(text ? text : "1", NULL, 10) + 1;
    }
    memcpy(&bits, &x, sizeof bits);
    if (bits % ((uint64_t)1 << 20) == 0)
        return x;
    bits = (bits ^ (seed << 32)) * 0x9e3779b97f4a7c15u; // a hash: any that mixes well
    bits = (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9u;
    return x * (1 + ((double)((bits ^ (bits >> 32)) >> 11) * 0x1p-52 - 1) * 2 * DBL_EPSILON);
}

static void shake_all(size_t count, double *x)
{
    for (size_t k = 0; k < count; k++)
        x[k] = shake(x[k]);
}

// What stands behind this library under the same name.
static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

#define CALL(name, type, ...)                                                                      \
    type of;                                                                                       \
    void *const found = next(#name);                                                               \
    memcpy(&of, &found, sizeof of);                                                                \
    return of(__VA_ARGS__)

typedef void gemm(CBLAS_LAYOUT, CBLAS_TRANSPOSE, CBLAS_TRANSPOSE, int, int, int, double,
                  const double *, int, const double *, int, double, double *, int);

// A product's sums are shaken as a whole.
void cblas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k,
                 double alpha, const double *a, int lda, const double *b, int ldb, double beta,
                 double *c, int ldc)
{
    gemm *of;
    void *const found = next("cblas_dgemm");
    memcpy(&of, &found, sizeof of);
    of(layout, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    for (int i = 0; i < m; i++)
        shake_all((size_t)n, c + (size_t)i * (size_t)ldc);
}

typedef lapack_int geqrt(int, lapack_int, lapack_int, lapack_int, double *, lapack_int, double *,
                         lapack_int, double *);
lapack_int LAPACKE_dgeqrt_work(int layout, lapack_int m, lapack_int n, lapack_int nb, double *a,
                               lapack_int lda, double *t, lapack_int ldt, double *work)
{
    shake_all((size_t)m * (size_t)n, a);
    CALL(LAPACKE_dgeqrt_work, geqrt *, layout, m, n, nb, a, lda, t, ldt, work);
}

typedef lapack_int gesdd(int, char, lapack_int, lapack_int, double *, lapack_int, double *,
                         double *, lapack_int, double *, lapack_int);
lapack_int LAPACKE_dgesdd(int layout, char job, lapack_int m, lapack_int n, double *a,
                          lapack_int lda, double *s, double *u, lapack_int ldu, double *vt,
                          lapack_int ldvt)
{
    shake_all((size_t)m * (size_t)n, a);
    CALL(LAPACKE_dgesdd, gesdd *, layout, job, m, n, a, lda, s, u, ldu, vt, ldvt);
}

typedef lapack_int syev(int, char, char, lapack_int, double *, lapack_int, double *);
lapack_int LAPACKE_dsyev(int layout, char job, char uplo, lapack_int n, double *a, lapack_int lda,
                         double *w)
{
    shake_all((size_t)n * (size_t)n, a);
    CALL(LAPACKE_dsyev, syev *, layout, job, uplo, n, a, lda, w);
}

typedef lapack_int geev(int, char, char, lapack_int, double *, lapack_int, double *, double *,
                        double *, lapack_int, double *, lapack_int);
lapack_int LAPACKE_dgeev(int layout, char jobl, char jobr, lapack_int n, double *a, lapack_int lda,
                         double *re, double *im, double *vl, lapack_int ldvl, double *vr,
                         lapack_int ldvr)
{
    shake_all((size_t)n * (size_t)n, a);
    CALL(LAPACKE_dgeev, geev *, layout, jobl, jobr, n, a, lda, re, im, vl, ldvl, vr, ldvr);
}

typedef lapack_int gesv(int, lapack_int, lapack_int, double *, lapack_int, lapack_int *, double *,
                        lapack_int);
lapack_int LAPACKE_dgesv(int layout, lapack_int n, lapack_int nrhs, double *a, lapack_int lda,
                         lapack_int *pivots, double *b, lapack_int ldb)
{
    shake_all((size_t)n * (size_t)n, a);
    CALL(LAPACKE_dgesv, gesv *, layout, n, nrhs, a, lda, pivots, b, ldb);
}
