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

static char *weights_of(const block *block, int32_t first)
{
    const size_t at = (size_t)first * (size_t)block->model->cells;
    return (char *)block->data + block->data->weight_at + at * block->numbers->bytes;
}

static char *scratch_of(const block *block, int32_t thread, int32_t half)
{
    const size_t numbers =
        (size_t)block->model->block_steps * (size_t)cfpci_zone_panel(block->model);
    return (char *)block->data + block->data->scratch_at +
           ((size_t)thread * 2 + (size_t)half) * numbers * block->numbers->bytes;
}

static char *step_part_of(const block *block, int32_t chunk)
{
    const size_t numbers = (size_t)block->model->block_steps * (size_t)block->model->cells;
    return (char *)block->data + block->data->part_at +
           (size_t)chunk * numbers * block->numbers->bytes;
}

// The inputs of M steps ago, from the first one of the trial on; none if nothing is learned. A
// leaky source is read in any case: its state moves on.
static cfpci_piece step_past_of(const block *block, const cfpci_window *window, char *scratch)
{
    const int64_t from = block->data->clock + block->done - block->model->horizon;
    cfpci_window past = *window;
    cfpci_piece piece = {0};
    if (block->model->past == CFPC_PAST_KEPT) {
        past.steps -= block->early;
        return block->learns ? cfpci_panel_kept(block->model, block->data, &past,
                                                from + block->early, scratch)
                             : piece;
    }
    if (past.source->past)
        past.source = past.source->past;
    else
        past.done -= block->model->horizon;
    if (!block->learns && past.source->kind != CFPC_LEAKY)
        return piece;
    piece = cfpci_panel_read(&past, block->numbers, scratch);
    if (!block->learns || !piece.x)
        return (cfpci_piece){0};
    piece.x =
        (const char *)piece.x + block->early * piece.stride * (ptrdiff_t)block->numbers->bytes;
    past.steps -= block->early;
    return cfpci_panel_finite(&past, block->numbers, &piece, scratch);
}

// w ← keep w + xᵀ d, within bounds; a w that leaks to almost nothing is 0. The product knows no
// frozen cells, whose columns of d are 0: their weights must not leak.
static void step_learn(const block *block, const cfpci_window *window, const cfpci_piece *past)
{
    const cfpc_zone_model *model = block->model;
    const uint32_t *flags = cfpci_zone_cell_flags(block->data);
    const size_t first_d = (size_t)block->early * (size_t)model->cells * block->numbers->bytes;
    const cfpci_panel panel = {.steps = block->steps - block->early,
                               .count = window->count,
                               .cells = model->cells,
                               .x_stride = past->stride};
    const bool apart = block->keep != 1 && (block->frozen || !past->x);
    char *w = weights_of(block, window->first);
    if (apart)
        block->numbers->scale(w, window->count, model->cells, block->keep, flags);
    if (past->x)
        block->numbers->learn(block->by, &panel, apart ? 1 : block->keep, past->x,
                              (const char *)block->data + block->data->delta_at + first_d, w);
    if (block->keep != 1)
        block->numbers->settle(w, window->count, model->cells, flags);
    if (block->bounds && model->weight_low < model->weight_high)
        block->numbers->hold_within(w, window->count, model->cells, model->weight_low,
                                    model->weight_high, flags);
}

// ---- one chunk -------------------------------------------------------------------------------

// A panel's weights are used and changed while they are in the cache.
static void run_panel(const block *block, const cfpci_window *window, char *part, int32_t thread)
{
    const cfpc_zone_model *model = block->model;
    if (block->acts) {
        const cfpci_piece now =
            cfpci_panel_read(window, block->numbers, scratch_of(block, thread, 0));
        const cfpci_panel panel = {.steps = block->steps,
                                   .count = window->count,
                                   .cells = model->cells,
                                   .x_stride = now.stride};
        if (now.x)
            block->numbers->act(block->by, &panel, now.x, weights_of(block, window->first), part);
        if (model->past == CFPC_PAST_KEPT)
            cfpci_panel_keep(model, block->data, window, &now);
    }
    const cfpci_piece past = step_past_of(block, window, scratch_of(block, thread, 1));
    step_learn(block, window, &past);
}

static void step_run_chunk(void *context, int32_t chunk, int32_t thread)
{
    const block *block = context;
    const int32_t begin = chunk * CFPC_CHUNK, left = block->model->synapses - begin;
    const int32_t count = left < CFPC_CHUNK ? left : CFPC_CHUNK;
    char *part = step_part_of(block, chunk);
    if (block->acts)
        memset(part, 0, (size_t)block->steps * (size_t)block->model->cells * block->numbers->bytes);
    for (int32_t j = 0; j < count; j += CFPC_ZONE_PANEL) {
        const cfpci_window window = {.source = block->source,
                                     .done = block->done,
                                     .steps = block->steps,
                                     .first = begin + j,
                                     .count =
                                         count - j < CFPC_ZONE_PANEL ? count - j : CFPC_ZONE_PANEL,
                                     .width = block->model->synapses,
                                     .panel = cfpci_zone_panel(block->model)};
        run_panel(block, &window, part, thread);
    }
}

