// SPDX-License-Identifier: Apache-2.0
// filter_kernel: the filtered errors of all cells, for one precision. numbers.c includes it twice,
// as numbers_kernel.h. The rows of many cells are far apart and would evict each other from the
// cache. So a few cells are done at a time, for which the rows are copied side by side. The order
// of every sum is that of the taps.

#define few NAMED(few)
#define filtering NAMED(filtering)
#define copy_cells NAMED(copy_cells)
#define add_taps NAMED(add_taps)
#define add_some_taps NAMED(add_some_taps)
#define add_layer NAMED(add_layer)
#define filter_cells NAMED(filter_cells)

typedef REAL few __attribute__((vector_size(16), may_alias));

// Some neighbouring cells, for some taps and some steps.
typedef struct filtering {
    _Alignas(16) REAL tap[TAPS_AT_ONCE][CELLS_AT_ONCE];
    _Alignas(16) REAL t[TAPS_AT_ONCE + STEPS_AT_ONCE][CELLS_AT_ONCE]; // errors, the oldest first
    _Alignas(16) REAL sum[STEPS_AT_ONCE][CELLS_AT_ONCE];              // δ
} filtering;

// All that is done for `wide` vectors of cells, a constant.
#define ALWAYS static inline __attribute__((always_inline))

// Rows of cells, which fill the vectors or not.
ALWAYS void copy_cells(REAL (*to)[CELLS_AT_ONCE], const REAL *from, int32_t rows, int32_t cells,
                       int32_t count, int32_t wide)
{
    const bool full = (size_t)count * sizeof *from == (size_t)wide * sizeof(few);
    for (int32_t i = 0; full && i < rows; i++, from += cells)
        memcpy(to[i], from, (size_t)wide * sizeof(few)); // of a size that the compiler knows
    for (int32_t i = 0; !full && i < rows; i++, from += cells)
        memcpy(to[i], from, (size_t)count * sizeof *from);
}

// δ of some steps += Σ_s tap[s] t[-s]. The fewer the vectors, the more steps together: VECTORS sums
// stay in registers.
ALWAYS void add_taps(filtering *filtering, int32_t n, int32_t taps, int32_t wide)
{
    enum { VECTORS = 8 };
    const int32_t steps = VECTORS / wide;
    few all[VECTORS];
    for (int32_t j = 0; j < steps; j++)
        for (int32_t k = 0; k < wide; k++)
            all[j * wide + k] = ((few *)filtering->sum[n + j])[k];
    for (int32_t s = 0; s < taps; s++)
        for (int32_t j = 0; j < steps; j++)
            for (int32_t k = 0; k < wide; k++)
                all[j * wide + k] +=
                    ((few *)filtering->tap[s])[k] * ((few *)filtering->t[taps - 1 + n + j - s])[k];
    for (int32_t j = 0; j < steps; j++)
        for (int32_t k = 0; k < wide; k++)
            ((few *)filtering->sum[n + j])[k] = all[j * wide + k];
}

ALWAYS void add_some_taps(filtering *filtering, const REAL *tap, const REAL *t, int32_t taps,
                          int32_t steps, int32_t cells, int32_t count, int32_t wide)
{
    copy_cells(filtering->tap, tap, taps, cells, count, wide);
    copy_cells(filtering->t, t, taps - 1 + steps, cells, count, wide);
    for (int32_t n = 0; n < steps; n += 8 / wide)
        add_taps(filtering, n, taps, wide);
}

// A layer's part. tap: its first of these cells; t: its error of the first of these steps.
static void add_layer(filtering *filtering, const REAL *tap, const REAL *t, int32_t taps,
                      int32_t steps, int32_t cells, int32_t count)
{
    const size_t bytes = (size_t)count * sizeof *tap;
    for (int32_t s = 0; s < taps; s += TAPS_AT_ONCE, tap += (ptrdiff_t)TAPS_AT_ONCE * cells) {
        const int32_t some = taps - s < TAPS_AT_ONCE ? taps - s : TAPS_AT_ONCE;
        const REAL *oldest = t - (ptrdiff_t)(s + some - 1) * cells;
        if (bytes <= sizeof(few))
            add_some_taps(filtering, tap, oldest, some, steps, cells, count, 1);
        else if (bytes <= 2 * sizeof(few))
            add_some_taps(filtering, tap, oldest, some, steps, cells, count, 2);
        else if (bytes <= 4 * sizeof(few))
            add_some_taps(filtering, tap, oldest, some, steps, cells, count, 4);
        else
            add_some_taps(filtering, tap, oldest, some, steps, cells, count, 8);
    }
}

// δ of `count` cells at `steps` steps of the block.
static void filter_cells(filtering *filtering, const cfpc_zone_model *model, const REAL *history,
                         int32_t step, int32_t steps, int32_t first, int32_t count)
{
    const size_t cells = (size_t)model->cells, taps = (size_t)model->taps;
    const REAL *tap = (const REAL *)cfpci_zone_array(model, model->taps_at) + first;
    const REAL *t = history + (taps - 1 + (size_t)step) * cells + first;
    memset(filtering, 0, sizeof *filtering);
    for (int32_t l = 0; l < model->layers; l++) {
        add_layer(filtering, tap, t, model->taps, steps, model->cells, count);
        tap += taps * cells;
        t += cfpci_zone_history_rows(model) * cells;
    }
}

static void NAMED(filter)(const cfpc_zone_model *model, const void *history, int32_t steps,
                          double keep, void *d)
{
    const REAL *rate = cfpci_zone_array(model, model->rate_at);
    double after = 1; // what the leak of the steps from `end` on leaves
    filtering filtering;
    for (int32_t end = steps, some = 0; end > 0; end -= some) {
        double left = after; // what the leak of the later steps leaves of a step's part
        some = end < STEPS_AT_ONCE ? end : STEPS_AT_ONCE;
        for (int32_t first = 0; first < model->cells; first += CELLS_AT_ONCE) {
            const int32_t rest = model->cells - first;
            const int32_t count = rest < CELLS_AT_ONCE ? rest : CELLS_AT_ONCE;
            REAL *to = (REAL *)d + (size_t)(end - 1) * (size_t)model->cells + first;
            filter_cells(&filtering, model, history, end - some, some, first, count);
            left = after;
            for (int32_t n = some - 1; n >= 0; n--, left *= keep, to -= model->cells)
                for (int32_t p = 0; p < count; p++)
                    to[p] = (REAL)left * (rate[first + p] * filtering.sum[n][p]);
        }
        after = left;
    }
}

#undef ALWAYS
#undef few
#undef filtering
#undef copy_cells
#undef add_taps
#undef add_some_taps
#undef add_layer
#undef filter_cells
