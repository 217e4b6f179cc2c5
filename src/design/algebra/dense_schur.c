// SPDX-License-Identifier: Apache-2.0
#include "algebra/dense_schur.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "algebra/dense_reflect.h"
#include "algebra/dense_rows.h"
#include "algebra/inline_vectors.h"
#include "math/order.h"

static double *entry(const cfpci_schur *it, int32_t i, int32_t j)
{
    return it->h + (size_t)i * (size_t)it->n + j;
}

// ---- to Hessenberg's form ----------------------------------------------------------------------

// Column j below the entry beside the diagonal becomes zero. What is outside of the middle matters
// to eigenvectors only.
static void reduce_column(cfpci_schur *it, int32_t j)
{
    const size_t n = (size_t)it->n;
    const int32_t count = it->end - j - 1, right = it->zt ? it->n : it->end;
    const int32_t top = it->zt ? 0 : it->first;
    double b;
    for (int32_t i = 0; i < count; i++)
        it->v[i] = *entry(it, j + 1 + i, j);
    const double f = cfpci_reflect(count, it->v, &b);
    *entry(it, j + 1, j) = b;
    for (int32_t i = 1; i < count; i++)
        *entry(it, j + 1 + i, j) = 0;
    if (f == 0)
        return;
    double *from = entry(it, j + 1, j + 1);
    cfpci_reflect_weigh(count, right - j - 1, from, n, f, it->v, it->w);
    cfpci_reflect_left(count, right - j - 1, from, n, it->v, it->w);
    cfpci_reflect_right(it->end - top, count, entry(it, top, j + 1), n, f, it->v);
    if (!it->zt)
        return;
    from = it->zt + (size_t)(j + 1) * n;
    cfpci_reflect_weigh(count, it->n, from, n, f, it->v, it->w);
    cfpci_reflect_left(count, it->n, from, n, it->v, it->w);
}

void cfpci_schur_reduce(cfpci_schur *it)
{
    const size_t n = (size_t)it->n;
    if (it->zt) {
        memset(it->zt, 0, n * n * sizeof *it->zt);
        for (size_t i = 0; i < n; i++)
            it->zt[i * n + i] = 1;
    }
    for (int32_t j = it->first; j + 2 < it->end; j++)
        reduce_column(it, j);
}

// ---- reflections of three or two rows ----------------------------------------------------------

typedef struct small_reflection {
    double f, v[3];
} small_reflection;

CFPC_WIDE static void turn_three_rows(int32_t n, double *a, size_t down, small_reflection by)
{
    double *restrict r0 = a, *restrict r1 = a + down, *restrict r2 = a + 2 * down;
    for (int32_t j = 0; j < n; j++) {
        const double share = by.f * (r0[j] + by.v[1] * r1[j] + by.v[2] * r2[j]);
        r0[j] -= share;
        r1[j] -= by.v[1] * share;
        r2[j] -= by.v[2] * share;
    }
}

CFPC_WIDE static void turn_two_rows(int32_t n, double *a, size_t down, small_reflection by)
{
    double *restrict r0 = a, *restrict r1 = a + down;
    for (int32_t j = 0; j < n; j++) {
        const double share = by.f * (r0[j] + by.v[1] * r1[j]);
        r0[j] -= share;
        r1[j] -= by.v[1] * share;
    }
}

static void turn_three_columns(int32_t rows, double *a, size_t down, small_reflection by)
{
    for (int32_t i = 0; i < rows; i++, a += down) {
        const double share = by.f * (a[0] + by.v[1] * a[1] + by.v[2] * a[2]);
        a[0] -= share;
        a[1] -= by.v[1] * share;
        a[2] -= by.v[2] * share;
    }
}

static void turn_two_columns(int32_t rows, double *a, size_t down, small_reflection by)
{
    for (int32_t i = 0; i < rows; i++, a += down) {
        const double share = by.f * (a[0] + by.v[1] * a[1]);
        a[0] -= share;
        a[1] -= by.v[1] * share;
    }
}

// The part of h that a reflection reaches: columns from left to right, rows from top to bottom.
typedef struct reach {
    int32_t left, right, top, bottom;
} reach;

static void turn(cfpci_schur *it, int32_t k, int count, small_reflection by, reach of)
{
    const size_t n = (size_t)it->n;
    double *rows = entry(it, k, of.left), *columns = entry(it, of.top, k);
    double *z = it->zt ? it->zt + (size_t)k * n : NULL;
    if (count == 3) {
        turn_three_rows(of.right - of.left, rows, n, by);
        turn_three_columns(of.bottom - of.top, columns, n, by);
        if (z)
            turn_three_rows(it->n, z, n, by);
    } else {
        turn_two_rows(of.right - of.left, rows, n, by);
        turn_two_columns(of.bottom - of.top, columns, n, by);
        if (z)
            turn_two_rows(it->n, z, n, by);
    }
}