// ---- the block -------------------------------------------------------------------------------

// errors: NULL: zeros, and nothing leaks.
static void step_run_block(block *block, int32_t threads, const cfpc_real *errors)
{
    const cfpc_zone_model *model = block->model;
    const double keep = errors ? 1 - model->leak : 1;
    // Inputs of before the trial do not learn: steps whose input of M steps ago is one of them.
    const int64_t early = model->horizon - (block->data->clock + block->done);
    block->early = early < 0 ? 0 : early < block->steps ? (int32_t)early : block->steps;
    block->keep = 1;
    for (int32_t n = 0; n < block->steps; n++)
        block->keep *= keep;
    block->frozen = cfpci_zone_any_still(model, block->data);
    block->learns = cfpci_zone_filter(model, block->data, errors, block->steps, keep) &&
                    block->early < block->steps;
    if (block->learns)
        cfpci_zone_guard_slow(model, block->data, block->steps);
    cfpci_zone_each_chunk(cfpci_chunks(model->synapses), threads, step_run_chunk, block);
    cfpci_zone_history_move(model, block->data, block->steps);
}

// An output that is not finite counts as 0 and freezes its cell, unless its guard acts. The output
// of a paused cell is 0.
static void put_out(const block *block, cfpc_real *outputs)
{
    const int32_t cells = block->model->cells, chunks = cfpci_chunks(block->model->synapses);
    const size_t stride = (size_t)block->model->block_steps * (size_t)cells;
    for (int32_t p = 0; p < cells; p++) {
        const bool paused = cfpci_zone_cell_flags(block->data)[p] & CFPC_ZONE_PAUSED;
        bool finite = true;
        for (int32_t n = 0; n < block->steps; n++) {
            const size_t at = (size_t)n * (size_t)cells + (size_t)p;
            const cfpc_real o = (cfpc_real)block->numbers->total(
                step_part_of(block, 0) + at * block->numbers->bytes, chunks, stride);
            outputs[at] = cfpci_is_finite(o) && !paused ? o : 0;
            finite &= cfpci_is_finite(o);
        }
        if (!finite && !cfpci_zone_guard_not_finite(block->model, block->data, p))
            cfpci_zone_freeze_cell(block->model, block->data, p, CFPC_FLAG_NOT_FINITE);
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
    block block = {.by = by,
                   .numbers = cfpci_numbers_of(model->is_double),
                   .model = model,
                   .data = data,
                   .source = source,
                   .steps = steps,
                   .acts = true,
                   .bounds = true};
    step_run_block(&block, threads, errors);
    put_out(&block, outputs);
    cfpci_zone_guard_watch(model, data, errors, steps, outputs);
    data->clock += steps;
    return CFPC_OK;
}

cfpc_status cfpc_zone_step_block(const cfpc_zone_model *model, cfpc_zone_data *data,
                                 const cfpc_real *x, const cfpc_real *errors, int32_t steps,
                                 cfpc_real *outputs)
{
    const cfpc_source source = {.kind = CFPC_HANDED, .x = x};
    return cfpc_zone_step_block_by(cfpc_zone_default_products(), 1, model, data, &source, errors,
                                   steps, outputs);
}

// ---- the end of a trial ----------------------------------------------------------------------

cfpc_status cfpc_zone_next_trial(const cfpc_zone_products *by, int32_t threads,
                                 const cfpc_zone_model *model, cfpc_zone_data *data,
                                 const cfpc_source *source)
{
    cfpc_status status = call_check(by, threads, model, data);
    if (status == CFPC_OK && model->past == CFPC_PAST_GIVEN)
        status = cfpci_zone_source_check(model, source, model->horizon, true);
    if (status != CFPC_OK)
        return status;
    cfpci_zone_guard_end_trial(model, data);
    // All that is due is learned, in parts that count as one block: the bounds apply once.
    for (int32_t done = 0; done < model->horizon && data->live > 0; done += model->block_steps) {
        const int32_t left = model->horizon - done;
        block run = {.by = by,
                     .numbers = cfpci_numbers_of(model->is_double),
                     .model = model,
                     .data = data,
                     .source = source,
                     .done = done,
                     .steps = left < model->block_steps ? left : model->block_steps};
        run.bounds = run.steps == left || data->live <= run.steps;
        step_run_block(&run, threads, NULL);
    }
    cfpci_zone_history_clear(model, data);
    data->clock = 0;
    return CFPC_OK;
}
