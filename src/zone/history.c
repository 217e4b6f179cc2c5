// SPDX-License-Identifier: Apache-2.0
#include "history.h"

#include <string.h>

#include "cfpc/cell.h"
#include "numbers.h"

// Row of a layer's history.
static char *history_row_of(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t layer,
                            size_t row)
{
    const size_t at = (size_t)layer * cfpci_zone_history_rows(model) + row;
    return (char *)data + data->history_at +
           at * (size_t)model->cells * cfpci_numbers_of(model->is_double)->bytes;
}

void cfpci_zone_drop_due(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell)
{
    const size_t bytes = cfpci_numbers_of(model->is_double)->bytes;
    for (int32_t layer = 0; layer < model->layers; layer++)
        for (size_t row = 0; row < cfpci_zone_history_rows(model); row++)
            memset(history_row_of(model, data, layer, row) + (size_t)cell * bytes, 0, bytes);
}

void cfpci_zone_freeze_cell(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell,
                            uint32_t flags)
{
    cfpci_zone_cell_flags(data)[cell] |= CFPC_FLAG_FROZEN | flags;
    cfpci_zone_drop_due(model, data, cell);
}

// Whether a cell has a path in this layer that differs from 0.
static bool is_taught(const cfpc_zone_model *model, int32_t layer, int32_t cell)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(model->is_double);
    const size_t cells = (size_t)model->cells, first = (size_t)layer * (size_t)model->taps * cells;
    const char *taps = cfpci_zone_array(model, model->taps_at);
    for (size_t s = 0; s < (size_t)model->taps; s++) {
        cfpc_real tap;
        numbers->column_out(&tap, taps + (first + s * cells + (size_t)cell) * numbers->bytes, 0, 1);
        if (tap != 0)
            return true;
    }
    return false;
}

// The errors of one step, for every cell the one that teaches it. Returns whether any of them
// differs from 0.
static bool take_step(const cfpc_zone_model *model, cfpc_zone_data *data, const cfpc_real *errors,
                      int32_t layer, char *row)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(model->is_double);
    const int32_t *error = (const int32_t *)cfpci_zone_array(model, model->error_at) +
                           (size_t)layer * (size_t)model->cells;
    uint32_t *flags = cfpci_zone_cell_flags(data);
    bool any = false;
    for (int32_t p = 0; p < model->cells; p++) {
        const bool frozen = flags[p] & CFPC_ZONE_STILL;
        char *to = row + (size_t)p * numbers->bytes;
        bool differs = false;
        if (!numbers->take_error(to, errors[error[p]], &differs) && is_taught(model, layer, p))
            flags[p] |= CFPC_FLAG_NOT_FINITE;
        if (frozen)
            memset(to, 0, numbers->bytes);
        any |= differs && !frozen;
    }
    return any;
}

bool cfpci_zone_filter(const cfpc_zone_model *model, cfpc_zone_data *data, const cfpc_real *errors,
                       int32_t steps, double keep)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(model->is_double);
    bool any = false;
    for (int32_t layer = 0; layer < model->layers; layer++)
        for (size_t n = 0; n < (size_t)steps; n++) {
            char *row = history_row_of(model, data, layer, (size_t)model->taps - 1 + n);
            if (errors)
                any |= take_step(model, data, errors + n * (size_t)model->errors, layer, row);
            else
                memset(row, 0, (size_t)model->cells * numbers->bytes);
        }
    const bool learns = any || data->live > 0;
    if (learns)
        numbers->filter(model, cfpci_zone_data_array(data, data->history_at), steps, keep,
                        cfpci_zone_data_array(data, data->delta_at));
    const int32_t left = data->live > steps ? data->live - steps : 0;
    data->live = any ? model->taps - 1 : left;
    return learns;
}

void cfpci_zone_history_move(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t steps)
{
    const size_t bytes = (size_t)model->cells * cfpci_numbers_of(model->is_double)->bytes;
    for (int32_t layer = 0; layer < model->layers; layer++)
        memmove(history_row_of(model, data, layer, 0),
                history_row_of(model, data, layer, (size_t)steps),
                ((size_t)model->taps - 1) * bytes);
}

void cfpci_zone_history_clear(const cfpc_zone_model *model, cfpc_zone_data *data)
{
    const size_t bytes = (size_t)model->cells * cfpci_numbers_of(model->is_double)->bytes;
    memset((char *)data + data->history_at, 0,
           (size_t)model->layers * cfpci_zone_history_rows(model) * bytes);
    data->live = 0;
}
