// SPDX-License-Identifier: Apache-2.0
#include "cfpc/data.h"

#include <string.h>

#include "data_image.h"
#include "finite.h"
#include "for_blocks.h"
#include "ring.h"

// Offset of an array of numbers.
static CFPC_SELDOM uint64_t place(cfpci_arena *arena, int32_t rows, int32_t columns)
{
    return cfpci_arena_take(arena, (uint64_t)rows, (uint64_t)columns, sizeof(cfpc_real));
}

// What blocks need: in strips sums and, for traces, flags; otherwise a row of x, and another of the
// past if the caller gives it.
static void place_blocks(const cfpc_model *model, cfpc_data *data, cfpci_arena *arena)
{
    const bool blocks = model->dead_time_steps > 0, strips = cfpci_model_strips(model);
    const int32_t rows = !blocks || strips ? 0 : model->past == CFPC_PAST_GIVEN ? 2 : 1;
    data->row_at = place(arena, rows, data->synapses);
    data->chunk_at = place(arena, strips ? cfpci_chunks(data->synapses) : 0, CFPC_SWEEP_STEPS);
    if (strips && data->taps == 0)
        data->awake_at =
            cfpci_arena_take(arena, ((uint64_t)data->synapses - 1) / CFPC_TILE + 1, 1, 1);
}

CFPC_SELDOM int32_t cfpci_bank_width(const cfpc_model *model)
{
    return model->adjoint ? 1 : model->synapses;
}

CFPC_SELDOM bool cfpci_bank_tiled(const cfpc_model *model)
{
    return !model->adjoint && cfpci_model_strips(model);
}

// What the adjoint form needs instead of traces.
static void place_adjoint(const cfpc_model *model, cfpc_data *data, cfpci_arena *arena)
{
    const uint64_t taps = (uint64_t)data->taps;
    const bool keeps = taps > 0 && model->past == CFPC_PAST_KEPT;
    data->ring_at = cfpci_arena_take_wide(arena, cfpci_ring_placed(taps), 1, sizeof(cfpc_real));
    if (model->mutable_taps)
        data->taps_at = cfpci_arena_take(arena, cfpci_taps_placed(taps), 1, sizeof(cfpc_real));
    data->past_at = place(arena, keeps ? data->horizon + 1 : 0, data->synapses);
}

static bool is_plain(const cfpc_model *model)
{
    return model->mode == CFPC_ONLINE && !model->adjoint && !model->only_blocks &&
           !model->rectified && model->inhibition == 0 && model->leak == 0 &&
           model->momentum == 0 && model->output_penalty == 0 && !cfpci_has_bounds(model);
}

static bool is_direct(const cfpc_model *model)
{
    return model->trace_states == 0 && model->trace_lines == 0 && !model->adjoint &&
           !model->only_blocks && cfpci_trace_matrix(model)[0] != 0;
}

// The header of the data of this model, with all offsets.
static CFPC_SELDOM cfpc_data data_layout(const cfpc_model *model, cfpci_arena *arena)
{
    const cfpc_lti trace = cfpc_model_trace(model);
    const int32_t count = model->synapses;
    const size_t bank_bytes =
        cfpci_bank_size_in(&trace, cfpci_bank_width(model), cfpci_bank_tiled(model));
    cfpc_data data = {.model_identity = cfpci_model_identity(model),
                      .synapses = count,
                      .share = 1,
                      .fade = 1,
                      .fade_step = 1,
                      .rate = model->rate,
                      .taps = model->adjoint ? model->lead + model->horizon + 1 : 0,
                      .horizon = model->horizon,
                      .is_plain = is_plain(model),
                      .is_direct = is_direct(model),
                      .guard = cfpci_guard_at_rest(model)};
    const bool guarded = model->guarded, slides = guarded && data.guard.slides;
    cfpci_arena_take(arena, 1, 1, sizeof(cfpc_data));
    data.weight_at = cfpci_arena_take_wide(arena, (uint64_t)count, 1, sizeof(cfpc_real));
    data.sum_at = place(arena, model->mode == CFPC_BATCH, count);
    data.change_at = place(arena, model->momentum != 0, count);
    data.input_at = place(arena, model->output_penalty != 0, count);
    data.scratch_at = place(arena, model->preconditioned, count);
    data.olive_at = place(arena, model->inhibition != 0, model->inhibition_delay + 1);
    data.best_at = place(arena, guarded, count);
    data.before_at = place(arena, slides, count);
    if (!model->only_blocks && !model->adjoint)
        data.trace_at = place(arena, 1, count);
    place_blocks(model, &data, arena);
    place_adjoint(model, &data, arena);
    data.bank_at = cfpci_arena_take_wide(arena, 1, bank_bytes, 1);
    data.header = cfpci_header_make(CFPC_MAGIC_DATA, arena->used);
    arena->too_large |= bank_bytes == 0;
    return data;
}

