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

static double *schur_entry(const cfpci_schur *schur, int32_t i, int32_t j)
{
    return schur->h + (size_t)i * (size_t)schur->n + j;
}

// ---- to Hessenberg's form ----------------------------------------------------------------------

// Column by column: what is below the entry beside the diagonal becomes zero. What is outside of
// the middle matters to eigenvectors only.
void cfpci_schur_reduce(cfpci_schur *schur)
{
    const size_t n = (size_t)schur->n;
    const int32_t right = schur->zt ? schur->n : schur->end, top = schur->zt ? 0 : schur->first;
    if (schur->zt) {
        memset(schur->zt, 0, n * n * sizeof *schur->zt);
        for (size_t i = 0; i < n; i++)
            schur->zt[i * n + i] = 1;
    }
    for (int32_t j = schur->first; j + 2 < schur->end; j++) {
        const int32_t count = schur->end - j - 1;
        for (int32_t i = 0; i < count; i++)
            schur->v[i] = *schur_entry(schur, j + 1 + i, j);
        const double f = cfpci_reflect(count, schur->v, schur_entry(schur, j + 1, j));
        for (int32_t i = 1; i < count; i++)
            *schur_entry(schur, j + 1 + i, j) = 0;
        if (f == 0)
            continue;
        cfpci_reflect_left(count, right - j - 1, schur_entry(schur, j + 1, j + 1), n, f, schur->v,
                           schur->w);
        cfpci_reflect_right(schur->end - top, count, schur_entry(schur, top, j + 1), n, f,
                            schur->v);
        if (schur->zt)
            cfpci_reflect_left(count, schur->n, schur->zt + (size_t)(j + 1) * n, n, f, schur->v,
                               schur->w);
    }
}

// ---- reflections of three or two rows ----------------------------------------------------------

typedef struct small_reflection {
    double f, v[3];
} small_reflection;

CFPC_WIDE static void turn_rows(int count, int32_t n, double *a, size_t down, small_reflection by)
{
    double *restrict r0 = a, *restrict r1 = a + down, *restrict r2 = count == 3 ? r1 + down : NULL;
    for (int32_t j = 0; count == 3 && j < n; j++) {
        const double share = by.f * (r0[j] + by.v[1] * r1[j] + by.v[2] * r2[j]);
        r0[j] -= share;
        r1[j] -= by.v[1] * share;
        r2[j] -= by.v[2] * share;
    }
    for (int32_t j = 0; count == 2 && j < n; j++) {
        const double share = by.f * (r0[j] + by.v[1] * r1[j]);
        r0[j] -= share;
        r1[j] -= by.v[1] * share;
    }
}

// The part of h that a reflection reaches: columns from left to right, rows from top to bottom.
typedef struct reach {
    int32_t left, right, top, bottom;
} reach;

