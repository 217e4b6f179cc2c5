// SPDX-License-Identifier: Apache-2.0
// Singular values in plain C: of a tall matrix, or of the transpose of a wide one.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_bidiagonal.h"
#include "algebra/dense_rows.h"
#include "math/order.h"

// The numbers of a cfpci_bidiagonal, in one piece of memory, with room for its (m x n) matrix.
typedef struct parts {
    cfpci_bidiagonal of;
    double *memory, *a;
} parts;

static int32_t padded(int32_t columns)
{
    return (columns + CFPCI_LANES - 1) / CFPCI_LANES * CFPCI_LANES;
}

static double *svd_take(double **from, size_t count)
{
    double *part = *from;
    *from += count;
    return part;
}

static cfpci_rotated table(double **from, int32_t rows, int32_t columns)
{
    cfpci_rotated rotated = {.rows = rows, .width = padded(columns)};
    rotated.table = svd_take(from, (size_t)rows * (size_t)rotated.width);
    rotated.turn = (cfpci_rotation *)svd_take(from, 2 * CFPCI_SWEEPS * (size_t)rows);
    return rotated;
}

// false if there is no memory
static bool parts_make(parts *parts, int32_t m, int32_t n)
{
    const size_t columns = (size_t)padded(m) + (size_t)padded(n) + (size_t)m;
    parts->memory = malloc((size_t)n * (columns + 4 * CFPCI_SWEEPS + 5) * sizeof *parts->memory);
    if (!parts->memory)
        return false;
    double *next = parts->memory;
    const size_t each = (size_t)n;
    parts->of =
        (cfpci_bidiagonal){.m = m, .n = n, .d = svd_take(&next, each), .e = svd_take(&next, each)};
    parts->of.f = svd_take(&next, each);
    parts->of.g = svd_take(&next, each);
    parts->of.w = svd_take(&next, each);
    parts->of.ut = table(&next, n, m);
    parts->of.vt = table(&next, n, n);
    parts->a = next;
    return true;
}

// ---- order -------------------------------------------------------------------------------------

static void negate(cfpci_rotated *rotated, int32_t row)
{
    for (int32_t j = 0; j < rotated->width; j++)
        rotated->table[(size_t)row * (size_t)rotated->width + (size_t)j] *= -1;
}

static void swap(cfpci_rotated *rotated, int32_t i, int32_t j)
{
    cfpci_row_swap(rotated->width, rotated->table + (size_t)i * (size_t)rotated->width,
                   rotated->table + (size_t)j * (size_t)rotated->width);
}

// Positive and descending, with their vectors.
static void svd_sort(cfpci_bidiagonal *bidiagonal)
{
    for (int32_t i = 0; i < bidiagonal->n; i++)
        if (bidiagonal->d[i] < 0) {
            bidiagonal->d[i] = -bidiagonal->d[i];
            negate(&bidiagonal->vt, i);
        }
    for (int32_t i = 0; i < bidiagonal->n; i++) {
        int32_t most = i;
        for (int32_t j = i + 1; j < bidiagonal->n; j++)
            most = bidiagonal->d[j] > bidiagonal->d[most] ? j : most;
        if (most == i)
            continue;
        cfpci_row_swap(1, &bidiagonal->d[i], &bidiagonal->d[most]);
        swap(&bidiagonal->ut, i, most);
        swap(&bidiagonal->vt, i, most);
    }
}

// ---- the whole ---------------------------------------------------------------------------------

// u (m x k) from a table of its columns, vt (k x n) from one of its rows.
static void svd_put(int32_t m, int32_t n, int32_t k, const cfpci_rotated *columns,
                    const cfpci_rotated *rows, double *u, double *vt)
{
    cfpci_rows_transpose(k, m, columns->table, (size_t)columns->width, u, (size_t)k);
    for (size_t i = 0; i < (size_t)k; i++)
        memcpy(vt + i * (size_t)n, rows->table + i * (size_t)rows->width, (size_t)n * sizeof *vt);
}

static cfpc_status svd_of_sized(int32_t m, int32_t n, double *a, double *u, double *s, double *vt)
{
    parts parts;
    const bool is_wide = m < n;
    const int32_t k = is_wide ? m : n;
    if (!parts_make(&parts, is_wide ? n : m, k))
        return CFPC_NO_MEMORY;
    if (is_wide)
        cfpci_rows_transpose(m, n, a, (size_t)n, parts.a, (size_t)m);
    cfpci_bidiagonal_reduce(&parts.of, is_wide ? parts.a : a, true);
    const cfpc_status status = cfpci_bidiagonal_values(&parts.of);
    if (status == CFPC_OK)
        svd_sort(&parts.of);
    memcpy(s, parts.of.d, (size_t)k * sizeof *s);
    svd_put(m, n, k, is_wide ? &parts.of.vt : &parts.of.ut, is_wide ? &parts.of.ut : &parts.of.vt,
            u, vt);
    free(parts.memory);
    return status;
}

cfpc_status cfpci_dense_svd(int32_t m, int32_t n, double *a, double *u, double *s, double *vt)
{
    const int64_t k = m < n ? m : n, entries = (int64_t)m * n;
    const double largest = cfpci_dense_largest(entries, a);
    if (isnan(largest))
        return CFPC_BAD_VALUE;
    if (k == 0)
        return CFPC_OK;
    if (isinf(largest)) {
        cfpci_dense_fill(m * k, u, NAN);
        cfpci_dense_fill(k, s, NAN);
        cfpci_dense_fill(k * n, vt, NAN);
        return CFPC_OK;
    }
    const double size = cfpci_dense_shrink(entries, a, largest);
    const cfpc_status status = svd_of_sized(m, n, a, u, s, vt);
    if (size != 1)
        cfpci_dense_scale(k, s, size);
    return status;
}

cfpc_status cfpci_dense_two_norm(int32_t n, double *a, double *norm)
{
    parts parts;
    const int64_t entries = (int64_t)n * n;
    const double largest = cfpci_dense_largest(entries, a);
    *norm = 0;
    if (isnan(largest))
        return CFPC_BAD_VALUE;
    if (n == 0)
        return CFPC_OK;
    *norm = NAN;
    if (isinf(largest))
        return CFPC_OK;
    const double size = cfpci_dense_shrink(entries, a, largest);
    *norm = 0;
    if (!parts_make(&parts, n, n))
        return CFPC_NO_MEMORY;
    cfpci_bidiagonal_reduce(&parts.of, a, false);
    parts.of.ut.table = parts.of.vt.table = NULL;
    const cfpc_status status = cfpci_bidiagonal_values(&parts.of);
    for (int32_t i = 0; status == CFPC_OK && i < n; i++)
        *norm = cfpci_max(*norm, fabs(parts.of.d[i]) * size);
    free(parts.memory);
    return status;
}
