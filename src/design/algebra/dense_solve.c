// SPDX-License-Identifier: Apache-2.0
// What solves equations: by Gauss, by Cholesky, with a triangle.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_product.h"
#include "algebra/dense_rows.h"
#include "algebra/inline_vectors.h"

enum { BLOCK = 8 }; // rows or columns that are solved one by one; products do the rest

static int32_t block_end(int32_t first, int32_t n)
{
    return n - first < BLOCK ? n : first + BLOCK;
}

// ---- a x = b, by Gauss with row exchanges ------------------------------------------------------

// row -= share first, where share, which takes the place of row's own entry, makes that zero.
CFPC_WIDE static void solve_eliminate(int32_t rows, int32_t n, double *a, size_t down)
{
    const double *first = a;
    for (int32_t i = 0; i < rows; i++) {
        double *row = a + (size_t)(i + 1) * down;
        row[0] /= first[0];
        cfpci_row_add(n - 1, row + 1, -row[0], first + 1);
    }
}

// Columns first to end of a, below the diagonal, become those of L; rows are exchanged as a whole.
static bool factor_panel(int32_t n, int32_t columns, double *a, double *b, int32_t first,
                         int32_t end)
{
    const size_t down = (size_t)n, wide = (size_t)columns;
    for (int32_t j = first; j < end; j++) {
        const size_t own = (size_t)j;
        size_t other = own; // row of the largest number in the column, from the diagonal on
        double most = 0;
        for (size_t i = own; i < down; i++)
            if (fabs(a[i * down + own]) > most) {
                most = fabs(a[i * down + own]);
                other = i;
            }
        if (a[other * down + own] == 0)
            return false;
        if (other != own) {
            cfpci_row_swap(n, a + own * down, a + other * down);
            cfpci_row_swap(columns, b + own * wide, b + other * wide);
        }
        solve_eliminate(n - j - 1, end - j, a + own * down + own, down);
    }
    return true;
}

// Rows of a table, right of the panel: those of the panel become U's, the others lose its part.
static void eliminate_right(int32_t n, const double *a, int32_t first, int32_t end, double *right,
                            int32_t width, size_t down)
{
    for (int32_t i = first + 1; i < end; i++)
        for (int32_t j = first; j < i; j++)
            cfpci_row_add(width, right + (size_t)i * down, -a[(size_t)i * (size_t)n + (size_t)j],
                          right + (size_t)j * down);
    const cfpci_factor below = {a + (size_t)end * (size_t)n + first, (size_t)n, 1};
    cfpci_product(true, n - end, width, end - first, below, right + (size_t)first * down, down,
                  right + (size_t)end * down, down);
}

// A row of x, of which these terms are still to be subtracted: `by` holds their factors, `next`
// apart, `known` their rows, and `own` divides it.
static void solve_row(int32_t columns, int32_t terms, const double *by, size_t next, double own,
                      const double *known, double *row)
{
    for (int32_t j = 0; j < terms; j++)
        cfpci_row_add(columns, row, -by[(size_t)j * next], known + (size_t)j * (size_t)columns);
    for (int32_t j = 0; j < columns; j++)
        row[j] /= own;
}

// u x = b with an upper triangle u (n x n), from the last rows up.
static void solve_up(int32_t n, int32_t columns, cfpci_factor u, double *b)
{
    const size_t wide = (size_t)columns, next = u.down + u.across; // of the diagonal
    for (int32_t end = n; end > 0;) {
        const int32_t first = (end - 1) / BLOCK * BLOCK;
        const cfpci_factor right = {u.at + (size_t)first * u.down + (size_t)end * u.across, u.down,
                                    u.across};
        cfpci_product(true, end - first, columns, n - end, right, b + (size_t)end * wide, wide,
                      b + (size_t)first * wide, wide);
        for (int32_t i = end - 1; i >= first; i--) {
            const double *own = u.at + (size_t)i * next;
            double *row = b + (size_t)i * wide;
            solve_row(columns, end - 1 - i, own + u.across, u.across, *own, row + wide, row);
        }
        end = first;
    }
}

cfpc_status cfpci_dense_solve(int32_t n, int32_t columns, double *a, double *b)
{
    if (n == 0 || columns == 0)
        return CFPC_OK;
    if (isnan(cfpci_dense_largest((int64_t)n * n, a)) ||
        isnan(cfpci_dense_largest((int64_t)n * columns, b)))
        return CFPC_BAD_VALUE;
    for (int32_t first = 0; first < n; first += BLOCK) {
        const int32_t end = block_end(first, n);
        if (!factor_panel(n, columns, a, b, first, end))
            return CFPC_BAD_VALUE;
        eliminate_right(n, a, first, end, a + end, n - end, (size_t)n);
        eliminate_right(n, a, first, end, b, columns, (size_t)columns);
    }
    solve_up(n, columns, (cfpci_factor){a, (size_t)n, 1}, b);
    return CFPC_OK;
}

