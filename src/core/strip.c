// SPDX-License-Identifier: Apache-2.0
#include "strip.h"

#include <string.h>

#include "modes.h"

// ---- the plain way ---------------------------------------------------------------------------

static void learn(const cfpc_run *run, const cfpc_strip *strip, const cfpc_real *h, cfpc_real gain)
{
    cfpc_real *w = strip->weight;
    for (int32_t j = 0; run->keep != 1 && j < strip->count; j++)
        w[j] *= run->keep;
    cfpc_add_scaled(w, gain, h, strip->count);
    for (int32_t j = 0; run->low < run->high && j < strip->count; j++)
        w[j] = w[j] < run->low ? run->low : w[j] > run->high ? run->high : w[j];
}

void cfpc_strip_run_plain(const cfpc_run *run, const cfpc_strip *strip)
{
    const cfpc_lti *lti = run->trace;
    int32_t heads[CFPC_STRIP_ROWS];
    cfpc_real scratch[CFPC_STRIP_ROWS * CFPC_TILE];
    for (int32_t i = 0; i < lti->lines; i++)
        heads[i] = run->heads[i];
    cfpc_tile tile = {.count = strip->count,
                      .row = strip->row,
                      .state = strip->state,
                      .slots = strip->slots,
                      .heads = heads,
                      .scratch = scratch};
    const cfpc_real *h = scratch + (size_t)lti->states * (size_t)strip->count;
    for (int32_t n = 0; n < run->steps; n++) {
        tile.x = strip->x + (size_t)n * strip->stride;
        cfpc_tile_multiply(lti, &tile, 0, cfpc_lti_rows(lti));
        cfpc_tile_store(lti, &tile);
        for (int32_t i = 0; i < lti->lines; i++)
            heads[i] = heads[i] + 1 < lti->delay_steps[i] ? heads[i] + 1 : 0;
        cfpc_add_products(strip->sums + (size_t)n * CFPC_LANES, tile.x, strip->weight,
                          strip->count);
        if (run->teaches)
            learn(run, strip, h, run->gain[n]);
    }
    if (strip->trace)
        memcpy(strip->trace, h, (size_t)strip->count * sizeof *h);
}

// ---- which way -------------------------------------------------------------------------------

static bool is_diagonal(const cfpc_lti *lti)
{
    for (int32_t i = 0; i < lti->states; i++)
        for (int32_t j = 0; j < lti->states; j++)
            if ((lti->matrix[i * cfpc_lti_columns(lti) + j] != 0) != (i == j))
                return false;
    return true;
}

// Column `column` of the states' rows is all of this value.
static bool is_driven_by(const cfpc_lti *lti, int32_t column, cfpc_real value)
{
    for (int32_t i = 0; i < lti->states; i++)
        if (lti->matrix[i * cfpc_lti_columns(lti) + column] != value)
            return false;
    return true;
}

// What goes into the line: x, less the output of a closed loop.
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

void cfpc_run_recognise(cfpc_run *run)
{
    const cfpc_lti *lti = run->trace;
    const int32_t n = lti->states, u = n + lti->lines; // the column that drives
    run->is_modal = false;
    if (n > CFPC_STRIP_MODES || lti->lines > 1 || !is_diagonal(lti) || !is_driven_by(lti, u, 1) ||
        (lti->lines == 1 && (!is_driven_by(lti, n, 0) || !line_is_plain(lti, &run->is_closed))))
        return;
    const cfpc_real *y = lti->matrix + (size_t)n * (size_t)cfpc_lti_columns(lti);
    bool is_whole = n > 0 || y[u] != 0;
    for (int32_t i = 0; i < n; i++) {
        run->pole[i] = lti->matrix[i * cfpc_lti_columns(lti) + i];
        run->part[i] = y[i];
        is_whole &= y[i] != 0; // what is 0 the plain way leaves out
    }
    run->modes = n;
    run->has_line = lti->lines == 1;
    run->direct = y[u];
    run->is_modal = is_whole;
}

static void run_modal(const cfpc_run *run, const cfpc_strip *strip)
{
    cfpc_modes_run(run, strip);
}

#if defined(__x86_64__)
// The same for vectors twice as wide. Without contraction (no fma here), bit for bit the same.
__attribute__((target("avx2"))) static void run_modal_wide(const cfpc_run *run,
                                                           const cfpc_strip *strip)
{
    cfpc_modes_run(run, strip);
}

static bool is_wide(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
static void run_modal_wide(const cfpc_run *run, const cfpc_strip *strip)
{
    run_modal(run, strip);
}

static bool is_wide(void)
{
    return false;
}
#endif

void cfpc_strip_run(const cfpc_run *run, const cfpc_strip *strip)
{
    if (!run->is_modal || strip->count < CFPC_TILE)
        cfpc_strip_run_plain(run, strip);
    else if (is_wide())
        run_modal_wide(run, strip);
    else
        run_modal(run, strip);
}