// ---- a sweep -----------------------------------------------------------------------------------

// Two shifts, the eigenvalues of ((x, p), (q, y)).
typedef struct shifts {
    double x, y, p, q;
} shifts;

// The power of 2 about the larger of |x| and the root of |p q|: in its units their squares do not
// vanish.
static double unit_of_squares(double x, double p, double q)
{
    const double size = cfpci_max(fabs(x), sqrt(fabs(p)) * sqrt(fabs(q)));
    return size > 0 ? ldexp(1, ilogb(size)) : 1;
}

// The eigenvalues of the last two rows; now and then others, which break a cycle.
static shifts shifts_of(const cfpci_schur *it, int32_t last, int tries)
{
    if (tries % 10 == 0 && tries > 0) {
        const double s = fabs(*entry(it, last, last - 1)) + fabs(*entry(it, last - 1, last - 2));
        const double at = (tries % 20 == 0 ? 0 : *entry(it, last, last)) + 0.75 * s;
        return (shifts){at, at, -0.4375 * s, s};
    }
    return (shifts){*entry(it, last, last), *entry(it, last - 1, last - 1),
                    *entry(it, last, last - 1), *entry(it, last - 1, last)};
}

// The first column of (h - s1)(h - s2), but for a factor. Differences come first: a matrix near a
// multiple of the identity has nothing else.
static void first_column(const cfpci_schur *it, int32_t first, shifts of, double *x)
{
    const double a = *entry(it, first, first), b = *entry(it, first, first + 1);
    const double c = *entry(it, first + 1, first), d = *entry(it, first + 1, first + 1);
    const double to_x = of.x - a, to_y = of.y - a;
    const double unit = unit_of_squares(cfpci_max(fabs(to_x), fabs(to_y)), of.p, of.q);
    const double squares = to_x / unit * (to_y / unit) - of.p / unit * (of.q / unit);
    x[0] = squares / (c / unit) * unit + b;
    x[1] = d - a - to_x - to_y;
    x[2] = *entry(it, first + 2, first + 1);
    const double size = cfpci_max(fabs(x[0]), cfpci_max(fabs(x[1]), fabs(x[2])));
    for (int i = 0; i < 3 && size > 0; i++)
        x[i] /= size;
}

// The reflection that turns x into (b, 0, 0), however small x is.
static small_reflection reflection_of(int count, double *x, double *b)
{
    small_reflection by = {.f = 0, .v = {1, 0, 0}};
    double size = 0;
    for (int i = 0; i < count; i++)
        size = cfpci_max(size, fabs(x[i]));
    *b = 0;
    if (size == 0)
        return by;
    for (int i = 0; i < count; i++)
        by.v[i] = x[i] / size;
    by.f = cfpci_reflect(count, by.v, b);
    *b *= size;
    return by;
}

// The row where a sweep may start, with its column in x: the entry left of it is so small beside
// x that what the sweep puts below it is lost in rounding. A sweep over such a row would lose its
// shifts there.
static int32_t sweep_start(const cfpci_schur *it, int32_t first, int32_t last, shifts of, double *x)
{
    for (int32_t k = last - 2;; k--) {
        first_column(it, k, of, x);
        if (k == first)
            return k;
        const double beside = fabs(*entry(it, k - 1, k - 1)) + fabs(*entry(it, k, k)) +
                              fabs(*entry(it, k + 1, k + 1));
        if (fabs(*entry(it, k, k - 1)) * (fabs(x[1]) + fabs(x[2])) <=
            DBL_EPSILON / 2 * fabs(x[0]) * beside)
            return k;
    }
}

enum { PATIENCE = 20 }; // sweeps after which a block is suspected to lose its shifts

