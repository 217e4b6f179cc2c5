// SPDX-License-Identifier: Apache-2.0
#include "batch/table_pass.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/inline_vectors.h"

enum {
    LANES = 8,          // partial sums of a dot product
    LINES = 4,          // rows of a table processed together in registers
    AHEAD = 64,         // entries prefetched together
    SLICE = 2048,       // bases whose output is summed separately, a multiple of LINES
    TILE_BYTES = 131072 // bases written by one call fit into a cache of this size, if possible
};

// ---- a few rows of a table and a vector ------------------------------------------------------

// Rows of a table, all of one length; is_float is known where this is inlined.
typedef struct rows {
    const void *first;
    size_t apart; // from row to row, in entries
    bool is_float;
} rows;

static inline double table_pass_entry(rows x, size_t row, size_t i)
{
    const size_t at = row * x.apart + i;
    return x.is_float ? (double)((const float *)x.first)[at] : ((const double *)x.first)[at];
}

// The rows from this entry on, and from this row on.
static inline rows rows_at(rows x, size_t i)
{
    x.first = (const char *)x.first + i * (x.is_float ? sizeof(float) : sizeof(double));
    return x;
}

static inline rows rows_from(rows x, size_t row)
{
    return rows_at(x, row * x.apart);
}

// Prefetches AHEAD entries, from i on, of rows from ... to - 1.
static inline void ask(rows x, size_t from, size_t to, size_t i)
{
#ifdef __GNUC__
    const size_t bytes = x.is_float ? sizeof(float) : sizeof(double);
    for (size_t r = from; r < to; r++)
        for (size_t k = 0; k < AHEAD; k += 64 / bytes)
            __builtin_prefetch((const char *)x.first + (r * x.apart + i + k) * bytes);
#else
    (void)x, (void)from, (void)to, (void)i;
#endif
}

// part[r] += (row r) v over `length` entries from i on, a multiple of LANES
static inline void sum_lanes(rows x, size_t count, size_t i, size_t length,
                             const double *restrict v, double part[LINES][LANES])
{
    for (const size_t end = i + length; i < end; i += LANES)
        for (size_t r = 0; r < count; r++)
            for (size_t k = 0; k < LANES; k++)
                part[r][k] += table_pass_entry(x, r, i + k) * v[i + k];
}

// sums[r] = (row r)ᵀ v, for 1 row or LINES of them. Meanwhile rows from ... to - 1 of the next are
// prefetched.
static inline void table_pass_dots(rows x, size_t count, size_t length, const double *restrict v,
                                   double *restrict sums, rows next, size_t from, size_t to)
{
    double part[LINES][LANES] = {{0}};
    size_t i = 0;
    for (; i + AHEAD <= length; i += AHEAD) {
        ask(next, from, to, i);
        sum_lanes(x, count, i, AHEAD, v, part);
    }
    const size_t whole = (length - i) / LANES * LANES;
    sum_lanes(x, count, i, whole, v, part);
    i += whole;
    for (size_t k = 0; i < length; i++, k++)
        for (size_t r = 0; r < count; r++)
            part[r][k] += table_pass_entry(x, r, i) * v[i];
    for (size_t r = 0; r < count; r++) {
        const double *p = part[r];
        sums[r] = ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
    }
}

// to[i] += Σ a[r] (row r)[i] over `length` entries from i on, for 1 row or LINES of them
static inline void add_some(rows x, size_t count, size_t i, size_t length, const double *a,
                            double *restrict to)
{
    const double p = a[0], q = count > 1 ? a[1] : 0;
    const double r = count > 1 ? a[2] : 0, s = count > 1 ? a[3] : 0;
    const size_t end = i + length;
    if (count == 1)
        for (; i < end; i++)
            to[i] += p * table_pass_entry(x, 0, i);
    else
        for (; i < end; i++)
            to[i] += (p * table_pass_entry(x, 0, i) + q * table_pass_entry(x, 1, i)) +
                     (r * table_pass_entry(x, 2, i) + s * table_pass_entry(x, 3, i));
}

// to += Σ a[r] (row r); meanwhile rows of the next are prefetched, as above.
static inline void table_pass_add(rows x, size_t count, size_t length, const double *restrict a,
                                  double *restrict to, rows next, size_t next_from, size_t next_to)
{
    size_t i = 0;
    for (; i + AHEAD <= length; i += AHEAD) {
        ask(next, next_from, next_to, i);
        add_some(x, count, i, AHEAD, a, to);
    }
    add_some(x, count, i, length - i, a, to);
}

