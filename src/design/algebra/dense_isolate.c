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

static bool has_entry(const counts *it, int32_t i, int32_t j)
{
    return i != j && it->a[(size_t)i * (size_t)it->n + (size_t)j] != 0;
}

static void count_all(counts *it)
{
    for (int32_t i = 0; i < it->n; i++)
        it->row[i] = it->column[i] = 0;
    for (int32_t i = 0; i < it->n; i++)
        for (int32_t j = 0; j < it->n; j++)
            if (has_entry(it, i, j)) {
                it->row[i]++;
                it->column[j]++;
            }
}

static void take_out(counts *it, int32_t k)
{
    it->row[k] = it->column[k] = GONE;
    for (int32_t i = 0; i < it->n; i++) {
        if (it->row[i] != GONE && has_entry(it, i, k))
            it->row[i]--;
        if (it->column[i] != GONE && has_entry(it, k, i))
            it->column[i]--;
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
// there are any.
static void find_order(cfpci_isolated *it, counts *left)
{
    int32_t k;
    it->first = 0;
    it->end = it->n;
    count_all(left);
    while ((k = find_empty(it->n, left->row)) != GONE) {
        it->order[--it->end] = k;
        take_out(left, k);
    }
    while ((k = find_empty(it->n, left->column)) != GONE) {
        it->order[it->first++] = k;
        take_out(left, k);
    }
    for (int32_t i = 0, to = it->first; i < it->n; i++)
        if (left->row[i] != GONE)
            it->order[to++] = i;
}

static void permute(const cfpci_isolated *it, double *a, double *copy)
{
    const size_t n = (size_t)it->n;
    for (size_t i = 0; i < n * n; i++)
        copy[i] = a[i];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            a[i * n + j] = copy[(size_t)it->order[i] * n + (size_t)it->order[j]];
}

// ---- the scale ---------------------------------------------------------------------------------

static const double furthest = 0x1p400; // scales stay within it

// The power of 2 by which a row is divided and its column multiplied, so that both become alike.
static double power_between(double row, double column)
{
    const int power = (ilogb(row) - ilogb(column)) / 2;
    return power == 0 ? 1 : ldexp(1, power);
}

static bool scale_one(const cfpci_isolated *it, double *a, int32_t i)
{
    const size_t n = (size_t)it->n, own = (size_t)i;
    double row = 0, column = 0;
    for (size_t j = (size_t)it->first; j < (size_t)it->end; j++)
        if (j != own) {
            row += fabs(a[own * n + j]);
            column += fabs(a[j * n + own]);
        }
    if (row == 0 || column == 0)
        return false;
    const double by = power_between(row, column), scale = it->scale[i] * by;
    if (row / by + column * by >= 0.95 * (row + column) || scale > furthest || scale < 1 / furthest)
        return false;
    it->scale[i] = scale;
    for (size_t j = 0; j < n; j++)
        a[own * n + j] /= by;
    for (size_t j = 0; j < n; j++)
        a[j * n + own] *= by;
    return true;
}

// Until nothing changes; every change takes a twentieth off, so that it ends.
static void scale_all(const cfpci_isolated *it, double *a)
{
    for (int32_t i = 0; i < it->n; i++)
        it->scale[i] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = it->first; i < it->end; i++)
            changed = scale_one(it, a, i) || changed;
    }
}

void cfpci_isolate(cfpci_isolated *it, double *a, int32_t *scratch, double *copy)
{
    counts left = {.n = it->n, .a = a, .row = scratch, .column = scratch + it->n};
    find_order(it, &left);
    if (it->first > 0 || it->end < it->n)
        permute(it, a, copy);
    scale_all(it, a);
}
