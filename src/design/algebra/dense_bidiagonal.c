// SPDX-License-Identifier: Apache-2.0
#include "algebra/dense_bidiagonal.h"

#include <float.h>
#include <math.h>

#include "algebra/dense_reflect.h"
#include "math/elementary.h"
#include "math/order.h"

// ---- the reduction -----------------------------------------------------------------------------

// Column j, from the diagonal on, becomes (d, 0, …): its reflection goes to row j of ut.
static double *reflect_column(cfpci_bidiagonal *bidiagonal, const double *a, int32_t j)
{
    double *v = bidiagonal->ut.table + (size_t)j * (size_t)bidiagonal->ut.width + j;
    for (int32_t i = j; i < bidiagonal->m; i++)
        v[i - j] = a[(size_t)i * (size_t)bidiagonal->n + (size_t)j];
    bidiagonal->f[j] = cfpci_reflect(bidiagonal->m - j, v, &bidiagonal->d[j]);
    return v;
}

// Row j, right of the diagonal, has got the reflection of column j and becomes (e, 0, …): its own
// goes to row j + 1 of vt.
static double *reflect_row(cfpci_bidiagonal *bidiagonal, const double *row, int32_t j)
{
    double *u = bidiagonal->vt.table + (size_t)(j + 1) * (size_t)bidiagonal->vt.width + j + 1;
    for (int32_t i = 0; i < bidiagonal->n - j - 1; i++)
        u[i] = row[i] - bidiagonal->w[i];
    bidiagonal->g[j + 1] = cfpci_reflect(bidiagonal->n - j - 1, u, &bidiagonal->e[j]);
    return u;
}

// Both reach the rows below and the columns to the right.
static void reduce_once(cfpci_bidiagonal *bidiagonal, double *a, int32_t j)
{
    const size_t n = (size_t)bidiagonal->n;
    const int32_t right = bidiagonal->n - j - 1, below = bidiagonal->m - j - 1;
    const double *v = reflect_column(bidiagonal, a, j);
    double *row = a + (size_t)j * n + j + 1;
    bidiagonal->e[j] = 0;
    if (right == 0)
        return;
    cfpci_reflect_weigh(below + 1, right, row, n, bidiagonal->f[j], v, bidiagonal->w);
    const double *u = reflect_row(bidiagonal, row, j);
    cfpci_reflect_both(below, right, row + n, n, v + 1, bidiagonal->w, bidiagonal->g[j + 1], u);
}

// A table of (rows x width) whose columns from `columns` on are padding.
static void pad(cfpci_rotated *rotated, int32_t columns)
{
    for (int32_t i = 0; i < rotated->rows; i++)
        for (int32_t j = columns; j < rotated->width; j++)
            rotated->table[(size_t)i * (size_t)rotated->width + (size_t)j] = 0;
}

// The first row and column of V are those of the identity.
static void unfold(cfpci_bidiagonal *bidiagonal)
{
    const size_t down = (size_t)bidiagonal->vt.width;
    cfpci_reflect_unfold(bidiagonal->n, bidiagonal->m, bidiagonal->ut.table,
                         (size_t)bidiagonal->ut.width, bidiagonal->f);
    cfpci_reflect_unfold(bidiagonal->n - 1, bidiagonal->n - 1, bidiagonal->vt.table + down + 1,
                         down, bidiagonal->g + 1);
    for (int32_t i = 0; i < bidiagonal->n; i++)
        bidiagonal->vt.table[i] = bidiagonal->vt.table[(size_t)i * down] = i == 0;
    pad(&bidiagonal->ut, bidiagonal->m);
    pad(&bidiagonal->vt, bidiagonal->n);
}

void cfpci_bidiagonal_reduce(cfpci_bidiagonal *bidiagonal, double *a, bool vectors)
{
    for (int32_t j = 0; j < bidiagonal->n; j++)
        reduce_once(bidiagonal, a, j);
    if (vectors)
        unfold(bidiagonal);
}

// ---- the iteration -----------------------------------------------------------------------------

