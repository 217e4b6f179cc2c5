// SPDX-License-Identifier: Apache-2.0
#include "algebra/dense_isolate.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// ---- the order ---------------------------------------------------------------------------------

// How many entries beside the diagonal each row and each column has among those left, where an
// entry is what is not zero; GONE: it is no longer among them.
enum { GONE = -1 };

typedef struct counts {
    int32_t n;
    const double *a;
    int32_t *row, *column;
} counts;

static bool has_entry(const counts *counts, int32_t i, int32_t j)
{
    return i != j && counts->a[(size_t)i * (size_t)counts->n + (size_t)j] != 0;
}

static void take_out(counts *counts, int32_t k)
{
    counts->row[k] = counts->column[k] = GONE;
    for (int32_t i = 0; i < counts->n; i++) {
        if (counts->row[i] != GONE && has_entry(counts, i, k))
            counts->row[i]--;
        if (counts->column[i] != GONE && has_entry(counts, k, i))
            counts->column[i]--;
    }
}

static int32_t find_empty(int32_t n, const int32_t *count)
{
    for (int32_t i = n - 1; i >= 0; i--)
        if (count[i] == 0)
            return i;
    return GONE;
}

// A row without entries goes to the end, then a column without entries to the front, as long as
// there are any. scratch: (2 n)
static void find_order(cfpci_isolated *isolated, const double *a, int32_t *scratch)
{
    const int32_t n = isolated->n;
    counts left = {.n = n, .a = a, .row = scratch, .column = scratch + n};
    for (int32_t i = 0; i < 2 * n; i++)
        scratch[i] = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            left.row[i] += has_entry(&left, i, j);
            left.column[j] += has_entry(&left, i, j);
        }
    int32_t k;
    isolated->first = 0;
    isolated->end = n;
    while ((k = find_empty(n, left.row)) != GONE) {
        isolated->order[--isolated->end] = k;
        take_out(&left, k);
    }
    while ((k = find_empty(n, left.column)) != GONE) {
        isolated->order[isolated->first++] = k;
        take_out(&left, k);
    }
    for (int32_t i = 0, to = isolated->first; i < n; i++)
        if (left.row[i] != GONE)
            isolated->order[to++] = i;
}

// ---- the scale ---------------------------------------------------------------------------------

static const double furthest = 0x1p400; // scales stay within it

// Makes row and column i alike: the row is divided by a power of 2, its column multiplied by it.
static bool scale_one(const cfpci_isolated *isolated, double *a, int32_t i)
{
    const size_t n = (size_t)isolated->n, own = (size_t)i;
    double row = 0, column = 0;
    for (size_t j = (size_t)isolated->first; j < (size_t)isolated->end; j++)
        if (j != own) {
            row += fabs(a[own * n + j]);
            column += fabs(a[j * n + own]);
        }
    if (row == 0 || column == 0)
        return false;
    const double by = ldexp(1, (ilogb(row) - ilogb(column)) / 2), scale = isolated->scale[i] * by;
    if (row / by + column * by >= 0.95 * (row + column) || scale > furthest || scale < 1 / furthest)
        return false;
    isolated->scale[i] = scale;
    for (size_t j = 0; j < n; j++)
        a[own * n + j] /= by;
    for (size_t j = 0; j < n; j++)
        a[j * n + own] *= by;
    return true;
}

void cfpci_isolate(cfpci_isolated *isolated, double *a, int32_t *scratch, double *copy)
{
    const size_t n = (size_t)isolated->n;
    find_order(isolated, a, scratch);
    if (isolated->first > 0 || isolated->end < isolated->n) {
        for (size_t i = 0; i < n * n; i++)
            copy[i] = a[i];
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                a[i * n + j] = copy[(size_t)isolated->order[i] * n + (size_t)isolated->order[j]];
    }
    for (size_t i = 0; i < n; i++)
        isolated->scale[i] = 1;
    // Until nothing changes; every change takes a twentieth off, so that it ends.
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = isolated->first; i < isolated->end; i++)
            changed = scale_one(isolated, a, i) || changed;
    }
}
