// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cfpc/cell.h"
#include "core/data_image.h"
#include "core/numbers.h"
#include "history.h"
#include "panels.h"
#include "threads.h"
#include "zone_guard.h"

// A block of steps, or of the steps after a trial, which only learn.
typedef struct block {
    const cfpc_zone_products *by;
    const cfpci_numbers *numbers;
    const cfpc_zone_model *model;
    cfpc_zone_data *data;
    const cfpc_source *source;
    int32_t done;  // the source's step at which the block begins
    int32_t steps; //
    int32_t early; // steps at its start whose past inputs are of before the trial
    bool acts;     //
    bool learns;   // D may differ from 0
    bool frozen;   // some cell is frozen or paused
    bool bounds;   // the weights are held within their bounds at its end
    double keep;   // what the leak of all its steps leaves of a weight
} block;

// ---- one panel -------------------------------------------------------------------------------

static char *weights_of(const block *it, int32_t first)
{
    const size_t at = (size_t)first * (size_t)it->model->cells;
    return (char *)it->data + it->data->weight_at + at * it->numbers->bytes;
}

static char *scratch_of(const block *it, int32_t thread, int32_t half)
{
    const size_t numbers = (size_t)it->model->block_steps * (size_t)cfpci_zone_panel(it->model);
    return (char *)it->data + it->data->scratch_at +
           ((size_t)thread * 2 + (size_t)half) * numbers * it->numbers->bytes;
}

static char *part_of(const block *it, int32_t chunk)
{
    const size_t numbers = (size_t)it->model->block_steps * (size_t)it->model->cells;
    return (char *)it->data + it->data->part_at + (size_t)chunk * numbers * it->numbers->bytes;
}

static void act(const block *it, const cfpci_window *window, const cfpci_piece *now, char *part)
{
    const cfpci_panel panel = {.steps = it->steps,
                               .count = window->count,
                               .cells = it->model->cells,
                               .x_stride = now->stride};
    if (now->x)
        it->numbers->act(it->by, &panel, now->x, weights_of(it, window->first), part);
}

// The inputs of M steps ago, from the first one of the trial on; none if nothing is learned. A
// leaky source is read in any case: its state moves on.
static cfpci_piece past_of(const block *it, const cfpci_window *window, char *scratch)
{
    const int64_t from = it->data->clock + it->done - it->model->horizon;
    cfpci_window past = *window;
    cfpci_piece piece = {0};
    if (it->model->past == CFPC_PAST_KEPT) {
        past.steps -= it->early;
        return it->learns ? cfpci_panel_kept(it->model, it->data, &past, from + it->early, scratch)
                          : piece;
    }
    past = cfpci_window_past(it->model, window);
    if (!it->learns && past.source->kind != CFPC_LEAKY)
        return piece;
    piece = cfpci_panel_read(&past, it->numbers, scratch);
    if (!it->learns || !piece.x)
        return (cfpci_piece){0};
    piece.x = (const char *)piece.x + it->early * piece.stride * (ptrdiff_t)it->numbers->bytes;
    past.steps -= it->early;
    return cfpci_panel_finite(&past, it->numbers, &piece, scratch);
}

// w ← keep w + xᵀ d, within bounds; a w that leaks to almost nothing is 0. The product knows no
// frozen cells, whose columns of d are 0: their weights must not leak.
static void learn(const block *it, const cfpci_window *window, const cfpci_piece *past)
{
    const cfpc_zone_model *model = it->model;
    const uint32_t *flags = cfpci_zone_cell_flags(it->data);
    const size_t first_d = (size_t)it->early * (size_t)model->cells * it->numbers->bytes;
    const cfpci_panel panel = {.steps = it->steps - it->early,
                               .count = window->count,
                               .cells = model->cells,
                               .x_stride = past->stride};
    const bool apart = it->keep != 1 && (it->frozen || !past->x);
    char *w = weights_of(it, window->first);
    if (apart)
        it->numbers->scale(w, window->count, model->cells, it->keep, flags);
    if (past->x)
        it->numbers->learn(it->by, &panel, apart ? 1 : it->keep, past->x,
                           (const char *)it->data + it->data->delta_at + first_d, w);
    if (it->keep != 1)
        it->numbers->settle(w, window->count, model->cells, flags);
    if (it->bounds && model->weight_low < model->weight_high)
        it->numbers->hold_within(w, window->count, model->cells, model->weight_low,
                                 model->weight_high, flags);
}

