// SPDX-License-Identifier: Apache-2.0
// frequency: transfer functions of systems without lines at any complex frequency, by elimination.
#ifndef CFPC_TESTS_FREQUENCY_H
#define CFPC_TESTS_FREQUENCY_H

#include <complex.h>

#include "cfpc/system.h"
#include "harness.h"

enum {
    FREQUENCY_MAX = 8 // states
};

// Solves a x = b (n) in place by elimination with pivots; b becomes x.
static inline void complex_solve(int n, double complex a[][FREQUENCY_MAX], double complex *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            best = cabs(a[i][k]) > cabs(a[best][k]) ? i : best;
        for (int j = 0; j < n; j++) {
            const double complex kept = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = kept;
        }
        const double complex kept = b[k];
        b[k] = b[best];
        b[best] = kept;
        for (int i = k + 1; i < n; i++) {
            const double complex ratio = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= ratio * a[k][j];
            b[i] -= ratio * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

// C (pI - A)⁻¹ B + D from one input to one output; p is s of a continuous system, z of a discrete.
static inline double complex transfer_at(const cfpc_system *sys, int input, int output,
                                         double complex p)
{
    const int n = sys->states, columns = cfpc_system_columns(sys);
    double complex a[FREQUENCY_MAX][FREQUENCY_MAX], x[FREQUENCY_MAX];
    assert_true(n <= FREQUENCY_MAX && sys->lines == 0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i][j] = (i == j ? p : 0) - sys->matrix[i * columns + j];
        x[i] = sys->matrix[i * columns + n + input];
    }
    complex_solve(n, a, x);
    const double *row = sys->matrix + (n + output) * columns;
    double complex sum = row[n + input];
    for (int i = 0; i < n; i++)
        sum += row[i] * x[i];
    return sum;
}

#endif