// Rows first to last, at least three: the bulge is chased down.
static void sweep(cfpci_schur *it, int32_t first, int32_t last, int tries)
{
    double x[3], b;
    const shifts of = shifts_of(it, last, tries);
    int32_t start = first;
    if (tries > PATIENCE)
        start = sweep_start(it, first, last, of, x);
    else
        first_column(it, first, of, x);
    for (int32_t k = start; k < last; k++) {
        const int count = k + 2 <= last ? 3 : 2;
        for (int i = 0; k > start && i < count; i++)
            x[i] = *entry(it, k + i, k - 1);
        const small_reflection by = reflection_of(count, x, &b);
        if (k == start && k > first)
            *entry(it, k, k - 1) *= 1 - by.f;
        if (k > start) {
            *entry(it, k, k - 1) = b;
            for (int i = 1; i < count; i++)
                *entry(it, k + i, k - 1) = 0;
        }
        const int32_t below = k + 4 < last + 1 ? k + 4 : last + 1;
        turn(it, k, count, by,
             (reach){.left = k,
                     .right = it->zt ? it->n : last + 1,
                     .top = it->zt ? 0 : first,
                     .bottom = below});
    }
}

// ---- what has converged ------------------------------------------------------------------------

static void put_single(cfpci_schur *it, int32_t i)
{
    it->re[i] = *entry(it, i, i);
    it->im[i] = 0;
}

// The rotation, as a reflection, that makes the block of two rows from i upper triangular, which it
// is by its eigenvalue `value`.
static void split(cfpci_schur *it, int32_t i, double value)
{
    const double c = *entry(it, i + 1, i), d = *entry(it, i + 1, i + 1);
    double x[2] = {value - d, c}, b; // an eigenvector
    const small_reflection by = reflection_of(2, x, &b);
    turn(it, i, 2, by, (reach){.left = i, .right = it->n, .top = 0, .bottom = i + 2});
    *entry(it, i + 1, i) = 0;
}

// A block of two rows from i on: its eigenvalues, from the one of them that has no cancellation.
static void put_pair(cfpci_schur *it, int32_t i)
{
    const double a = *entry(it, i, i), b = *entry(it, i, i + 1);
    const double c = *entry(it, i + 1, i), d = *entry(it, i + 1, i + 1);
    const double unit = unit_of_squares((a - d) / 2, b, c);
    const double half = (a - d) / 2 / unit, bc = (b / unit) * (c / unit), under = half * half + bc;
    if (under < 0) {
        it->re[i] = it->re[i + 1] = d + half * unit;
        it->im[i] = sqrt(-under) * unit;
        it->im[i + 1] = -it->im[i];
        return;
    }
    const double far = half + copysign(sqrt(under), half);
    it->re[i] = d + far * unit;
    it->re[i + 1] = far != 0 ? d - bc / far * unit : d;
    it->im[i] = it->im[i + 1] = 0;
    if (it->zt)
        split(it, i, it->re[i]);
}

// First row of the block that ends at `last`, after which what is beside the diagonal is small.
static int32_t block_start(cfpci_schur *it, int32_t last, double size)
{
    int32_t first = last;
    for (; first > it->first; first--) {
        const double beside =
            fabs(*entry(it, first - 1, first - 1)) + fabs(*entry(it, first, first));
        const double small = DBL_EPSILON / 2 * (beside > 0 ? beside : size);
        if (fabs(*entry(it, first, first - 1)) <= cfpci_max(small, DBL_MIN / DBL_EPSILON))
            break;
    }
    if (first > it->first)
        *entry(it, first, first - 1) = 0;
    return first;
}

static double largest_of_middle(const cfpci_schur *it)
{
    double most = 0;
    for (int32_t i = it->first; i < it->end; i++)
        for (int32_t j = it->first; j < it->end; j++)
            most = cfpci_max(most, fabs(*entry(it, i, j)));
    return most;
}

enum { MAX_SWEEPS = 30 }; // per eigenvalue, shared by all; two are usual

static int64_t most_sweeps(const cfpci_schur *it)
{
    const int64_t rows = it->end - it->first;
    return MAX_SWEEPS * (rows > 10 ? rows : 10);
}

// Eigenvalues of a block that begins at `first` and ends at `last`, at most two rows.
static void put_block(cfpci_schur *it, int32_t first, int32_t last)
{
    if (first == last)
        put_single(it, last);
    else
        put_pair(it, first);
}

cfpc_status cfpci_schur_iterate(cfpci_schur *it)
{
    const double size = largest_of_middle(it);
    int64_t left = most_sweeps(it);
    int tries = 0; // since an eigenvalue was found
    for (int32_t i = 0; i < it->n; i++)
        if (i < it->first || i >= it->end)
            put_single(it, i);
    for (int32_t last = it->end - 1; last >= it->first;) {
        const int32_t first = block_start(it, last, size);
        if (last - first >= 2) {
            if (left-- == 0)
                return CFPC_NO_CONVERGENCE;
            sweep(it, first, last, tries++);
            continue;
        }
        put_block(it, first, last);
        last = first - 1;
        tries = 0;
    }
    return CFPC_OK;
}