// ---- one chunk -------------------------------------------------------------------------------

// A panel's weights are used and changed while they are in the cache.
static void run_panel(const block *it, const cfpci_window *window, char *part, int32_t thread)
{
    if (it->acts) {
        const cfpci_piece now = cfpci_panel_read(window, it->numbers, scratch_of(it, thread, 0));
        act(it, window, &now, part);
        if (it->model->past == CFPC_PAST_KEPT)
            cfpci_panel_keep(it->model, it->data, window, &now);
    }
    const cfpci_piece past = past_of(it, window, scratch_of(it, thread, 1));
    learn(it, window, &past);
}

static void run_chunk(void *context, int32_t chunk, int32_t thread)
{
    const block *it = context;
    const int32_t begin = chunk * CFPC_CHUNK, left = it->model->synapses - begin;
    const int32_t count = left < CFPC_CHUNK ? left : CFPC_CHUNK;
    char *part = part_of(it, chunk);
    if (it->acts)
        memset(part, 0, (size_t)it->steps * (size_t)it->model->cells * it->numbers->bytes);
    for (int32_t j = 0; j < count; j += CFPC_ZONE_PANEL) {
        const cfpci_window window = {.source = it->source,
                                     .done = it->done,
                                     .steps = it->steps,
                                     .first = begin + j,
                                     .count =
                                         count - j < CFPC_ZONE_PANEL ? count - j : CFPC_ZONE_PANEL,
                                     .width = it->model->synapses,
                                     .panel = cfpci_zone_panel(it->model)};
        run_panel(it, &window, part, thread);
    }
}

// ---- the block -------------------------------------------------------------------------------

// Inputs of before the trial do not learn: steps whose input of M steps ago is one of them.
static int32_t early_steps(const block *it)
{
    const int64_t early = it->model->horizon - (it->data->clock + it->done);
    return early < 0 ? 0 : early < it->steps ? (int32_t)early : it->steps;
}

static double power(double base, int32_t exponent)
{
    double product = 1;
    for (int32_t n = 0; n < exponent; n++)
        product *= base;
    return product;
}

// errors: NULL: zeros, and nothing leaks.
static void run_block(block *it, int32_t threads, const cfpc_real *errors)
{
    const double keep = errors ? 1 - it->model->leak : 1;
    it->early = early_steps(it);
    it->keep = power(keep, it->steps);
    it->frozen = cfpci_zone_any_still(it->model, it->data);
    it->learns =
        cfpci_zone_filter(it->model, it->data, errors, it->steps, keep) && it->early < it->steps;
    if (it->learns)
        cfpci_zone_guard_slow(it->model, it->data, it->steps);
    cfpci_zone_each_chunk(cfpci_chunks(it->model->synapses), threads, run_chunk, it);
    cfpci_zone_history_move(it->model, it->data, it->steps);
}

// An output that is not finite counts as 0 and freezes its cell, unless its guard acts. A cell that
// is paused puts out nothing.
static void put_out(const block *it, cfpc_real *outputs)
{
    const int32_t cells = it->model->cells, chunks = cfpci_chunks(it->model->synapses);
    const size_t stride = (size_t)it->model->block_steps * (size_t)cells;
    for (int32_t p = 0; p < cells; p++) {
        const bool paused = cfpci_zone_cell_flags(it->data)[p] & CFPC_ZONE_PAUSED;
        bool finite = true;
        for (int32_t n = 0; n < it->steps; n++) {
            const size_t at = (size_t)n * (size_t)cells + (size_t)p;
            const cfpc_real o = (cfpc_real)it->numbers->total(
                part_of(it, 0) + at * it->numbers->bytes, chunks, stride);
            outputs[at] = cfpci_is_finite(o) && !paused ? o : 0;
            finite &= cfpci_is_finite(o);
        }
        if (!finite && !cfpci_zone_guard_not_finite(it->model, it->data, p))
            cfpci_zone_freeze_cell(it->model, it->data, p, CFPC_FLAG_NOT_FINITE);
    }
}

