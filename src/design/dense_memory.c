// SPDX-License-Identifier: Apache-2.0
#include "dense_memory.h"

#include <lapacke.h>
#include <stdlib.h>

// The largest buffer of an OpenBLAS on any processor, and what it aligns it by: BUFFER_SIZE in its
// common_x86_64.h, common_arm64.h and others.
static const size_t buffer_bytes = ((size_t)32 << 22) + 65536;

bool cfpci_dense_has_memory(bool can_tell)
{
    static _Thread_local bool has_one, untold;
    if (!has_one && !untold) {
        void *volatile buffer =
            malloc(buffer_bytes); // volatile: keeps the compiler from removing it
        has_one = buffer;
        free(buffer);
        untold = !has_one;
    }
    const bool has = !untold;
    untold = untold && !can_tell;
    return has;
}

void cfpci_dense_plain_multiply(bool transpose_a, int32_t m, int32_t n, int32_t k, const double *a,
                                const double *b, double beta, double *out)
{
    const int64_t down = transpose_a ? 1 : k, across = transpose_a ? m : 1;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += a[i * down + l * across] * b[l * n + j];
            out[i * n + j] = (beta == 0 ? 0 : beta * out[i * n + j]) + sum;
        }
}

void cfpci_dense_plain_gram(int32_t n, int32_t k, const double *a, double *out)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int64_t l = 0; l < k; l++)
                out[i * n + j] += a[l * n + i] * a[l * n + j];
}

// LAPACKE's version prints that memory ran out, or which argument was wrong, to standard output. A
// library must not print: the status reports it. As LAPACK's XERBLA, it may be replaced at link
// time.
void LAPACKE_xerbla(const char *name, lapack_int info); // declared in lapacke_utils.h
void LAPACKE_xerbla(const char *name, lapack_int info)
{
    (void)name;
    (void)info;
}
