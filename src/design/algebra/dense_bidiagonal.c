// SPDX-License-Identifier: Apache-2.0
#include "algebra/dense_bidiagonal.h"

#include <float.h>
#include <math.h>

#include "algebra/dense_reflect.h"
#include "math/elementary.h"
#include "math/order.h"

// ---- the reduction -----------------------------------------------------------------------------

// Column j, from the diagonal on, becomes (d, 0, …): its reflection goes to row j of ut.
static double *reflect_column(cfpci_bidiagonal *it, const double *a, int32_t j)
{
    double *v = it->ut.table + (size_t)j * (size_t)it->ut.width + j;
    for (int32_t i = j; i < it->m; i++)
        v[i - j] = a[(size_t)i * (size_t)it->n + (size_t)j];
    it->f[j] = cfpci_reflect(it->m - j, v, &it->d[j]);
    return v;
}

// Row j, right of the diagonal, has got the reflection of column j and becomes (e, 0, …): its own
// goes to row j + 1 of vt.
static double *reflect_row(cfpci_bidiagonal *it, const double *row, int32_t j)
{
    double *u = it->vt.table + (size_t)(j + 1) * (size_t)it->vt.width + j + 1;
    for (int32_t i = 0; i < it->n - j - 1; i++)
        u[i] = row[i] - it->w[i];
    it->g[j + 1] = cfpci_reflect(it->n - j - 1, u, &it->e[j]);
    return u;
}

// Both reach the rows below and the columns to the right.
static void reduce_once(cfpci_bidiagonal *it, double *a, int32_t j)
{
    const size_t n = (size_t)it->n;
    const int32_t right = it->n - j - 1, below = it->m - j - 1;
    const double *v = reflect_column(it, a, j);
    double *row = a + (size_t)j * n + j + 1;
    it->e[j] = 0;
    if (right == 0)
        return;
    cfpci_reflect_weigh(below + 1, right, row, n, it->f[j], v, it->w);
    const double *u = reflect_row(it, row, j);
    cfpci_reflect_both(below, right, row + n, n, v + 1, it->w, it->g[j + 1], u);
}

// A table of (rows x width) whose columns from `columns` on are padding.
static void pad(cfpci_rotated *it, int32_t columns)
{
    for (int32_t i = 0; i < it->rows; i++)
        for (int32_t j = columns; j < it->width; j++)
            it->table[(size_t)i * (size_t)it->width + (size_t)j] = 0;
}

// The first row and column of V are those of the identity.
static void unfold(cfpci_bidiagonal *it)
{
    const size_t down = (size_t)it->vt.width;
    cfpci_reflect_unfold(it->n, it->m, it->ut.table, (size_t)it->ut.width, it->f);
    cfpci_reflect_unfold(it->n - 1, it->n - 1, it->vt.table + down + 1, down, it->g + 1);
    for (int32_t i = 0; i < it->n; i++)
        it->vt.table[i] = it->vt.table[(size_t)i * down] = i == 0;
    pad(&it->ut, it->m);
    pad(&it->vt, it->n);
}

void cfpci_bidiagonal_reduce(cfpci_bidiagonal *it, double *a, bool vectors)
{
    for (int32_t j = 0; j < it->n; j++)
        reduce_once(it, a, j);
    if (vectors)
        unfold(it);
}

// ---- the iteration -----------------------------------------------------------------------------

// The smaller singular value of the last two rows of a block that ends at `last`.
static double shift_of(const cfpci_bidiagonal *it, int32_t last)
{
    const double f = fabs(it->d[last - 1]), g = fabs(it->e[last - 1]), h = fabs(it->d[last]);
    const double low = cfpci_min(f, h), high = cfpci_max(f, h);
    if (low == 0)
        return 0;
    const double sum = cfpci_hypot(high + low, g), difference = cfpci_hypot(high - low, g);
    return low * (high / (0.5 * (sum + difference)));
}

// A singular B converges at once without a shift.
static bool is_singular(const cfpci_bidiagonal *it, int32_t first, int32_t last)
{
    for (int32_t i = first; i <= last; i++)
        if (it->d[i] == 0)
            return true;
    return false;
}

// One implicit step of QR with a shift on the rows first to last.
static void sweep(cfpci_bidiagonal *it, int32_t first, int32_t last)
{
    double *d = it->d, *e = it->e;
    const double shift = is_singular(it, first, last) ? 0 : shift_of(it, last);
    cfpci_rotation *left = cfpci_rotated_sweep(&it->ut, first, last);
    cfpci_rotation *right = cfpci_rotated_sweep(&it->vt, first, last);
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
static double negligible(const cfpci_bidiagonal *it)
{
    double most = 0;
    for (int32_t i = 0; i < it->n; i++)
        most = cfpci_max(most, cfpci_max(fabs(it->d[i]), fabs(it->e[i])));
    return 2 * DBL_EPSILON * most;
}

// First row of the block that ends at `last`.
static int32_t block_start(cfpci_bidiagonal *it, int32_t last, double small)
{
    int32_t first = last;
    while (first > 0 && fabs(it->e[first - 1]) > small)
        first--;
    if (first > 0)
        it->e[first - 1] = 0;
    for (int32_t i = first; i <= last; i++)
        if (fabs(it->d[i]) <= small)
            it->d[i] = 0;
    return first;
}

enum { MAX_SWEEPS = 60 }; // per singular value; three are usual

cfpc_status cfpci_bidiagonal_values(cfpci_bidiagonal *it)
{
    const double small = negligible(it);
    int64_t left = (int64_t)MAX_SWEEPS * it->n;
    for (int32_t last = it->n - 1; last > 0;) {
        const int32_t first = block_start(it, last, small);
        if (first == last)
            last--;
        else if (left-- > 0)
            sweep(it, first, last);
        else
            return CFPC_NO_CONVERGENCE;
    }
    cfpci_rotated_apply(&it->ut);
    cfpci_rotated_apply(&it->vt);
    return CFPC_OK;
}