static cfpc_status call_check(const cfpc_zone_products *by, int32_t threads,
                              const cfpc_zone_model *model, const cfpc_zone_data *data)
{
    if (!by || !model || !data)
        return CFPC_MISSING;
    if (data->model_identity != model->header.checksum)
        return CFPC_OTHER_MODEL;
    return threads < 1 || threads > model->threads ? CFPC_BAD_SIZE : CFPC_OK;
}

cfpc_status cfpc_zone_step_block_by(const cfpc_zone_products *by, int32_t threads,
                                    const cfpc_zone_model *model, cfpc_zone_data *data,
                                    const cfpc_source *source, const cfpc_real *errors,
                                    int32_t steps, cfpc_real *outputs)
{
    cfpc_status status = call_check(by, threads, model, data);
    if (status != CFPC_OK)
        return status;
    if (steps < 0 || steps > model->block_steps)
        return steps < 0 ? CFPC_BAD_SIZE : CFPC_BLOCK_TOO_LONG;
    status = cfpci_zone_source_check(model, source, steps, false);
    if (status != CFPC_OK || steps == 0)
        return status;
    if (!errors || !outputs)
        return CFPC_MISSING;
    block it = {.by = by,
                .numbers = cfpci_numbers_of(model->is_double),
                .model = model,
                .data = data,
                .source = source,
                .steps = steps,
                .acts = true,
                .bounds = true};
    run_block(&it, threads, errors);
    put_out(&it, outputs);
    cfpci_zone_guard_watch(model, data, errors, steps, outputs);
    data->clock += steps;
    return CFPC_OK;
}

cfpc_status cfpc_zone_step_block(const cfpc_zone_model *model, cfpc_zone_data *data,
                                 const cfpc_real *x, const cfpc_real *errors, int32_t steps,
                                 cfpc_real *outputs)
{
    const cfpc_source source = {.kind = CFPC_HANDED, .x = x};
    return cfpc_zone_step_block_by(cfpc_zone_plain(), 1, model, data, &source, errors, steps,
                                   outputs);
}

// ---- the end of a trial ----------------------------------------------------------------------

// All that is due is learned, in parts that count as one block: the bounds apply once.
static void learn_due(const block *whole, int32_t threads)
{
    const int32_t horizon = whole->model->horizon, most = whole->model->block_steps;
    for (int32_t done = 0; done < horizon && whole->data->live > 0; done += most) {
        block it = *whole;
        it.done = done;
        it.steps = horizon - done < most ? horizon - done : most;
        it.bounds = done + it.steps == horizon || whole->data->live <= it.steps;
        run_block(&it, threads, NULL);
    }
}

cfpc_status cfpc_zone_next_trial(const cfpc_zone_products *by, int32_t threads,
                                 const cfpc_zone_model *model, cfpc_zone_data *data,
                                 const cfpc_source *source)
{
    cfpc_status status = call_check(by, threads, model, data);
    if (status == CFPC_OK && model->past == CFPC_PAST_GIVEN)
        status = cfpci_zone_source_check(model, source, model->horizon, true);
    if (status != CFPC_OK)
        return status;
    const block whole = {.by = by,
                         .numbers = cfpci_numbers_of(model->is_double),
                         .model = model,
                         .data = data,
                         .source = source};
    cfpci_zone_guard_end_trial(model, data);
    learn_due(&whole, threads);
    cfpci_zone_history_clear(model, data);
    data->clock = 0;
    return CFPC_OK;
}