CFPC_SELDOM size_t cfpc_data_size(const cfpc_model *model)
{
    cfpci_arena arena = {0};
    if (!model)
        return 0;
    data_layout(model, &arena);
    return arena.too_large ? 0 : (size_t)arena.used;
}

CFPC_SELDOM cfpc_status cfpc_data_init(void *mem, size_t bytes, const cfpc_model *model,
                                       cfpc_data **data)
{
    *data = NULL;
    if (!model)
        return CFPC_MISSING;
    size_t needed = cfpc_data_size(model);
    if (needed == 0)
        return CFPC_BAD_SIZE;
    cfpc_status status = cfpci_image_fits(mem, bytes, needed);
    if (status != CFPC_OK)
        return status;
    *data = mem;
    cfpc_data_reset(model, *data);
    return CFPC_OK;
}

CFPC_SELDOM void cfpc_data_reset(const cfpc_model *model, cfpc_data *data)
{
    cfpci_arena arena = {0};
    const cfpc_data head = data_layout(model, &arena);
    const cfpc_lti trace = cfpc_model_trace(model);
    memset(data, 0, (size_t)head.header.bytes);
    memcpy(data, &head, sizeof head);
    cfpc_bank *bank = NULL;
    cfpci_bank_init_in(cfpci_data_bank(data), (size_t)(head.header.bytes - head.bank_at), &trace,
                       cfpci_bank_width(model), cfpci_bank_tiled(model), &bank);
    cfpc_set_taps(model, data, cfpc_model_adjoint(model).taps);
}

cfpc_status cfpc_data_copy(const cfpc_data *from, cfpc_data *to)
{
    if (!from || !to)
        return CFPC_MISSING;
    if (from->model_identity != to->model_identity) // the same model: the same size
        return CFPC_OTHER_MODEL;
    memmove(to, from, (size_t)from->header.bytes);
    return CFPC_OK;
}

void cfpc_data_seal(cfpc_data *data)
{
    data->header.checksum = cfpci_image_checksum(data, data->header.bytes);
}

size_t cfpc_data_bytes(const cfpc_data *data)
{
    return (size_t)data->header.bytes;
}

// Whether a saved guard fits the model: no index in it is outside its array.
static bool guard_valid(const cfpci_guard_state *saved, const cfpci_guard_state *expected)
{
    return saved->is_on == expected->is_on && saved->slides == expected->slides &&
           saved->steps >= 0 && saved->segment_left >= 0 && saved->rounds >= 0 &&
           saved->rounds < 2 * CFPC_GUARD_MAX_ROUNDS && saved->segments >= 0 &&
           saved->segments < 2 * CFPC_GUARD_SEGMENTS;
}

static bool ring_valid(const cfpc_data *saved, const cfpc_data *expected)
{
    return saved->taps == expected->taps && saved->horizon == expected->horizon &&
           saved->ring_at == expected->ring_at && saved->taps_at == expected->taps_at &&
           saved->past_at == expected->past_at && saved->head >= 0 &&
           (saved->head == 0 || saved->head < saved->taps) && saved->live >= 0 &&
           saved->live <= saved->taps && saved->ended >= 0 && saved->ended <= saved->horizon;
}

// Whether the counts that a step uses as indices are within their arrays.
static bool heads_valid(const cfpc_data *saved, const cfpc_model *model)
{
    return saved->is_plain == is_plain(model) && saved->is_direct == is_direct(model) &&
           saved->fade_left >= 0 && saved->olive_head >= 0 &&
           saved->olive_head <= model->inhibition_delay && saved->past_head >= 0 &&
           saved->past_head <= saved->horizon;
}

