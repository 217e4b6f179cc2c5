// SPDX-License-Identifier: Apache-2.0
#include "strip.h"

#include <string.h>

#include "learn.h"
#include "modes.h"

// ---- the plain kernel ------------------------------------------------------------------------

void cfpci_strip_run_plain(const cfpci_run *run, const cfpci_strip *strip)
{
    const cfpc_lti *lti = run->trace;
    int32_t heads[CFPC_STRIP_ROWS];
    cfpc_real scratch[CFPC_STRIP_ROWS * CFPC_TILE];
    for (int32_t i = 0; i < lti->lines; i++)
        heads[i] = run->heads[i];
    cfpci_tile tile = {.count = strip->count,
                       .row = strip->row,
                       .state = strip->state,
                       .slots = strip->slots,
                       .heads = heads,
                       .scratch = scratch};
    const cfpc_real *h = scratch + (size_t)lti->states * (size_t)strip->count;
    for (int32_t n = 0; n < run->steps; n++) {
        tile.x = strip->x + (ptrdiff_t)n * strip->stride;
        cfpci_tile_multiply(lti, &tile, 0, cfpc_lti_rows(lti));
        cfpci_tile_store(lti, &tile);
        const bool settles = cfpci_settles(run->step + n);
        for (int32_t i = 0; settles && i < lti->states; i++)
            cfpci_settle(tile.state + (size_t)i * tile.row, (size_t)tile.count);
        for (int32_t i = 0; i < lti->lines; i++)
            heads[i] = heads[i] + 1 < lti->delay_steps[i] ? heads[i] + 1 : 0;
        cfpci_add_products(strip->sums + (size_t)n * CFPC_LANES, tile.x, strip->weight,
                           strip->count);
        if (run->teaches)
            cfpci_learn(strip->weight, strip->count, run->keep, settles, run->gain[n], h, run->low,
                        run->high);
    }
    if (strip->trace)
        memcpy(strip->trace, h, (size_t)strip->count * sizeof *h);
}

// ---- which kernel ----------------------------------------------------------------------------

static bool is_diagonal(const cfpc_lti *lti)
{
    for (int32_t i = 0; i < lti->states; i++)
        for (int32_t j = 0; j < lti->states; j++)
            if ((lti->matrix[i * cfpc_lti_columns(lti) + j] != 0) != (i == j))
                return false;
    return true;
}

// Whether this column has this value in all rows of states.
static bool is_driven_by(const cfpc_lti *lti, int32_t column, cfpc_real value)
{
    for (int32_t i = 0; i < lti->states; i++)
        if (lti->matrix[i * cfpc_lti_columns(lti) + column] != value)
            return false;
    return true;
}

// Whether the input of the line is x (open), or x - y (closed).
static bool line_is_plain(const cfpc_lti *lti, bool *is_closed)
{
    const int32_t n = lti->states;
    const cfpc_real *y = lti->matrix + (size_t)n * (size_t)cfpc_lti_columns(lti);
    const cfpc_real *z = y + cfpc_lti_columns(lti);
    bool closed = n > 0 && y[n + 1] == 0, open = true;
    for (int32_t i = 0; i < n; i++) {
        closed &= z[i] == -y[i];
        open &= z[i] == 0;
    }
    *is_closed = closed;
    return (closed || open) && y[n] == 0 && z[n] == 1 && z[n + 1] == 0;
}

void cfpci_run_recognise(cfpci_run *run)
{
    const cfpc_lti *lti = run->trace;
    const int32_t n = lti->states, u = n + lti->lines; // the column of the input of the modes
    run->is_modal = false;
    if (n > CFPC_STRIP_MODES || lti->lines > 1 || !is_diagonal(lti) || !is_driven_by(lti, u, 1) ||
        (lti->lines == 1 && (!is_driven_by(lti, n, 0) || !line_is_plain(lti, &run->is_closed))))
        return;
    const cfpc_real *y = lti->matrix + (size_t)n * (size_t)cfpc_lti_columns(lti);
    bool is_whole = n > 0 || y[u] != 0;
    for (int32_t i = 0; i < n; i++) {
        run->pole[i] = lti->matrix[i * cfpc_lti_columns(lti) + i];
        run->part[i] = y[i];
        is_whole &= y[i] != 0; // the plain kernel skips zeros
    }
    run->modes = n;
    run->has_line = lti->lines == 1;
    run->direct = y[u];
    run->is_modal = is_whole;
}

static void run_modal(const cfpci_run *run, const cfpci_strip *strip)
{
    cfpci_modes_run(run, strip);
}

#if defined(__x86_64__)
// The same for vectors twice as wide. Without contraction (no fma) the results are the same.
__attribute__((target("avx2"))) static void run_modal_wide(const cfpci_run *run,
                                                           const cfpci_strip *strip)
{
    cfpci_modes_run(run, strip);
}

// The widest vectors only on processors that do not reduce their clock for them: all have VBMI2.
bool cfpci_strip_has(cfpci_strip_way way)
{
    return way == CFPC_STRIP_NARROW || (way == CFPC_STRIP_WIDE && __builtin_cpu_supports("avx2")) ||
           (way == CFPC_STRIP_WIDEST && __builtin_cpu_supports("avx512f") &&
            __builtin_cpu_supports("avx512vbmi2"));
}

static void strip_run_whole(cfpci_strip_way way, const cfpci_run *run, const cfpci_strip *strip)
{
    if (way == CFPC_STRIP_WIDEST)
        cfpci_modes_run_widest(run, strip);
    else if (way == CFPC_STRIP_WIDE)
        run_modal_wide(run, strip);
    else
        run_modal(run, strip);
}
#else
bool cfpci_strip_has(cfpci_strip_way way)
{
    return way == CFPC_STRIP_NARROW;
}

