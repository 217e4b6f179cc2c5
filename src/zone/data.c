// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cfpc/cell.h"
#include "core/data_image.h"
#include "data_layout.h"
#include "history.h"
#include "numbers.h"
#include "zone_guard.h"

// ---- memory ----------------------------------------------------------------------------------

CFPC_SELDOM bool cfpci_zone_data_place(const cfpc_zone_model *model, cfpc_zone_data *data)
{
    const uint32_t bytes = cfpci_numbers_of(model->is_double)->bytes;
    const uint64_t cells = (uint64_t)model->cells, block = (uint64_t)model->block_steps;
    const uint64_t chunks = (uint64_t)cfpci_chunks(model->synapses);
    const uint64_t panel = (uint64_t)cfpci_zone_panel(model);
    const int32_t rows = model->past == CFPC_PAST_KEPT ? model->horizon + model->block_steps : 0;
    cfpci_arena arena = {0};
    *data = (cfpc_zone_data){.rows = rows};
    cfpci_arena_take(&arena, 1, 1, sizeof *data);
    data->flags_at = cfpci_arena_take(&arena, 1, cells, sizeof(uint32_t));
    data->guard_at = cfpci_arena_take(&arena, model->guard_bytes, cells, 1);
    data->weight_at = cfpci_arena_take_wide(&arena, (uint64_t)model->synapses, cells, bytes);
    data->history_at = cfpci_arena_take_wide(
        &arena, (uint64_t)model->layers * cfpci_zone_history_rows(model), cells, bytes);
    data->delta_at = cfpci_arena_take_wide(&arena, block, cells, bytes);
    data->part_at = cfpci_arena_take_wide(&arena, chunks * block, cells, bytes);
    data->scratch_at =
        cfpci_arena_take_wide(&arena, (uint64_t)model->threads * block, 2 * panel, bytes);
    data->past_at = cfpci_arena_take_wide(&arena, (uint64_t)rows, (uint64_t)model->synapses, bytes);
    data->header = cfpci_header_make(CFPC_MAGIC_WEIGHTS, arena.used);
    return !arena.too_large;
}

CFPC_SELDOM size_t cfpc_zone_data_size(const cfpc_zone_model *model)
{
    cfpc_zone_data data;
    return model && cfpci_zone_data_place(model, &data) ? (size_t)data.header.bytes : 0;
}

CFPC_SELDOM cfpc_status cfpc_zone_data_init(cfpc_zone_data **data, void *mem, size_t bytes,
                                            const cfpc_zone_model *model)
{
    *data = NULL;
    if (!model)
        return CFPC_MISSING;
    const cfpc_status status = cfpci_image_fits(mem, bytes, cfpc_zone_data_size(model));
    if (status != CFPC_OK)
        return status;
    *data = mem;
    cfpc_zone_data_reset(model, *data);
    return CFPC_OK;
}

CFPC_SELDOM void cfpc_zone_data_reset(const cfpc_zone_model *model, cfpc_zone_data *data)
{
    cfpc_zone_data rest;
    cfpci_zone_data_place(model, &rest);
    rest.model_identity = model->header.checksum;
    memset(data, 0, (size_t)rest.header.bytes);
    memcpy(data, &rest, sizeof rest);
    cfpci_zone_guard_reset(model, data);
}

// ---- weights ---------------------------------------------------------------------------------

static bool is_cell(const cfpc_zone_model *model, int32_t cell)
{
    return cell >= 0 && cell < model->cells;
}

void cfpc_zone_get_weights(const cfpc_zone_model *model, const cfpc_zone_data *data, int32_t cell,
                           cfpc_real *w)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(model->is_double);
    const char *from = (const char *)data + data->weight_at;
    if (!is_cell(model, cell))
        return;
    numbers->column_out(w, from + (size_t)cell * numbers->bytes, model->cells, model->synapses);
}

void cfpc_zone_set_weights(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell,
                           const cfpc_real *w)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(model->is_double);
    char *to = (char *)data + data->weight_at;
    if (!is_cell(model, cell))
        return;
    numbers->column_in(to + (size_t)cell * numbers->bytes, model->cells, w, model->synapses);
}

// ---- flags -----------------------------------------------------------------------------------

// The cells that a number means, from the first to before the end: one, for -1 all, otherwise none.
static int32_t first_of(int32_t cell)
{
    return cell < 0 ? 0 : cell;
}

static int32_t end_of(const cfpc_zone_model *model, int32_t cell)
{
    if (is_cell(model, cell))
        return cell + 1;
    return cell == -1 ? model->cells : 0;
}

uint32_t cfpc_zone_flags(const cfpc_zone_model *model, const cfpc_zone_data *data, int32_t cell)
{
    const uint32_t *flags = (const uint32_t *)((const char *)data + data->flags_at);
    uint32_t all = 0;
    for (int32_t p = first_of(cell); p < end_of(model, cell); p++)
        all |= flags[p];
    return all & ~CFPC_ZONE_PAUSED;
}

void cfpc_zone_freeze(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell)
{
    for (int32_t p = first_of(cell); p < end_of(model, cell); p++)
        cfpci_zone_freeze_cell(model, data, p, 0);
}

void cfpc_zone_clear_flags(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell,
                           uint32_t flags)
{
    for (int32_t p = first_of(cell); p < end_of(model, cell); p++)
        cfpci_zone_guard_clear_flags(model, data, p, flags);
}
