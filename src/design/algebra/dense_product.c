// SPDX-License-Identifier: Apache-2.0
// A tile of the result stays in registers while it goes through a block of the factors that stays
// in the caches.
#include "algebra/dense_product.h"

#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "algebra/inline_vectors.h"

enum {
    ROWS = 6,                // of a tile
    WIDTH = 2 * CFPCI_LANES, // of a tile
    DEPTH = 256,             // terms of each sum per block
    HEIGHT = 40 * ROWS,      // rows per block
    FEW = 8                  // tiles of rows up to which b is not worth copying
};

// What a tile is computed from: a from its first row, b from its first column.
typedef struct strips {
    int32_t k;
    cfpci_factor a;
    const double *b;
    size_t b_down;
} strips;

#define CFPC_VECTOR cfpci_lanes
#define CFPC_ADD_ROWS add_rows
#define CFPC_ADD_TILE add_tile
#include "algebra/dense_tile_kernel.h"

// A tile of WIDTH columns, or of half of them. Each is compiled by itself, so that its constants
// keep it in registers.
CFPC_WIDE static void add_whole(bool minus, int32_t rows, const strips *strips, double *out,
                                size_t out_down)
{
    if (minus)
        add_tile(true, rows, true, strips, out, out_down);
    else
        add_tile(false, rows, true, strips, out, out_down);
}

CFPC_WIDE static void add_half(bool minus, int32_t rows, const strips *strips, double *out,
                               size_t out_down)
{
    if (minus)
        add_tile(true, rows, false, strips, out, out_down);
    else
        add_tile(false, rows, false, strips, out, out_down);
}

#ifdef CFPC_WIDEST
typedef double wide_lanes __attribute__((vector_size(2 * sizeof(cfpci_lanes))));
#define CFPC_VECTOR wide_lanes
#define CFPC_ADD_ROWS add_wide_rows
#define CFPC_ADD_TILE add_wide_tile
#include "algebra/dense_tile_kernel.h"

CFPC_WIDEST static void add_double(bool minus, int32_t rows, const strips *strips, double *out,
                                   size_t out_down)
{
    if (minus)
        add_wide_tile(true, rows, true, strips, out, out_down);
    else
        add_wide_tile(false, rows, true, strips, out, out_down);
}
#endif

// Of the columns that are left, those of the next strip: as many as add_columns takes.
static int32_t columns_of(int32_t left)
{
    int32_t columns = WIDTH;
#ifdef CFPC_WIDEST
    if (__builtin_cpu_supports("avx512f"))
        columns = 2 * WIDTH;
#endif
    while (columns > left && columns > CFPCI_LANES)
        columns /= 2;
    return columns < left ? columns : left;
}

// A tile of 2 WIDTH, WIDTH, or at most CFPCI_LANES columns.
static void add_columns(bool minus, int32_t rows, int32_t columns, const strips *strips,
                        double *out, size_t out_down)
{
#ifdef CFPC_WIDEST
    if (columns > WIDTH) {
        add_double(minus, rows, strips, out, out_down);
        return;
    }
#endif
    (columns > CFPCI_LANES ? add_whole : add_half)(minus, rows, strips, out, out_down);
}

// A tile of which row r has only the first `columns` + r `slope` entries, at most `most`.
static void add_part(bool minus, int32_t rows, int32_t most, int32_t columns, int32_t slope,
                     const strips *strips, double *out, size_t out_down)
{
    enum { DOWN = 2 * WIDTH };
    double tile[ROWS * DOWN] = {0};
    for (int32_t r = 0; r < rows; r++)
        for (int32_t j = 0; j < most && j < columns + r * slope; j++)
            tile[r * DOWN + j] = out[(size_t)r * out_down + (size_t)j];
    add_columns(minus, rows, most, strips, tile, DOWN);
    for (int32_t r = 0; r < rows; r++)
        for (int32_t j = 0; j < most && j < columns + r * slope; j++)
            out[(size_t)r * out_down + (size_t)j] = tile[r * DOWN + j];
}

// The product to be added: all of it, or its lower triangle.
typedef struct product {
    bool minus, lower;
    int32_t m, n, k;
    cfpci_factor a;
    const double *b;
    size_t b_down;
    double *out;
    size_t out_down;
} product;