// ---- a slice ---------------------------------------------------------------------------------

// w += rate · x f, o += xᵀ w, for rows j ... j + some - 1 of x, each a basis. Half of the next rows
// are prefetched in the first pass, half in the second.
static inline void learn_rows(rows x, size_t j, size_t some, size_t steps, bool is_last,
                              const double *f, double rate, double *w, double *o)
{
    const rows here = rows_from(x, j), next = rows_from(x, is_last ? j : j + some);
    const size_t half = some / 2;
    double g[LINES];
    table_pass_dots(here, some, steps, f, g, next, 0, half);
    for (size_t r = 0; r < some; r++)
        w[j + r] += rate * g[r];
    table_pass_add(here, some, steps, w + j, o, next, half, some);
}

static inline void slice_by_bases(rows x, size_t count, size_t steps, const double *f, double rate,
                                  double *w, double *o)
{
    size_t j = 0;
    for (; j + LINES <= count; j += LINES)
        learn_rows(x, j, LINES, steps, j + 2 * LINES > count, f, rate, w, o);
    for (; j < count; j++)
        learn_rows(x, j, 1, steps, j + 1 == count, f, rate, w, o);
}

// w += rate · xᵀ f, o = x w, one row per step, `count` bases wide, at most SLICE.
static inline void slice_by_steps(rows x, size_t count, size_t steps, const double *f, double rate,
                                  double *w, double *o)
{
    double g[SLICE];
    size_t n = 0;
    memset(g, 0, count * sizeof *g);
    for (; n + LINES <= steps; n += LINES) // g = xᵀ f
        table_pass_add(rows_from(x, n), LINES, count, f + n, g,
                       rows_from(x, n + 2 * LINES <= steps ? n + LINES : n), 0, LINES);
    for (; n < steps; n++)
        table_pass_add(rows_from(x, n), 1, count, f + n, g, x, 0, 0);
    for (size_t j = 0; j < count; j++)
        w[j] += rate * g[j];
    for (n = 0; n + LINES <= steps; n += LINES)
        table_pass_dots(rows_from(x, n), LINES, count, w, o + n,
                        rows_from(x, n + 2 * LINES <= steps ? n + LINES : n), 0, LINES);
    for (; n < steps; n++)
        table_pass_dots(rows_from(x, n), 1, count, w, o + n, x, 0, 0);
}

// Of rows of any kind, which is known in each of the four.
CFPC_WIDE static void learn_slice(rows x, bool by_bases, size_t count, size_t steps,
                                  const double *f, double rate, double *w, double *o)
{
    if (by_bases && x.is_float)
        slice_by_bases((rows){x.first, x.apart, true}, count, steps, f, rate, w, o);
    else if (by_bases)
        slice_by_bases((rows){x.first, x.apart, false}, count, steps, f, rate, w, o);
    else if (x.is_float)
        slice_by_steps((rows){x.first, x.apart, true}, count, steps, f, rate, w, o);
    else
        slice_by_steps((rows){x.first, x.apart, false}, count, steps, f, rate, w, o);
}

// ---- the pass --------------------------------------------------------------------------------

static int32_t slices_of(const cfpc_bases *bases)
{
    return bases->count / SLICE + (bases->count % SLICE > 0);
}

// A multiple of LINES, so that the sums equal those of a table.
static int32_t tile_of(const cfpc_bases *bases)
{
    if (!bases->write)
        return 0;
    const size_t fit = TILE_BYTES / sizeof(double) / (size_t)bases->steps / LINES * LINES;
    return fit < LINES ? LINES : fit > SLICE ? SLICE : (int32_t)fit;
}

// At most one thread per slice.
static int32_t threads_of(const cfpc_bases *bases, int32_t threads)
{
    return threads < slices_of(bases) ? threads : slices_of(bases);
}

double cfpci_pass_bytes(const cfpc_bases *bases, int32_t threads)
{
    const double tiles = (double)tile_of(bases) * threads_of(bases, threads);
    const double signals = slices_of(bases) + tiles;
    return signals * bases->steps * sizeof(double) + slices_of(bases) * sizeof(cfpc_status);
}

