// SPDX-License-Identifier: Apache-2.0
// Singular values in plain C: of a tall matrix, or of the transpose of a wide one. Reflections turn
// it into a = U B Vᵀ with a bidiagonal B, of which implicit QR steps find the singular values
// (Golub & Kahan).
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_reflect.h"
#include "algebra/dense_rotate.h"
#include "algebra/dense_rows.h"
#include "math/elementary.h"
#include "math/order.h"

// Both tables hold columns as rows: Uᵀ (n x m) and Vᵀ (n x n), padded by zeros. All arrays are one
// allocation, which starts at d.
typedef struct svd {
    int32_t m, n;         // m >= n
    double *d;            // diagonal of B, then the singular values        (n)
    double *e;            // above it                                       (n)
    double *f, *g;        // factors of the reflections, left and right     (n) each
    double *w;            //                                                (n)
    cfpci_rotated ut, vt; //
    double *a;            // room for a matrix                              (m x n)
} svd;

static bool svd_make(svd *made, int32_t m, int32_t n)
{
    const size_t each = (size_t)n, u = cfpci_rotated_room(n, m), v = cfpci_rotated_room(n, n);
    double *d = malloc((5 * each + u + v + each * (size_t)m) * sizeof *d);
    if (!d)
        return false;
    double *next = d + 5 * each;
    *made = (svd){.m = m,
                  .n = n,
                  .d = d,
                  .e = d + each,
                  .f = d + 2 * each,
                  .g = d + 3 * each,
                  .w = d + 4 * each,
                  .ut = cfpci_rotated_in(next, n, m),
                  .vt = cfpci_rotated_in(next + u, n, n),
                  .a = next + u + v};
    return true;
}

// ---- the reduction -----------------------------------------------------------------------------

// Column j, from the diagonal on, becomes (d, 0, …), then row j, right of it, (e, 0, …). Both
// reflections reach the rows below and the columns to the right.
static void svd_reduce_once(svd *svd, double *a, int32_t j)
{
    const size_t n = (size_t)svd->n;
    const int32_t right = svd->n - j - 1, below = svd->m - j - 1;
    // The column's reflection goes to row j of ut.
    double *v = svd->ut.table + (size_t)j * (size_t)svd->ut.width + j;
    for (int32_t i = j; i < svd->m; i++)
        v[i - j] = a[(size_t)i * n + (size_t)j];
    svd->f[j] = cfpci_reflect(svd->m - j, v, &svd->d[j]);
    svd->e[j] = 0;
    if (right == 0)
        return;

    // The row gets it first; its own goes to row j + 1 of vt.
    double *row = a + (size_t)j * n + j + 1;
    double *u = svd->vt.table + (size_t)(j + 1) * (size_t)svd->vt.width + j + 1;
    cfpci_reflect_weigh(below + 1, right, row, n, svd->f[j], v, svd->w);
    for (int32_t i = 0; i < right; i++)
        u[i] = row[i] - svd->w[i];
    svd->g[j + 1] = cfpci_reflect(right, u, &svd->e[j]);
    cfpci_reflect_both(below, right, row + n, n, v + 1, svd->w, svd->g[j + 1], u);
}

// Reduces a (m x n, destroyed). With vectors, ut and vt become the first n columns of U and V as
// rows; without, they are scratch.
static void svd_reduce(svd *svd, double *a, bool vectors)
{
    for (int32_t j = 0; j < svd->n; j++)
        svd_reduce_once(svd, a, j);
    if (!vectors) {
        svd->ut.table = svd->vt.table = NULL;
        return;
    }
    const size_t down = (size_t)svd->vt.width;
    cfpci_reflect_unfold(svd->n, svd->m, svd->ut.table, (size_t)svd->ut.width, svd->f);
    cfpci_reflect_unfold(svd->n - 1, svd->n - 1, svd->vt.table + down + 1, down, svd->g + 1);
    for (int32_t i = 0; i < svd->n; i++) // the first row and column of V are those of the identity
        svd->vt.table[i] = svd->vt.table[(size_t)i * down] = i == 0;
    cfpci_rotated_pad(&svd->ut, svd->m);
    cfpci_rotated_pad(&svd->vt, svd->n);
}

// ---- the iteration -----------------------------------------------------------------------------

// The smaller singular value of the last two rows of a block; 0 if the block is singular, which
// converges at once without a shift.
static double svd_shift_of(const svd *svd, int32_t first, int32_t last)
{
    for (int32_t i = first; i <= last; i++)
        if (svd->d[i] == 0)
            return 0;
    const double f = fabs(svd->d[last - 1]), g = fabs(svd->e[last - 1]), h = fabs(svd->d[last]);
    const double low = cfpci_min(f, h), high = cfpci_max(f, h);
    const double sum = cfpci_hypot(high + low, g), difference = cfpci_hypot(high - low, g);
    return low * (high / (0.5 * (sum + difference)));
}