// The smaller singular value of the last two rows of a block that ends at `last`.
static double bidiagonal_shift_of(const cfpci_bidiagonal *bidiagonal, int32_t last)
{
    const double f = fabs(bidiagonal->d[last - 1]), g = fabs(bidiagonal->e[last - 1]),
                 h = fabs(bidiagonal->d[last]);
    const double low = cfpci_min(f, h), high = cfpci_max(f, h);
    if (low == 0)
        return 0;
    const double sum = cfpci_hypot(high + low, g), difference = cfpci_hypot(high - low, g);
    return low * (high / (0.5 * (sum + difference)));
}

// A singular B converges at once without a shift.
static bool is_singular(const cfpci_bidiagonal *bidiagonal, int32_t first, int32_t last)
{
    for (int32_t i = first; i <= last; i++)
        if (bidiagonal->d[i] == 0)
            return true;
    return false;
}

// One implicit step of QR with a shift on the rows first to last.
static void bidiagonal_sweep(cfpci_bidiagonal *bidiagonal, int32_t first, int32_t last)
{
    double *d = bidiagonal->d, *e = bidiagonal->e;
    const double shift =
        is_singular(bidiagonal, first, last) ? 0 : bidiagonal_shift_of(bidiagonal, last);
    cfpci_rotation *left = cfpci_rotated_sweep(&bidiagonal->ut, first, last);
    cfpci_rotation *right = cfpci_rotated_sweep(&bidiagonal->vt, first, last);
    double f = d[first], g = e[first];
    if (shift > 0)
        f = (fabs(f) - shift) * (copysign(1, f) + shift / f);
    for (int32_t i = first; i < last; i++) {
        double r = cfpci_rotation_make(f, g, &right[i]), c = right[i].c, s = right[i].s;
        if (i > first)
            e[i - 1] = r;
        f = c * d[i] + s * e[i];
        e[i] = c * e[i] - s * d[i];
        g = s * d[i + 1];
        d[i + 1] *= c;
        d[i] = cfpci_rotation_make(f, g, &left[i]);
        c = left[i].c, s = left[i].s;
        f = c * e[i] + s * d[i + 1];
        d[i + 1] = c * d[i + 1] - s * e[i];
        g = i + 1 < last ? s * e[i + 1] : 0;
        if (i + 1 < last)
            e[i + 1] *= c;
    }
    e[last - 1] = f;
}

// What is below this counts as zero: no more than the rounding of the reduction, and so much that
// the shift of two equal rows, which has lost what is smaller, still tells them apart.
static double negligible(const cfpci_bidiagonal *bidiagonal)
{
    double most = 0;
    for (int32_t i = 0; i < bidiagonal->n; i++)
        most = cfpci_max(most, cfpci_max(fabs(bidiagonal->d[i]), fabs(bidiagonal->e[i])));
    return 2 * DBL_EPSILON * most;
}

// First row of the block that ends at `last`.
static int32_t bidiagonal_block_start(cfpci_bidiagonal *bidiagonal, int32_t last, double small)
{
    int32_t first = last;
    while (first > 0 && fabs(bidiagonal->e[first - 1]) > small)
        first--;
    if (first > 0)
        bidiagonal->e[first - 1] = 0;
    for (int32_t i = first; i <= last; i++)
        if (fabs(bidiagonal->d[i]) <= small)
            bidiagonal->d[i] = 0;
    return first;
}

enum { MAX_SWEEPS = 60 }; // per singular value; three are usual

cfpc_status cfpci_bidiagonal_values(cfpci_bidiagonal *bidiagonal)
{
    const double small = negligible(bidiagonal);
    int64_t left = (int64_t)MAX_SWEEPS * bidiagonal->n;
    for (int32_t last = bidiagonal->n - 1; last > 0;) {
        const int32_t first = bidiagonal_block_start(bidiagonal, last, small);
        if (first == last)
            last--;
        else if (left-- > 0)
            bidiagonal_sweep(bidiagonal, first, last);
        else
            return CFPC_NO_CONVERGENCE;
    }
    cfpci_rotated_apply(&bidiagonal->ut);
    cfpci_rotated_apply(&bidiagonal->vt);
    return CFPC_OK;
}