cfpc_status cfpci_pass_make(cfpci_pass *pass, const cfpc_bases *bases, int32_t threads)
{
    const size_t steps = (size_t)bases->steps;
    *pass = (cfpci_pass){.bases = *bases,
                         .threads = threads_of(bases, threads),
                         .slices = slices_of(bases),
                         .tile = tile_of(bases)};
    pass->outputs = malloc((size_t)pass->slices * steps * sizeof *pass->outputs);
    pass->tiles =
        malloc((size_t)pass->threads * (size_t)pass->tile * steps * sizeof *pass->tiles + 1);
    pass->statuses = malloc((size_t)pass->slices * sizeof *pass->statuses);
    return pass->outputs && pass->tiles && pass->statuses ? CFPC_OK : CFPC_NO_MEMORY;
}

void cfpci_pass_free(cfpci_pass *pass)
{
    free(pass->outputs);
    free(pass->tiles);
    free(pass->statuses);
    *pass = (cfpci_pass){0};
}

// Slice s: its weights learn, its output is o. Bases that are written are so tile by tile.
static cfpc_status one_slice(const cfpci_pass *pass, double *tile, int32_t s, const double *f,
                             double rate, double *all_w, double *o)
{
    const cfpc_bases *x = &pass->bases;
    const int32_t first = s * SLICE, left = x->count - first, count = left < SLICE ? left : SLICE;
    const size_t steps = (size_t)x->steps;
    const bool by_bases = x->order == CFPC_BY_BASES;
    double *w = all_w + first;
    memset(o, 0, steps * sizeof *o);
    for (int32_t j = 0; x->write && j < count; j += pass->tile) {
        const int32_t some = count - j < pass->tile ? count - j : pass->tile;
        const cfpc_status status = x->write(x->context, first + j, some, tile);
        if (status != CFPC_OK)
            return status;
        learn_slice((rows){tile, steps, false}, true, (size_t)some, steps, f, rate, w + j, o);
    }
    if (x->write)
        return CFPC_OK;
    const rows all = {x->floats ? (const void *)x->floats : x->doubles,
                      by_bases ? steps : (size_t)x->count, x->floats != NULL};
    const rows here = by_bases ? rows_from(all, (size_t)first) : rows_at(all, (size_t)first);
    learn_slice(here, by_bases, (size_t)count, steps, f, rate, w, o);
    return CFPC_OK;
}

cfpc_status cfpci_pass_over(cfpci_pass *pass, const double *f, double rate, double *w, double *o)
{
    const size_t steps = (size_t)pass->bases.steps;
#ifdef _OPENMP
#pragma omp parallel for num_threads(pass->threads) schedule(static, 1) if (pass->threads > 1)
#endif
    for (int32_t thread = 0; thread < pass->threads; thread++) {
        double *tile = pass->tiles + (size_t)thread * (size_t)pass->tile * steps;
        for (int32_t s = thread; s < pass->slices; s += pass->threads)
            pass->statuses[s] =
                one_slice(pass, tile, s, f, rate, w, pass->outputs + (size_t)s * steps);
    }
    memset(o, 0, steps * sizeof *o);
    for (int32_t s = 0; s < pass->slices; s++) {
        if (pass->statuses[s] != CFPC_OK)
            return pass->statuses[s];
        const double *part = pass->outputs + (size_t)s * steps;
        for (size_t n = 0; n < steps; n++)
            o[n] += part[n];
    }
    return CFPC_OK;
}

// ---- bases as doubles ------------------------------------------------------------------------

cfpc_status cfpci_take_bases(const cfpc_bases *bases, int32_t first, int32_t count, double *to)
{
    if (bases->write)
        return bases->write(bases->context, first, count, to);
    const size_t steps = (size_t)bases->steps, some = (size_t)count;
    const bool by_bases = bases->order == CFPC_BY_BASES;
    const size_t row = by_bases ? steps : 1, column = by_bases ? 1 : (size_t)bases->count;
    for (size_t n = 0; n < steps; n++)
        for (size_t j = 0; j < some; j++) {
            const size_t at = ((size_t)first + j) * row + n * column;
            to[j * steps + n] = bases->floats ? (double)bases->floats[at] : bases->doubles[at];
        }
    return CFPC_OK;
}