// One implicit step of QR with a shift on the rows first to last.
static void svd_sweep(svd *svd, int32_t first, int32_t last)
{
    double *d = svd->d, *e = svd->e;
    const double shift = svd_shift_of(svd, first, last);
    cfpci_rotation *left = cfpci_rotated_sweep(&svd->ut, first, last);
    cfpci_rotation *right = cfpci_rotated_sweep(&svd->vt, first, last);
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

enum { MAX_SWEEPS = 60 }; // per singular value; three are usual

// d becomes the singular values, not sorted, some negative; the rows of ut and vt, where there are
// tables, turn into the singular vectors.
static cfpc_status svd_iterate(svd *svd)
{
    // What is below `small` counts as zero: no more than the rounding of the reduction, and so much
    // that the shift of two equal rows, which has lost what is smaller, still tells them apart.
    double most = 0;
    for (int32_t i = 0; i < svd->n; i++)
        most = cfpci_max(most, cfpci_max(fabs(svd->d[i]), fabs(svd->e[i])));
    const double small = 2 * DBL_EPSILON * most;
    int64_t left = (int64_t)MAX_SWEEPS * svd->n;
    for (int32_t last = svd->n - 1; last > 0;) {
        int32_t first = last; // of the block that ends at `last`
        while (first > 0 && fabs(svd->e[first - 1]) > small)
            first--;
        if (first > 0)
            svd->e[first - 1] = 0;
        for (int32_t i = first; i <= last; i++)
            if (fabs(svd->d[i]) <= small)
                svd->d[i] = 0;
        if (first == last)
            last--;
        else if (left-- > 0)
            svd_sweep(svd, first, last);
        else
            return CFPC_NO_CONVERGENCE;
    }
    cfpci_rotated_apply(&svd->ut);
    cfpci_rotated_apply(&svd->vt);
    return CFPC_OK;
}

// ---- the whole ---------------------------------------------------------------------------------

cfpc_status cfpci_dense_svd(int32_t m, int32_t n, double *a, double *u, double *s, double *vt)
{
    const bool is_wide = m < n;
    const int32_t k = is_wide ? m : n;
    const int64_t entries = (int64_t)m * n;
    const double largest = cfpci_dense_largest(entries, a);
    if (isnan(largest))
        return CFPC_BAD_VALUE;
    if (k == 0)
        return CFPC_OK;
    if (isinf(largest)) {
        cfpci_dense_fill(u ? (int64_t)m * k : 0, u, NAN);
        cfpci_dense_fill(k, s, NAN);
        cfpci_dense_fill(u ? (int64_t)k * n : 0, vt, NAN);
        return CFPC_OK;
    }
    svd svd;
    if (!svd_make(&svd, is_wide ? n : m, k))
        return CFPC_NO_MEMORY;
    const double size = cfpci_dense_shrink(entries, a, largest);
    if (is_wide)
        cfpci_rows_transpose(m, n, a, (size_t)n, svd.a, (size_t)m);
    svd_reduce(&svd, is_wide ? svd.a : a, u != NULL);
    const cfpc_status status = svd_iterate(&svd);
    for (int32_t i = 0; status == CFPC_OK && i < k; i++)
        if (svd.d[i] < 0) {
            svd.d[i] = -svd.d[i];
            cfpci_dense_scale(u ? svd.vt.width : 0, cfpci_rotated_row(&svd.vt, i), -1);
        }
    if (status == CFPC_OK)
        cfpci_rotated_sort(svd.d, true, &svd.ut, &svd.vt);
    for (int32_t i = 0; i < k; i++)
        s[i] = svd.d[i] * size;
    if (u) { // from a table of its columns, and vt from one of its rows
        const cfpci_rotated *columns = is_wide ? &svd.vt : &svd.ut,
                            *rows = is_wide ? &svd.ut : &svd.vt;
        cfpci_rows_transpose(k, m, columns->table, (size_t)columns->width, u, (size_t)k);
        for (int32_t i = 0; i < k; i++)
            memcpy(vt + (size_t)i * (size_t)n, cfpci_rotated_row(rows, i), (size_t)n * sizeof *vt);
    }
    free(svd.d);
    return status;
}

cfpc_status cfpci_dense_two_norm(int32_t n, double *a, double *norm)
{
    double *s = calloc((size_t)n + 1, sizeof *s);
    const cfpc_status status = s ? cfpci_dense_svd(n, n, a, NULL, s, NULL) : CFPC_NO_MEMORY;
    *norm = status == CFPC_OK ? fabs(s[0]) : 0;
    free(s);
    return status;
}