static void schur_turn(cfpci_schur *schur, int32_t k, int count, small_reflection by, reach reach)
{
    const size_t n = (size_t)schur->n;
    turn_rows(count, reach.right - reach.left, schur_entry(schur, k, reach.left), n, by);
    for (int32_t i = reach.top; i < reach.bottom; i++) {
        double *a = schur_entry(schur, i, k), sum = a[0] + by.v[1] * a[1];
        if (count == 3)
            sum += by.v[2] * a[2];
        const double share = by.f * sum;
        a[0] -= share;
        a[1] -= by.v[1] * share;
        if (count == 3)
            a[2] -= by.v[2] * share;
    }
    if (schur->zt)
        turn_rows(count, schur->n, schur->zt + (size_t)k * n, n, by);
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
static shifts shifts_of(const cfpci_schur *schur, int32_t last, int tries)
{
    if (tries % 10 == 0 && tries > 0) {
        const double s = fabs(*schur_entry(schur, last, last - 1)) +
                         fabs(*schur_entry(schur, last - 1, last - 2));
        const double at = (tries % 20 == 0 ? 0 : *schur_entry(schur, last, last)) + 0.75 * s;
        return (shifts){at, at, -0.4375 * s, s};
    }
    return (shifts){*schur_entry(schur, last, last), *schur_entry(schur, last - 1, last - 1),
                    *schur_entry(schur, last, last - 1), *schur_entry(schur, last - 1, last)};
}

// The first column of (h - s1)(h - s2), but for a factor. Differences come first: a matrix near a
// multiple of the identity has nothing else.
static void first_column(const cfpci_schur *schur, int32_t first, shifts shifts, double *x)
{
    const double a = *schur_entry(schur, first, first), b = *schur_entry(schur, first, first + 1);
    const double c = *schur_entry(schur, first + 1, first),
                 d = *schur_entry(schur, first + 1, first + 1);
    const double to_x = shifts.x - a, to_y = shifts.y - a;
    const double unit = unit_of_squares(cfpci_max(fabs(to_x), fabs(to_y)), shifts.p, shifts.q);
    const double squares = to_x / unit * (to_y / unit) - shifts.p / unit * (shifts.q / unit);
    x[0] = squares / (c / unit) * unit + b;
    x[1] = d - a - to_x - to_y;
    x[2] = *schur_entry(schur, first + 2, first + 1);
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
static int32_t sweep_start(const cfpci_schur *schur, int32_t first, int32_t last, shifts shifts,
                           double *x)
{
    for (int32_t k = last - 2;; k--) {
        first_column(schur, k, shifts, x);
        if (k == first)
            return k;
        const double beside = fabs(*schur_entry(schur, k - 1, k - 1)) +
                              fabs(*schur_entry(schur, k, k)) +
                              fabs(*schur_entry(schur, k + 1, k + 1));
        if (fabs(*schur_entry(schur, k, k - 1)) * (fabs(x[1]) + fabs(x[2])) <=
            DBL_EPSILON / 2 * fabs(x[0]) * beside)
            return k;
    }
}

enum { PATIENCE = 20 }; // sweeps after which a block is suspected to lose its shifts

// Rows first to last, at least three: the bulge is chased down.
static void schur_sweep(cfpci_schur *schur, int32_t first, int32_t last, int tries)
{
    double x[3], b;
    const shifts shifts = shifts_of(schur, last, tries);
    int32_t start = first;
    if (tries > PATIENCE)
        start = sweep_start(schur, first, last, shifts, x);
    else
        first_column(schur, first, shifts, x);
    for (int32_t k = start; k < last; k++) {
        const int count = k + 2 <= last ? 3 : 2;
        for (int i = 0; k > start && i < count; i++)
            x[i] = *schur_entry(schur, k + i, k - 1);
        const small_reflection by = reflection_of(count, x, &b);
        if (k == start && k > first)
            *schur_entry(schur, k, k - 1) *= 1 - by.f;
        if (k > start) {
            *schur_entry(schur, k, k - 1) = b;
            for (int i = 1; i < count; i++)
                *schur_entry(schur, k + i, k - 1) = 0;
        }
        const int32_t below = k + 4 < last + 1 ? k + 4 : last + 1;
        schur_turn(schur, k, count, by,
                   (reach){.left = k,
                           .right = schur->zt ? schur->n : last + 1,
                           .top = schur->zt ? 0 : first,
                           .bottom = below});
    }
}

// ---- what has converged ------------------------------------------------------------------------

static void put_single(cfpci_schur *schur, int32_t i)
{
    schur->re[i] = *schur_entry(schur, i, i);
    schur->im[i] = 0;
}

// A block of two rows from i on: its eigenvalues, from the one of them that has no cancellation. If
// they are real, it becomes upper triangular.
static void put_pair(cfpci_schur *schur, int32_t i)
{
    const double a = *schur_entry(schur, i, i), b = *schur_entry(schur, i, i + 1);
    const double c = *schur_entry(schur, i + 1, i), d = *schur_entry(schur, i + 1, i + 1);
    const double unit = unit_of_squares((a - d) / 2, b, c);
    const double half = (a - d) / 2 / unit, bc = (b / unit) * (c / unit), under = half * half + bc;
    if (under < 0) {
        schur->re[i] = schur->re[i + 1] = d + half * unit;
        schur->im[i] = sqrt(-under) * unit;
        schur->im[i + 1] = -schur->im[i];
        return;
    }
    const double far = half + copysign(sqrt(under), half);
    schur->re[i] = d + far * unit;
    schur->re[i + 1] = far != 0 ? d - bc / far * unit : d;
    schur->im[i] = schur->im[i + 1] = 0;
    if (!schur->zt)
        return;
    double x[2] = {schur->re[i] - d, c}, beside; // an eigenvector
    const small_reflection by = reflection_of(2, x, &beside);
    schur_turn(schur, i, 2, by, (reach){.left = i, .right = schur->n, .top = 0, .bottom = i + 2});
    *schur_entry(schur, i + 1, i) = 0;
}

// First row of the block that ends at `last`, after which what is beside the diagonal is small.
static int32_t schur_block_start(cfpci_schur *schur, int32_t last, double size)
{
    int32_t first = last;
    for (; first > schur->first; first--) {
        const double beside = fabs(*schur_entry(schur, first - 1, first - 1)) +
                              fabs(*schur_entry(schur, first, first));
        const double small = DBL_EPSILON / 2 * (beside > 0 ? beside : size);
        if (fabs(*schur_entry(schur, first, first - 1)) <= cfpci_max(small, DBL_MIN / DBL_EPSILON))
            break;
    }
    if (first > schur->first)
        *schur_entry(schur, first, first - 1) = 0;
    return first;
}

enum { MAX_SWEEPS = 30 }; // per eigenvalue, shared by all; two are usual

cfpc_status cfpci_schur_iterate(cfpci_schur *schur)
{
    const int64_t rows = schur->end - schur->first;
    int64_t left = MAX_SWEEPS * (rows > 10 ? rows : 10);
    double size = 0; // of the middle
    for (int32_t i = schur->first; i < schur->end; i++)
        for (int32_t j = schur->first; j < schur->end; j++)
            size = cfpci_max(size, fabs(*schur_entry(schur, i, j)));
    for (int32_t i = 0; i < schur->n; i++)
        if (i < schur->first || i >= schur->end)
            put_single(schur, i);
    int tries = 0; // since an eigenvalue was found
    for (int32_t last = schur->end - 1; last >= schur->first;) {
        const int32_t first = schur_block_start(schur, last, size);
        if (last - first >= 2) {
            if (left-- == 0)
                return CFPC_NO_CONVERGENCE;
            schur_sweep(schur, first, last, tries++);
            continue;
        }
        if (first == last)
            put_single(schur, last);
        else
            put_pair(schur, first);
        last = first - 1;
        tries = 0;
    }
    return CFPC_OK;
}