static void strip_run_whole(cfpci_strip_way way, const cfpci_run *run, const cfpci_strip *strip)
{
    (void)way; // there is only one
    run_modal(run, strip);
}
#endif

cfpci_strip_way cfpci_strip_best(void)
{
    return cfpci_strip_has(CFPC_STRIP_WIDEST) ? CFPC_STRIP_WIDEST
           : cfpci_strip_has(CFPC_STRIP_WIDE) ? CFPC_STRIP_WIDE
                                              : CFPC_STRIP_NARROW;
}

// ---- partial tiles ---------------------------------------------------------------------------

enum { PIECE = 16 }; // steps that are copied at a time

// A partial tile copied into a whole one, padded with zeros.
typedef struct filled {
    cfpc_real state[CFPC_STRIP_MODES * CFPC_TILE];
    cfpc_real weight[CFPC_TILE];
    cfpc_real trace[CFPC_TILE];
    cfpc_real slots[PIECE * CFPC_TILE]; // of the piece, in the order of its steps
    cfpc_real x[PIECE * CFPC_TILE];
    cfpc_real sums[PIECE * CFPC_LANES];
} filled;

// Copies less than a tile.
CFPC_INLINE void copy_some(cfpc_real *to, const cfpc_real *from, int32_t count)
{
    for (int32_t half = CFPC_TILE / 2; half > 0; half /= 2)
        if (count & half) {
            memcpy(to, from, (size_t)half * sizeof *to); // of constant size, for the compiler
            to += half;
            from += half;
        }
}

static void copy_rows(cfpc_real *to, ptrdiff_t to_row, const cfpc_real *from, ptrdiff_t from_row,
                      int32_t rows, int32_t count)
{
    for (int32_t i = 0; i < rows; i++, to += to_row, from += from_row)
        copy_some(to, from, count);
}

// Copies the slots of a ring, starting at `head`, out of it or back into it.
static void copy_slots(filled *at, const cfpci_strip *strip, int32_t delay, int32_t head,
                       int32_t used, bool back)
{
    for (int32_t i = 0; i < used; i++) {
        cfpc_real *slot = strip->slots + (size_t)head * strip->row,
                  *here = at->slots + i * CFPC_TILE;
        copy_some(back ? slot : here, back ? here : slot, strip->count);
        head = head + 1 < delay ? head + 1 : 0;
    }
}

// One piece of steps, starting at `done`.
static void run_piece(cfpci_strip_way way, const cfpci_run *run, const cfpci_strip *strip,
                      filled *at, int32_t done)
{
    static const int32_t start = 0;
    const int32_t left = run->steps - done, steps = left < PIECE ? left : PIECE;
    const int32_t delay = run->has_line ? run->trace->delay_steps[0] : 0;
    const int32_t head = run->has_line ? (run->heads[0] + done) % delay : 0;
    const int32_t used = delay < steps ? delay : steps; // the ring of the piece
    cfpc_lti trace = *run->trace;
    trace.delay_steps = &used;
    cfpci_run piece = *run;
    piece.steps = steps;
    piece.step += done;
    piece.trace = &trace;
    piece.heads = &start;
    piece.gain = run->gain + done;
    const cfpci_strip whole = {.count = CFPC_TILE,
                               .row = CFPC_TILE,
                               .state = at->state,
                               .slots = at->slots,
                               .weight = at->weight,
                               .trace = at->trace,
                               .x = at->x,
                               .stride = CFPC_TILE,
                               .sums = at->sums};
    cfpc_real *sums = strip->sums + (size_t)done * CFPC_LANES;
    copy_slots(at, strip, delay, head, used, false);
    copy_rows(at->x, CFPC_TILE, strip->x + (ptrdiff_t)done * strip->stride, strip->stride, steps,
              strip->count);
    copy_rows(at->sums, CFPC_LANES, sums, CFPC_LANES, steps, strip->count);
    strip_run_whole(way, &piece, &whole);
    copy_rows(sums, CFPC_LANES, at->sums, CFPC_LANES, steps, strip->count);
    copy_slots(at, strip, delay, head, used, true);
}

static void run_filled(cfpci_strip_way way, const cfpci_run *run, const cfpci_strip *strip)
{
    filled at = {0};
    copy_rows(at.state, CFPC_TILE, strip->state, (ptrdiff_t)strip->row, run->modes, strip->count);
    copy_some(at.weight, strip->weight, strip->count);
    for (int32_t done = 0; done < run->steps; done += PIECE)
        run_piece(way, run, strip, &at, done);
    copy_rows(strip->state, (ptrdiff_t)strip->row, at.state, CFPC_TILE, run->modes, strip->count);
    copy_some(strip->weight, at.weight, strip->count);
    if (strip->trace)
        copy_some(strip->trace, at.trace, strip->count);
}

void cfpci_strip_run_by(cfpci_strip_way way, const cfpci_run *run, const cfpci_strip *strip)
{
    if (!run->is_modal || (strip->count < CFPC_TILE && CFPC_VECTOR == 1))
        cfpci_strip_run_plain(run, strip);
    else if (strip->count < CFPC_TILE)
        run_filled(way, run, strip);
    else
        strip_run_whole(way, run, strip);
}

void cfpci_strip_run(const cfpci_run *run, const cfpci_strip *strip)
{
    cfpci_strip_run_by(cfpci_strip_best(), run, strip);
}