// ---- a = l lᵀ ----------------------------------------------------------------------------------

// Row i of l from column `first` on, of which the columns before are known, as are the rows above.
CFPC_WIDE static bool factor_row(int32_t i, size_t n, double *a, int32_t first)
{
    double *row = a + (size_t)i * n;
    for (int32_t j = first; j < i; j++) {
        const double *other = a + (size_t)j * n;
        row[j] = (row[j] - cfpci_row_dot(j - first, row + first, other + first)) / other[j];
    }
    const double rest = row[i] - cfpci_row_dot(i - first, row + first, row + first);
    row[i] = sqrt(rest);
    return rest > 0; // not NaN
}

// Columns first to end of a lose what the columns of l before them add up to. Of the rows of the
// diagonal block only the lower triangle is read and written. strip: (first x BLOCK)
static void subtract_before(int32_t n, double *a, int32_t first, int32_t end, double *strip)
{
    double tile[BLOCK * BLOCK] = {0};
    const size_t down = (size_t)n;
    const int32_t width = end - first;
    double *rows = a + (size_t)first * down, *below = a + (size_t)end * down;
    cfpci_rows_transpose(width, first, rows, down, strip, BLOCK);
    for (int32_t r = 0; r < width; r++)
        memcpy(tile + r * BLOCK, rows + (size_t)r * down + first, ((size_t)r + 1) * sizeof *tile);
    cfpci_product(true, width, width, first, (cfpci_factor){rows, down, 1}, strip, BLOCK, tile,
                  BLOCK);
    for (int32_t r = 0; r < width; r++)
        memcpy(rows + (size_t)r * down + first, tile + r * BLOCK, ((size_t)r + 1) * sizeof *tile);
    cfpci_product(true, n - end, width, first, (cfpci_factor){below, down, 1}, strip, BLOCK,
                  below + first, down);
}

// Rows of x (width x rows) become those of l⁻¹ x, where l is the triangle of a diagonal block.
CFPC_WIDE static void solve_block(int32_t width, int32_t rows, const double *l, size_t down,
                                  double *x)
{
    for (int32_t j = 0; j < width; j++) {
        double *row = x + (size_t)j * (size_t)rows;
        for (int32_t k = 0; k < j; k++)
            cfpci_row_add(rows, row, -l[(size_t)j * down + (size_t)k],
                          x + (size_t)k * (size_t)rows);
        for (int32_t i = 0; i < rows; i++)
            row[i] /= l[(size_t)j * down + (size_t)j];
    }
}

cfpc_status cfpci_dense_cholesky(int32_t n, double *a)
{
    const size_t down = (size_t)n;
    if (n == 0)
        return CFPC_OK;
    double *room = malloc(BLOCK * down * sizeof *room); // (BLOCK x n)
    cfpc_status status = room ? CFPC_OK : CFPC_NO_MEMORY;
    for (int32_t first = 0; status == CFPC_OK && first < n; first += BLOCK) {
        const int32_t end = block_end(first, n), rows = n - end;
        double *own = a + (size_t)first * down + first, *below = a + (size_t)end * down + first;
        subtract_before(n, a, first, end, room);
        for (int32_t i = first; status == CFPC_OK && i < end; i++)
            if (!factor_row(i, down, a, first))
                status = CFPC_BAD_VALUE;
        if (status != CFPC_OK)
            break;
        cfpci_rows_transpose(rows, end - first, below, down, room, (size_t)rows);
        solve_block(end - first, rows, own, down, room);
        cfpci_rows_transpose(end - first, rows, room, (size_t)rows, below, down);
    }
    free(room);
    return status;
}

// ---- l x = b and lᵀ x = b ----------------------------------------------------------------------

cfpc_status cfpci_dense_solve_lower(bool transpose_l, int32_t n, int32_t columns, const double *l,
                                    double *b)
{
    const size_t wide = (size_t)columns, down = (size_t)n;
    if (transpose_l) {
        solve_up(n, columns, (cfpci_factor){l, 1, down}, b);
        return CFPC_OK;
    }
    for (int32_t first = 0; first < n; first += BLOCK) {
        const int32_t end = block_end(first, n);
        const cfpci_factor left = {l + (size_t)first * down, down, 1};
        double *rows = b + (size_t)first * wide;
        cfpci_product(true, end - first, columns, first, left, b, wide, rows, wide);
        for (int32_t i = first; i < end; i++) {
            const double *row = l + (size_t)i * down;
            solve_row(columns, i - first, row + first, 1, row[i], rows, b + (size_t)i * wide);
        }
    }
    return CFPC_OK;
}
