// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of a symmetric matrix in plain C: a tridiagonal one of the same eigenvalues by
// reflections, from the last row up, then implicit QR steps.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// Row i left of the diagonal becomes (0, …, 0, e), its reflection, in reverse order, row n - i of
// the table: there reflection k begins at entry k, as unfolding needs it.
static void reduce_row(symmetric *symmetric, int32_t i)
{
    const int32_t k = symmetric->n - i;
    double *row = symmetric->a + (size_t)i * (size_t)symmetric->n;
    double *v = symmetric->q.table + (size_t)k * (size_t)symmetric->q.width + k;
    for (int32_t j = 0; j < i; j++)
        v[j] = row[i - 1 - j];
    symmetric->f[k] = cfpci_reflect(i, v, &symmetric->e[k - 1]);
    for (int32_t j = 0; j < i; j++)
        row[j] = v[i - 1 - j];
    symmetric_times(i, symmetric->a, (size_t)symmetric->n, row, symmetric->w);
    cfpci_dense_scale(i, symmetric->w, symmetric->f[k]);
    cfpci_row_add(i, symmetric->w, -symmetric->f[k] / 2 * cfpci_row_dot(i, symmetric->w, row), row);
    symmetric_subtract(i, symmetric->a, (size_t)symmetric->n, row, symmetric->w);
}

// In reverse order, as the reflections are. The first row and column of the basis are those of the
// identity.
static void reduce(symmetric *symmetric)
{
    const size_t n = (size_t)symmetric->n, down = (size_t)symmetric->q.width;
    for (int32_t i = symmetric->n - 1; i >= 0; i--) {
        symmetric->d[symmetric->n - 1 - i] = symmetric->a[(size_t)i * n + (size_t)i];
        if (i > 0)
            reduce_row(symmetric, i);
    }
    symmetric->e[n - 1] = 0;
    cfpci_reflect_unfold(symmetric->n - 1, symmetric->n - 1, symmetric->q.table + down + 1, down,
                         symmetric->f + 1);
    for (size_t i = 0; i < n; i++) {
        symmetric->q.table[i] = symmetric->q.table[i * down] = i == 0;
        memset(symmetric->q.table + i * down + n, 0, (down - n) * sizeof(double));
    }
}

// ---- the iteration -----------------------------------------------------------------------------

// The eigenvalue of the last two rows that is nearer to the last (Wilkinson).
static double symmetric_shift_of(const symmetric *symmetric, int32_t last)
{
    const double e = symmetric->e[last - 1],
                 g = (symmetric->d[last - 1] - symmetric->d[last]) / (2 * e);
    return symmetric->d[last] - e / (g + copysign(cfpci_hypot(g, 1), g));
}

// One implicit step of QR on the rows first to last.
static void symmetric_sweep(symmetric *symmetric, int32_t first, int32_t last)
{
    double *d = symmetric->d, *e = symmetric->e;
    double f = d[first] - symmetric_shift_of(symmetric, last), g = e[first];
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

// First row of the block that ends at `last`; least: what is zero beside any other number.
static int32_t symmetric_block_start(symmetric *symmetric, int32_t last, double least)
{
    const double *d = symmetric->d;
    int32_t first = last;
    while (first > 0 && fabs(symmetric->e[first - 1]) >
                            DBL_EPSILON / 2 * (fabs(d[first - 1]) + fabs(d[first])) + least)
        first--;
    if (first > 0)
        symmetric->e[first - 1] = 0;
    return first;
}

enum { MAX_SWEEPS = 60 }; // per eigenvalue; two are usual

static cfpc_status symmetric_iterate(symmetric *symmetric, double largest)
{
    const double least = largest * DBL_EPSILON * DBL_EPSILON;
    int64_t left = (int64_t)MAX_SWEEPS * symmetric->n;
    for (int32_t last = symmetric->n - 1; last > 0;) {
        const int32_t first = symmetric_block_start(symmetric, last, least);
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

static void symmetric_sort(symmetric *symmetric)
{
    const size_t down = (size_t)symmetric->q.width;
    for (int32_t i = 0; i < symmetric->n; i++) {
        int32_t least = i;
        for (int32_t j = i + 1; j < symmetric->n; j++)
            least = symmetric->d[j] < symmetric->d[least] ? j : least;
        if (least == i)
            continue;
        cfpci_row_swap(1, &symmetric->d[i], &symmetric->d[least]);
        cfpci_row_swap(symmetric->n, symmetric->q.table + (size_t)i * down,
                       symmetric->q.table + (size_t)least * down);
    }
}

// The upper triangle is read, as LAPACK does; the table holds vectors in reverse order.
static void mirror(int32_t n, double *a)
{
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = 0; j < i; j++)
            a[i * (size_t)n + j] = a[j * (size_t)n + i];
}

static void symmetric_put(const symmetric *symmetric, double *a, double *values)
{
    const size_t n = (size_t)symmetric->n;
    memcpy(values, symmetric->d, n * sizeof *values);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            a[i * n + j] = symmetric->q.table[i * (size_t)symmetric->q.width + n - 1 - j];
}

static cfpc_status symmetric_of_sized(int32_t n, double *a, double *values, double largest)
{
    const int32_t width = (n + CFPCI_LANES - 1) / CFPCI_LANES * CFPCI_LANES;
    const size_t each = (size_t)n, wide = each * (size_t)width;
    double *memory = malloc((wide + (2 * CFPCI_SWEEPS + 4) * each) * sizeof *memory);
    if (!memory)
        return CFPC_NO_MEMORY;
    symmetric symmetric = {.n = n, .a = a, .d = memory, .e = memory + each, .f = memory + 2 * each};
    symmetric.w = memory + 3 * each;
    symmetric.q = (cfpci_rotated){.rows = n,
                                  .width = width,
                                  .table = memory + 4 * each,
                                  .turn = (cfpci_rotation *)(memory + 4 * each + wide)};
    mirror(n, a);
    reduce(&symmetric);
    const cfpc_status status = symmetric_iterate(&symmetric, largest);
    symmetric_sort(&symmetric);
    symmetric_put(&symmetric, a, values);
    free(memory);
    return status;
}

cfpc_status cfpci_dense_symmetric(int32_t n, double *a, double *values)
{
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
    const double size = cfpci_dense_shrink(entries, a, largest);
    const cfpc_status status = symmetric_of_sized(n, a, values, largest / size);
    if (size != 1)
        cfpci_dense_scale(n, values, size);
    return status;
}
