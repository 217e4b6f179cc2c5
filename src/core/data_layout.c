// SPDX-License-Identifier: Apache-2.0
#include "data_image.h"

// Offset of an array of numbers.
static CFPC_SELDOM uint64_t data_layout_place(cfpci_arena *arena, int32_t rows, int32_t columns)
{
    return cfpci_arena_take(arena, (uint64_t)rows, (uint64_t)columns, sizeof(cfpc_real));
}

// What blocks need: in strips sums and, for traces, flags; otherwise a row of x, and another of the
// past if the caller gives it. And the weights at the start of the block, if they are held.
static void place_blocks(const cfpc_model *model, cfpc_data *data, cfpci_arena *arena)
{
    const bool blocks = model->dead_time_steps > 0, strips = cfpci_model_strips(model);
    const int32_t rows = !blocks || strips ? 0 : model->past == CFPC_PAST_GIVEN ? 2 : 1;
    data->row_at = data_layout_place(arena, rows, data->synapses);
    data->chunk_at =
        data_layout_place(arena, strips ? cfpci_chunks(data->synapses) : 0, CFPC_PASS_STEPS);
    data->held_at = data_layout_place(arena, blocks && model->held, data->synapses);
    if (strips && data->taps == 0)
        data->awake_at =
            cfpci_arena_take(arena, ((uint64_t)data->synapses - 1) / CFPC_TILE + 1, 1, 1);
}

// What the adjoint form needs instead of traces.
static void place_adjoint(const cfpc_model *model, cfpc_data *data, cfpci_arena *arena)
{
    const uint64_t taps = (uint64_t)data->taps;
    const bool keeps = taps > 0 && model->past == CFPC_PAST_KEPT;
    data->ring_at = cfpci_arena_take_wide(arena, cfpci_ring_placed(taps), 1, sizeof(cfpc_real));
    if (model->mutable_taps)
        data->taps_at = cfpci_arena_take(arena, cfpci_taps_placed(taps), 1, sizeof(cfpc_real));
    data->past_at = data_layout_place(arena, keeps ? data->horizon + 1 : 0, data->synapses);
}

static bool data_layout_is_lms(const cfpc_model *model)
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

// Errors and outputs of the steps that the guard holds; with a model T̂ o, and what it is run with.
static uint64_t watch_reals(const cfpc_model *model)
{
    const cfpc_lti response = cfpc_model_response(model);
    return !model->guarded     ? 0
           : !response.outputs ? 2 * CFPC_RUN
                               : 3 * CFPC_RUN + cfpci_run_scratch(&response);
}

// The header of the data of this model, with all offsets.
static cfpc_data data_layout(const cfpc_model *model, const cfpc_bank banks[2], cfpci_arena *arena)
{
    const int32_t count = model->synapses;
    cfpc_data data = {.synapses = count,
                      .share = 1,
                      .fade = 1,
                      .fade_step = 1,
                      .rate = model->rate,
                      .taps = model->adjoint ? model->lead + model->horizon + 1 : 0,
                      .horizon = model->horizon,
                      .is_lms = data_layout_is_lms(model),
                      .is_direct = is_direct(model),
                      .guard = cfpci_guard_at_rest(model)};
    const bool guarded = model->guarded;
    cfpci_arena_take(arena, 1, 1, sizeof(cfpc_data));
    data.weight_at = cfpci_arena_take_wide(arena, (uint64_t)count, 1, sizeof(cfpc_real));
    data.sum_at = data_layout_place(arena, model->mode == CFPC_BATCH, count);
    data.change_at = data_layout_place(arena, model->momentum != 0, count);
    data.input_at = data_layout_place(arena, model->output_penalty != 0, count);
    data.scratch_at = data_layout_place(arena, model->preconditioned, count);
    data.olive_at = data_layout_place(arena, model->inhibition != 0, model->inhibition_delay + 1);
    data.watch_at = cfpci_arena_take(arena, watch_reals(model), 1, sizeof(cfpc_real));
    data.best_at = data_layout_place(arena, guarded, count);
    if (guarded && model->mode == CFPC_ONLINE)
        data.before_at = data_layout_place(arena, 1, count);
    if (!model->only_blocks && !model->adjoint)
        data.trace_at = data_layout_place(arena, 1, count);
    place_blocks(model, &data, arena);
    place_adjoint(model, &data, arena);
    data.bank_at = cfpci_arena_take_wide(arena, 1, banks[0].bytes, 1);
    data.response_at = cfpci_arena_take(arena, 1, banks[1].bytes, 1);
    data.header = cfpci_header_make(CFPC_MAGIC_DATA, arena->used);
    return data;
}

// The copies of the trace that run are one per synapse; in strips they are stored tile by tile.
bool cfpci_data_layout(const cfpc_model *model, cfpc_data *data, cfpc_bank banks[2])
{
    const cfpc_lti trace = cfpc_model_trace(model), response = cfpc_model_response(model);
    const bool tiled = !model->adjoint && cfpci_model_strips(model);
    cfpci_arena arena = {0};
    banks[0] = banks[1] = (cfpc_bank){0};
    bool fits = cfpci_bank_layout(&trace, model->adjoint ? 1 : model->synapses, tiled, &banks[0]);
    if (response.outputs)
        fits &= cfpci_bank_layout(&response, 1, false, &banks[1]);
    *data = data_layout(model, banks, &arena);
    return fits && !arena.too_large;
}
