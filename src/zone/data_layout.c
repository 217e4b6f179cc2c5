// SPDX-License-Identifier: Apache-2.0
#include "data_layout.h"

#include "core/data_image.h"
#include "definition.h"
#include "numbers.h"

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

// ---- sizes before there is a model -----------------------------------------------------------

CFPC_SELDOM size_t cfpc_zone_data_size_of(const cfpc_zone_def *def)
{
    cfpc_zone_data data;
    if (cfpci_zone_def_check(def) != CFPC_OK)
        return 0;
    const cfpc_zone_model head = cfpci_zone_head(def);
    return cfpci_zone_data_place(&head, &data) ? (size_t)data.header.bytes : SIZE_MAX;
}

// The largest value of one of the head's counts with which the data fits.
static int32_t max_within(cfpc_zone_model *head, int32_t *count, size_t bytes)
{
    int32_t low = 0, high = INT32_MAX; // low fits, or is 0
    while (low < high) {
        cfpc_zone_data data;
        *count = low + (high - low) / 2 + 1;
        if (cfpci_zone_data_place(head, &data) && data.header.bytes <= bytes)
            low = *count;
        else
            high = *count - 1;
    }
    return low;
}

CFPC_SELDOM int32_t cfpc_zone_synapses_within(const cfpc_zone_def *def, size_t bytes)
{
    if (cfpci_zone_def_check(def) != CFPC_OK)
        return 0;
    cfpc_zone_model head = cfpci_zone_head(def);
    return max_within(&head, &head.synapses, bytes);
}