CFPC_SELDOM cfpc_status cfpc_data_restore(const cfpc_model *model, cfpc_data *data,
                                          const void *save, size_t bytes)
{
    if (!model || !data)
        return CFPC_MISSING;
    cfpc_status status = cfpci_image_check(save, bytes, CFPC_MAGIC_DATA, sizeof(cfpc_data));
    if (status != CFPC_OK)
        return status;
    cfpci_arena arena = {0};
    const cfpc_data expected = data_layout(model, &arena);
    const cfpc_data *saved = save;
    if (saved->model_identity != expected.model_identity || bytes != expected.header.bytes ||
        data->model_identity != expected.model_identity)
        return CFPC_OTHER_MODEL;
    const cfpc_lti trace = cfpc_model_trace(model);
    const bool same =
        saved->clock >= 0 && saved->clock < INT64_MAX / 2 && saved->synapses == expected.synapses &&
        saved->weight_at == expected.weight_at && saved->sum_at == expected.sum_at &&
        saved->change_at == expected.change_at && saved->input_at == expected.input_at &&
        saved->scratch_at == expected.scratch_at && saved->olive_at == expected.olive_at &&
        saved->best_at == expected.best_at && saved->before_at == expected.before_at &&
        guard_valid(&saved->guard, &expected.guard) && saved->trace_at == expected.trace_at &&
        saved->row_at == expected.row_at && saved->chunk_at == expected.chunk_at &&
        saved->awake_at == expected.awake_at && cfpci_is_finite(saved->rate) &&
        heads_valid(saved, model) && saved->bank_at == expected.bank_at &&
        ring_valid(saved, &expected);
    if (!same || !cfpci_bank_valid((const cfpc_bank *)((const char *)save + expected.bank_at),
                                   &trace, cfpci_bank_width(model), cfpci_bank_tiled(model)))
        return CFPC_ALTERED;
    memmove(data, save, bytes);
    return CFPC_OK;
}

cfpc_real *cfpc_weights(cfpc_data *data)
{
    return cfpci_weights(data);
}

const cfpc_real *cfpc_traces(const cfpc_data *data)
{
    return cfpci_traces(data);
}

int64_t cfpc_clock(const cfpc_data *data)
{
    return data->clock;
}

uint32_t cfpc_flags(const cfpc_data *data)
{
    return data->flags;
}

void cfpc_clear_flags(cfpc_data *data, uint32_t flags)
{
    data->flags &= ~flags;
}

void cfpc_freeze(cfpc_data *data)
{
    data->flags |= CFPC_FLAG_FROZEN;
    cfpci_ring_drop(data);
}

void cfpc_set_rate(cfpc_data *data, cfpc_real rate)
{
    if (cfpci_is_finite(rate))
        data->rate = rate;
}

cfpc_real cfpc_data_rate(const cfpc_data *data)
{
    return data->rate;
}

// Begins a fade to `end`, 0 or 1, from where it is now. A whole fade takes this number of steps, a
// part of it as many as the nearest whole number.
static CFPC_SELDOM void fade_to(cfpc_data *data, cfpc_real end, int32_t steps)
{
    const cfpc_real part = end > 0 ? 1 - data->fade : data->fade;
    const cfpc_real count = part * (cfpc_real)steps;
    if (steps <= 0)
        data->fade = end;
    data->fade_left = steps <= 0 || part <= 0 ? 0
                      : part >= 1             ? steps
                      : count < 1             ? 1
                                              : (int32_t)(count + (cfpc_real)0.5);
    const cfpc_real step = data->fade_left > 0 ? part / (cfpc_real)data->fade_left : 1;
    data->fade_step = end > 0 ? step : -step;
}

void cfpc_enable(cfpc_data *data, int32_t steps)
{
    fade_to(data, 1, steps);
}

void cfpc_disable(cfpc_data *data, int32_t steps)
{
    fade_to(data, 0, steps);
}

cfpc_real cfpc_fade(const cfpc_data *data)
{
    return data->fade;
}