// Rows first to end of `columns` columns from j, as many as add_columns takes.
static void add_strip(const product *product, int32_t first, int32_t end, int32_t j,
                      int32_t columns, strips strips)
{
    double strip[DEPTH * 2 * WIDTH];
    const bool is_whole = columns >= CFPCI_LANES;
    strips.b += j;
    if (!is_whole || (columns > CFPCI_LANES && end - first > FEW * ROWS)) {
        // Columns of b that follow each other in memory; those that b does not have are zero.
        const int32_t width = is_whole ? columns : CFPCI_LANES;
        if (!is_whole)
            memset(strip, 0, (size_t)(strips.k * width) * sizeof *strip);
        for (int32_t l = 0; l < strips.k; l++)
            memcpy(strip + l * width, strips.b + (size_t)l * strips.b_down,
                   (size_t)columns * sizeof *strip);
        strips.b = strip;
        strips.b_down = (size_t)width;
    }
    const double *a = strips.a.at;
    const int32_t tiles = (end - first + ROWS - 1) / ROWS;
    const int32_t each = tiles > 0 ? (end - first + tiles - 1) / tiles : 1; // equally large
    for (int32_t i = first; i < end; i += each) {
        const int32_t rows = end - i < each ? end - i : each;
        double *out = product->out + (size_t)i * product->out_down + (size_t)j;
        strips.a.at = a + (size_t)i * strips.a.down;
        if (product->lower && i < j + columns - 1)
            add_part(product->minus, rows, columns, i - j + 1, 1, &strips, out, product->out_down);
        else if (!is_whole)
            add_part(product->minus, rows, columns, columns, 0, &strips, out, product->out_down);
        else
            add_columns(product->minus, rows, columns, &strips, out, product->out_down);
    }
}

static void add_block(const product *product, int32_t top, int32_t from)
{
    const int32_t end = product->m - top < HEIGHT ? product->m : top + HEIGHT;
    strips strips = {.k = product->k - from < DEPTH ? product->k - from : DEPTH,
                     .a = product->a,
                     .b = product->b + (size_t)from * product->b_down,
                     .b_down = product->b_down};
    strips.a.at += (size_t)from * product->a.across;
    for (int32_t j = 0, columns; j < (product->lower ? end : product->n); j += columns) {
        columns = columns_of(product->n - j);
        add_strip(product, product->lower && j > top ? j : top, end, j, columns, strips);
    }
}

static void add_product(const product *product)
{
    if (product->lower || product->n >= WIDTH || product->m >= WIDTH) {
        for (int32_t from = 0; from < product->k; from += DEPTH)
            for (int32_t top = 0; top < product->m; top += HEIGHT)
                add_block(product, top, from);
        return;
    }
    // Of a few numbers; in the order of the tiles.
    for (int32_t i = 0; i < product->m; i++)
        for (int32_t l = 0; l < product->k; l++) {
            const double a =
                product->a.at[(size_t)i * product->a.down + (size_t)l * product->a.across];
            const double *b = product->b + (size_t)l * product->b_down,
                         by = product->minus ? -a : a;
            for (int32_t j = 0; j < product->n; j++)
                product->out[(size_t)i * product->out_down + (size_t)j] += by * b[j];
        }
}

void cfpci_product(bool minus, int32_t m, int32_t n, int32_t k, cfpci_factor a, const double *b,
                   size_t b_down, double *out, size_t out_down)
{
    add_product(&(product){minus, false, m, n, k, a, b, b_down, out, out_down});
}

void cfpci_dense_multiply(bool transpose_a, int32_t m, int32_t n, int32_t k, const double *a,
                          const double *b, double beta, double *out)
{
    const size_t entries = (size_t)m * (size_t)n;
    const cfpci_factor left = {a, transpose_a ? 1 : (size_t)k, transpose_a ? (size_t)m : 1};
    if (beta == 0)
        memset(out, 0, entries * sizeof *out);
    for (size_t i = 0; beta != 0 && beta != 1 && i < entries; i++)
        out[i] *= beta;
    cfpci_product(false, m, n, k, left, b, (size_t)n, out, (size_t)n);
}

void cfpci_dense_add_gram(int32_t n, int32_t k, const double *a, double *out)
{
    const size_t down = (size_t)n;
    add_product(&(product){false, true, n, n, k, {a, 1, down}, a, down, out, down});
}
