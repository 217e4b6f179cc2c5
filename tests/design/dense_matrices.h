// SPDX-License-Identifier: Apache-2.0
// dense_matrices: matrices that dense algebra finds hard, by kind.
#ifndef CFPC_TESTS_DENSE_MATRICES_H
#define CFPC_TESTS_DENSE_MATRICES_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

// A number between -1 and 1.
static inline double drawn(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*state >> 11) * 0x1p-52 - 1;
}

typedef enum matrix_kind {
    RANDOM,
    GRADED,    // rows and columns from 1 down to 1e-12
    HANKEL,    // of a sum of three exponentials
    DEFICIENT, // of rank 2
    DELAY,     // a delay line: nilpotent, in an order that hides it
    COMPANION, // of a polynomial with roots around the unit circle
    DEFECTIVE, // one eigenvalue, one eigenvector, turned
    NEAR_ONE,  // the identity and a random 1e-9
    HUGE_ONE,  // random, times 1e300
    TINY_ONE,  // random, times 1e-300
    ZERO,
    MIXED,      // blocks of 1, beside them 1e-150 to 1e-162, whose squares lose bits or vanish
    HUGE_MIXED, // that, times 1e150
    MATRIX_KINDS
} matrix_kind;

// Three rows and columns of the small numbers first, then blocks of three. No matrix has nothing
// else.
static inline double mixed_size(int32_t m, int32_t n, int32_t i, int32_t j)
{
    if (m <= 3 || n <= 3 || (i / 3 == j / 3 && i / 3 > 0))
        return 1;
    return pow(10, -150 - 3 * ((m > n ? m : n) % 5));
}

static inline double matrix_entry(matrix_kind kind, int32_t m, int32_t n, int32_t i, int32_t j,
                                  uint64_t *state)
{
    const double x = drawn(state);
    const int32_t most = m > n ? m : n, step = most > 5 && most % 3 != 0 ? 3 : 1;
    switch (kind) {
    case RANDOM:
        return x;
    case GRADED:
        return x * pow(10, -6.0 * (i + j) / most);
    case HANKEL:
        return exp(-0.05 * (i + j)) + 0.5 * exp(-0.3 * (i + j)) - 0.2 * exp(-1.1 * (i + j));
    case DEFICIENT:
        return cos(0.3 * i) * sin(0.7 * j + 0.2) + 0.1 * (i + 1) * cos(j);
    case DELAY: // entry i of the line is kept at (step i) mod n
        for (int32_t k = 0; k + 1 < most; k++)
            if ((k * step) % most == j && ((k + 1) * step) % most == i)
                return 1;
        return 0;
    case COMPANION:
        return i == 0 ? (j == most - 1 ? 0.9 : 0.1 * x) : i == j + 1;
    case DEFECTIVE:
        return i == j ? 2 : j == i + 1 ? 1 : 0;
    case NEAR_ONE:
        return 1e-9 * x + (i == j);
    case HUGE_ONE:
        return 1e300 * x;
    case TINY_ONE:
        return 1e-300 * x;
    case MIXED:
        return x * mixed_size(m, n, i, j);
    case HUGE_MIXED:
        return 1e150 * x * mixed_size(m, n, i, j);
    default:
        return 0;
    }
}

// A matrix (m x n), to be freed.
static inline double *matrix_of(matrix_kind kind, int32_t m, int32_t n)
{
    uint64_t state = (uint64_t)kind * 1000003u + (uint64_t)m * 1009u + (uint64_t)n;
    double *a = malloc(((size_t)m * (size_t)n + 1) * sizeof *a);
    for (int32_t i = 0; a && i < m; i++)
        for (int32_t j = 0; j < n; j++)
            a[(size_t)i * (size_t)n + (size_t)j] = matrix_entry(kind, m, n, i, j, &state);
    return a;
}

// The power of 2 that brings a kind to about 1: exact.
static inline double unit_of(matrix_kind kind)
{
    return kind == HUGE_ONE     ? 0x1p-997
           : kind == TINY_ONE   ? 0x1p996
           : kind == HUGE_MIXED ? 0x1p-498
                                : 1;
}

// A bidiagonal matrix (n x n), to be freed, closed to a cycle by a 1: row i has twice
// 10^(-decades i / (n - 1)), from the last row up if it is rising, or alternately 1 and
// 10^-decades.
typedef enum cycle_kind { FALLING, RISING, ALTERNATING, CYCLE_KINDS } cycle_kind;

static inline double *cycle_of(cycle_kind kind, double decades, int32_t n)
{
    double *a = calloc((size_t)n * (size_t)n, sizeof *a);
    for (int32_t i = 0; a && i < n; i++) {
        const double along = (double)i / (n - 1);
        const double power = kind == FALLING ? along : kind == RISING ? 1 - along : i % 2 == 0;
        a[i * n + i] = a[i * n + (i + 1) % n] = pow(10, -decades * power);
    }
    if (a)
        a[(n - 1) * n] = 1;
    return a;
}

static inline double *copy_of(size_t count, const double *a)
{
    double *copy = malloc((count + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = a[i];
    return copy;
}

#endif
