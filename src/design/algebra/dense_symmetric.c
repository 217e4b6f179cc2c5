// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of a symmetric matrix in plain C: a tridiagonal one of the same eigenvalues by
// reflections, from the last row up, then implicit QR steps.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "algebra/dense.h"
#include "algebra/dense_reflect.h"
#include "algebra/dense_rotate.h"
#include "algebra/dense_rows.h"
#include "algebra/inline_vectors.h"
#include "math/elementary.h"

typedef struct symmetric {
    int32_t n;
    double *a;       // its lower triangle counts               (n x n)
    double *d, *e;   // diagonal, and what is beside it         (n) each
    double *f;       // of the reflections                      (n)
    double *w;       //                                         (n)
    cfpci_rotated q; // eigenvectors as rows
} symmetric;

// ---- the reduction -----------------------------------------------------------------------------

// w = a v, of the leading part (n x n) of a whose lower triangle is read.
CFPC_WIDE static void symmetric_times(int32_t n, const double *a, size_t down, const double *v,
                                      double *w)
{
    for (int32_t i = 0; i < n; i++) {
        const double *row = a + (size_t)i * down;
        w[i] = cfpci_row_dot(i + 1, row, v);
        cfpci_row_add(i, w, v[i], row);
    }
}

// a -= v wᵀ + w vᵀ, its lower triangle.
CFPC_WIDE static void symmetric_subtract(int32_t n, double *a, size_t down, const double *v,
                                         const double *w)
{
    for (int32_t i = 0; i < n; i++, a += down)
        for (int32_t j = 0; j <= i; j++)
            a[j] -= v[i] * w[j] + w[i] * v[j];
}

// In reverse order, from the last row up. The basis is what is unfolded of the reflections; its
// first row and column are those of the identity.
static void symmetric_reduce(symmetric *symmetric)
{
    const int32_t n = symmetric->n;
    const size_t down = (size_t)symmetric->q.width;
    double *q = symmetric->q.table, *f = symmetric->f, *w = symmetric->w;
    for (int32_t i = n - 1; i >= 0; i--) {
        const int32_t k = n - i;
        double *row = symmetric->a + (size_t)i * (size_t)n, *v = q + (size_t)k * down + k;
        symmetric->d[k - 1] = row[i];
        if (i == 0)
            break;
        // The row left of the diagonal becomes (0, …, 0, e), its reflection, in reverse order, row
        // k of the table: there it begins at entry k, as unfolding needs it.
        for (int32_t j = 0; j < i; j++)
            v[j] = row[i - 1 - j];
        f[k] = cfpci_reflect(i, v, &symmetric->e[k - 1]);
        for (int32_t j = 0; j < i; j++)
            row[j] = v[i - 1 - j];
        symmetric_times(i, symmetric->a, (size_t)n, row, w);
        cfpci_dense_scale(i, w, f[k]);
        cfpci_row_add(i, w, -f[k] / 2 * cfpci_row_dot(i, w, row), row);
        symmetric_subtract(i, symmetric->a, (size_t)n, row, w);
    }
    symmetric->e[n - 1] = 0;
    cfpci_reflect_unfold(n - 1, n - 1, q + down + 1, down, f + 1);
    for (size_t i = 0; i < (size_t)n; i++)
        q[i] = q[i * down] = i == 0;
    cfpci_rotated_pad(&symmetric->q, n);
}

// ---- the iteration -----------------------------------------------------------------------------

// One implicit step of QR on the rows first to last.
static void symmetric_sweep(symmetric *symmetric, int32_t first, int32_t last)
{
    double *d = symmetric->d, *e = symmetric->e;
    // The shift is the eigenvalue of the last two rows that is nearer to the last (Wilkinson).
    const double half = (d[last - 1] - d[last]) / (2 * e[last - 1]);
    const double shift = d[last] - e[last - 1] / (half + copysign(cfpci_hypot(half, 1), half));
    double f = d[first] - shift, g = e[first];
    cfpci_rotation *turn = cfpci_rotated_sweep(&symmetric->q, first, last);
    for (int32_t i = first; i < last; i++) {
        const double r = cfpci_rotation_make(f, g, &turn[i]), c = turn[i].c, s = turn[i].s;
        if (i > first)
            e[i - 1] = r;
        const double upper = c * d[i] + s * e[i], mixed = c * e[i] + s * d[i + 1];
        const double lower = c * e[i] - s * d[i], other = c * d[i + 1] - s * e[i];
        d[i] = c * upper + s * mixed;
        e[i] = c * mixed - s * upper;
        d[i + 1] = c * other - s * lower;
        f = e[i];
        if (i + 1 < last) {
            g = s * e[i + 1];
            e[i + 1] *= c;
        }
    }
}

enum { MAX_SWEEPS = 60 }; // per eigenvalue; two are usual

static cfpc_status symmetric_iterate(symmetric *symmetric, double largest)
{
    const double least = largest * DBL_EPSILON * DBL_EPSILON; // zero beside any other number
    const double *d = symmetric->d;
    int64_t left = (int64_t)MAX_SWEEPS * symmetric->n;
    for (int32_t last = symmetric->n - 1; last > 0;) {
        int32_t first = last; // of the block that ends at `last`
        while (first > 0 && fabs(symmetric->e[first - 1]) >
                                DBL_EPSILON / 2 * (fabs(d[first - 1]) + fabs(d[first])) + least)
            first--;
        if (first > 0)
            symmetric->e[first - 1] = 0;
        if (first == last)
            last--;
        else if (left-- > 0)
            symmetric_sweep(symmetric, first, last);
        else
            return CFPC_NO_CONVERGENCE;
    }
    cfpci_rotated_apply(&symmetric->q);
    return CFPC_OK;
}

// ---- the whole ---------------------------------------------------------------------------------

cfpc_status cfpci_dense_symmetric(int32_t n, double *a, double *values)
{
    const size_t each = (size_t)n;
    const int64_t entries = (int64_t)n * n;
    const double largest = cfpci_dense_largest(entries, a);
    if (isnan(largest))
        return CFPC_BAD_VALUE;
    if (n == 0)
        return CFPC_OK;
    if (isinf(largest)) {
        cfpci_dense_fill(entries, a, NAN);
        cfpci_dense_fill(n, values, NAN);
        return CFPC_OK;
    }
    double *memory = malloc((3 * each + cfpci_rotated_room(n, n)) * sizeof *memory);
    if (!memory)
        return CFPC_NO_MEMORY;
    symmetric symmetric = {.n = n, .a = a, .d = values, .e = memory, .f = memory + each};
    symmetric.w = memory + 2 * each;
    symmetric.q = cfpci_rotated_in(memory + 3 * each, n, n);
    const double size = cfpci_dense_shrink(entries, a, largest);
    for (size_t i = 0; i < each; i++) // the upper triangle is read, as LAPACK does
        for (size_t j = 0; j < i; j++)
            a[i * each + j] = a[j * each + i];
    symmetric_reduce(&symmetric);
    const cfpc_status status = symmetric_iterate(&symmetric, largest / size);
    cfpci_rotated_sort(values, false, &symmetric.q, NULL);
    for (size_t i = 0; i < each; i++) // the table holds vectors in reverse order
        for (size_t j = 0; j < each; j++)
            a[i * each + j] = symmetric.q.table[i * (size_t)symmetric.q.width + each - 1 - j];
    free(memory);
    if (size != 1)
        cfpci_dense_scale(n, values, size);
    return status;
}
