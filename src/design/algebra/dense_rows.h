// SPDX-License-Identifier: Apache-2.0
// dense_rows: what dense algebra does with rows of a matrix. A sum has always the same
// lanes, so that its bits do not depend on the width of the processor's vectors.
#ifndef CFPC_DESIGN_DENSE_ROWS_H
#define CFPC_DESIGN_DENSE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// For a function that is compiled again for each constant it is called with.
#define CFPCI_INLINE static inline __attribute__((always_inline))

enum { CFPCI_LANES = 4 };

typedef double cfpci_lanes __attribute__((vector_size(CFPCI_LANES * sizeof(double))));

// aᵀb
CFPCI_INLINE double cfpci_row_dot(int32_t n, const double *a, const double *b)
{
    cfpci_lanes even = {0}, odd = {0}, x, y;
    int32_t j = 0;
    for (; j + 2 * CFPCI_LANES <= n; j += 2 * CFPCI_LANES) {
        memcpy(&x, a + j, sizeof x);
        memcpy(&y, b + j, sizeof y);
        even += x * y;
        memcpy(&x, a + j + CFPCI_LANES, sizeof x);
        memcpy(&y, b + j + CFPCI_LANES, sizeof y);
        odd += x * y;
    }
    if (j + CFPCI_LANES <= n) {
        memcpy(&x, a + j, sizeof x);
        memcpy(&y, b + j, sizeof y);
        even += x * y;
        j += CFPCI_LANES;
    }
    even += odd;
    double sum = (even[0] + even[2]) + (even[1] + even[3]);
    for (; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

// to += a x
CFPCI_INLINE void cfpci_row_add(int32_t n, double *restrict to, double a, const double *restrict x)
{
    for (int32_t j = 0; j < n; j++)
        to[j] += a * x[j];
}

CFPCI_INLINE void cfpci_row_swap(int32_t n, double *restrict a, double *restrict b)
{
    for (int32_t j = 0; j < n; j++) {
        const double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

// out (n x m) = the transpose of a (m x n), of which rows are `down` apart, those of out `next`.
CFPCI_INLINE void cfpci_rows_transpose(int32_t m, int32_t n, const double *restrict a, size_t down,
                                       double *restrict out, size_t next)
{
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < n; j++)
            out[(size_t)j * next + (size_t)i] = a[(size_t)i * down + (size_t)j];
}

// Matrices of any size of numbers, brought to one at which squares neither overflow nor vanish,
// exactly: by a power of 2.

bool cfpci_are_finite(size_t count, const double *a);

// The largest magnitude; NaN if any is NaN, infinite if any is.
double cfpci_dense_largest(int64_t count, const double *a);

// Divides a by a power of 2 where its largest magnitude needs it, and returns that power.
double cfpci_dense_shrink(int64_t count, double *a, double largest);

void cfpci_dense_scale(int64_t count, double *a, double by);

void cfpci_dense_fill(int64_t count, double *a, double value);

#endif
