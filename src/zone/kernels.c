// SPDX-License-Identifier: Apache-2.0
// The build compiles this file for each precision and each width of vectors (CMakeLists.txt):
// CFPC_NUMBER is float or double, CFPC_BYTES the size of a vector, CFPC_MULTIPLY the name of the
// function.
//
// A product is done in tiles whose sums stay in registers: a few rows by a few vectors of cells.
// GCC keeps arrays of vectors in registers if all loops over them have constant bounds. Tiles are
// therefore inline functions that are called with constants.
#include "kernels.h"

#if CFPC_BYTES == 16 || defined(__x86_64__)

#include <stdbool.h>
#include <string.h>

#include "core/vector.h"

// Without contraction (no fma) the results are the same for all.
#if CFPC_BYTES == 64
#define CFPC_TARGET __attribute__((target("avx512f")))
#elif CFPC_BYTES == 32
#define CFPC_TARGET __attribute__((target("avx2")))
#else
#define CFPC_TARGET
#endif

typedef CFPC_NUMBER number;
typedef number vector __attribute__((vector_size(CFPC_BYTES)));
typedef vector packed __attribute__((aligned(sizeof(number)), may_alias)); // a vector in memory

enum {
    LANES = CFPC_BYTES / sizeof(number), // cells per vector
    ROWS = 6,                            // per tile
#if CFPC_BYTES == 64 || defined(__aarch64__)
    VECTORS = 4 // per tile, whose sums fit into 32 registers
#else
    VECTORS = 2 // into 16
#endif
};

// Some rows of b, and as many columns of it as a tile has.
typedef struct strip {
    int32_t count;    // rows, at most CFPC_DEPTH
    int32_t lanes;    // of the last vector, that are cells
    const number *at; // the first row
    ptrdiff_t next;   // numbers from one row to the next
} strip;

// ---- tiles -----------------------------------------------------------------------------------

// to ← keep to + sum, in the lanes that are cells. The copy keeps the other sums out of memory.
CFPC_INLINE void add_some(number *to, number keep, const vector *sum, int32_t lanes)
{
    const vector copy = *sum;
    number some[LANES];
    memcpy(some, &copy, sizeof some);
    for (int32_t k = 0; k < lanes; k++)
        to[k] = keep * to[k] + some[k];
}

CFPC_INLINE void tile(const cfpci_factors *factors, const strip *given, const number *a,
                      number keep, number *to, int32_t rows, int32_t vectors, bool is_whole)
{
    const strip b = *given; // a local copy: no store changes it
    const ptrdiff_t a_row = factors->a_row, a_next = factors->a_next, to_row = factors->cells;
    const number *row = b.at;
    vector sum[ROWS][VECTORS] = {{{0}}};
    for (int32_t k = 0; k < b.count; k++, a += a_next, row += b.next)
        for (int32_t i = 0; i < rows; i++)
            for (int32_t v = 0; v < vectors; v++)
                sum[i][v] += a[i * a_row] * ((const packed *)row)[v];
    for (int32_t i = 0; i < rows; i++, to += to_row)
        for (int32_t v = 0; v < vectors; v++)
            if (is_whole)
                ((packed *)to)[v] = keep * ((packed *)to)[v] + sum[i][v];
            else
                add_some(to, keep, &sum[i][v], b.lanes);
}

// All rows with one strip.
CFPC_INLINE void tiles(const cfpci_factors *factors, const strip *b, const number *a, number keep,
                       number *to, int32_t vectors, bool is_whole)
{
    const ptrdiff_t a_row = factors->a_row, to_row = factors->cells;
    int32_t i = 0;
    for (; i + ROWS <= factors->rows; i += ROWS)
        tile(factors, b, a + i * a_row, keep, to + i * to_row, ROWS, vectors, is_whole);
    for (; i + ROWS / 2 <= factors->rows; i += ROWS / 2)
        tile(factors, b, a + i * a_row, keep, to + i * to_row, ROWS / 2, vectors, is_whole);
    for (; i < factors->rows; i++)
        tile(factors, b, a + i * a_row, keep, to + i * to_row, 1, vectors, is_whole);
}

// ---- strips ----------------------------------------------------------------------------------

// Copies the rows of a strip next to each other: in a wide matrix they are far apart and would
// evict each other from the cache. Zeros fill a partial vector.
CFPC_INLINE void pack(strip *strip, number *room, int32_t columns, int32_t vectors)
{
    const ptrdiff_t row = vectors * LANES;
    for (int32_t k = 0; k < strip->count; k++) {
        number *to = room + k * row;
        const number *from = strip->at + k * strip->next;
        int32_t j = 0;
        for (; j < columns; j++)
            to[j] = from[j];
        for (; j < row; j++)
            to[j] = 0;
    }
    strip->at = room;
    strip->next = row;
}

// The columns from `first` on. A partial vector (is_whole: false) comes alone.
CFPC_INLINE void multiply_columns(const cfpci_factors *factors, const number *a, const number *b,
                                  number keep, number *to, int32_t first, int32_t vectors,
                                  bool is_whole)
{
    number room[CFPC_DEPTH * VECTORS * LANES];
    const int32_t wide = is_whole ? vectors * LANES : factors->cells - first;
    for (int32_t k = 0; k == 0 || k < factors->count; k += CFPC_DEPTH) {
        strip strip = {.count = factors->count - k < CFPC_DEPTH ? factors->count - k : CFPC_DEPTH,
                       .lanes = wide,
                       .at = b + (ptrdiff_t)k * factors->cells + first,
                       .next = factors->cells};
        if (!is_whole || wide != factors->cells)
            pack(&strip, room, wide, vectors);
        tiles(factors, &strip, a + k * factors->a_next, k == 0 ? keep : 1, to + first, vectors,
              is_whole);
    }
}

CFPC_TARGET void CFPC_MULTIPLY(const cfpci_factors *factors, const number *a, const number *b,
                               number keep, number *to)
{
    int32_t first = 0;
    for (; first + VECTORS * LANES <= factors->cells; first += VECTORS * LANES)
        multiply_columns(factors, a, b, keep, to, first, VECTORS, true);
    for (; first + LANES <= factors->cells; first += LANES)
        multiply_columns(factors, a, b, keep, to, first, 1, true);
    if (first < factors->cells)
        multiply_columns(factors, a, b, keep, to, first, 1, false);
}

#endif
