// SPDX-License-Identifier: Apache-2.0
#include "zone_guard.h"

#include <string.h>

#include "core/data_image.h"
#include "core/numbers.h"
#include "history.h"
#include "numbers.h"

// ---- data ------------------------------------------------------------------------------------

// Only if there is a guard.
static const cfpc_model *zone_guard_model(const cfpc_zone_model *model)
{
    return cfpci_zone_array(model, model->guard_at);
}

static cfpc_data *zone_guard_of(const cfpc_zone_model *model, const cfpc_zone_data *data,
                                int32_t cell)
{
    return (cfpc_data *)((char *)data + data->guard_at + (size_t)cell * model->guard_bytes);
}

void cfpci_zone_guard_reset(const cfpc_zone_model *model, cfpc_zone_data *data)
{
    for (int32_t p = 0; model->guard_bytes > 0 && p < model->cells; p++) {
        cfpc_data *guarded;
        (void)cfpc_data_init(&guarded, zone_guard_of(model, data, p), model->guard_bytes,
                             zone_guard_model(model));
        cfpci_zone_cell_flags(data)[p] |= CFPC_ZONE_PAUSED; // the loop alone is seen first
    }
}

const cfpc_data *cfpc_zone_guard(const cfpc_zone_model *model, const cfpc_zone_data *data,
                                 int32_t cell)
{
    return model->guard_bytes > 0 && cell >= 0 && cell < model->cells
               ? zone_guard_of(model, data, cell)
               : NULL;
}

bool cfpci_zone_any_still(const cfpc_zone_model *model, cfpc_zone_data *data)
{
    for (int32_t p = 0; p < model->cells; p++)
        if (cfpci_zone_cell_flags(data)[p] & CFPC_ZONE_STILL)
            return true;
    return false;
}

void cfpci_zone_guard_clear_flags(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell,
                                  uint32_t flags)
{
    cfpci_zone_cell_flags(data)[cell] &= ~flags | CFPC_ZONE_PAUSED;
    if (model->guard_bytes > 0)
        cfpc_clear_flags(zone_guard_of(model, data, cell), flags);
}

// ---- what follows ----------------------------------------------------------------------------

static void forget_weights(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell)
{
    const size_t bytes = cfpci_numbers_of(model->is_double)->bytes;
    char *w = cfpci_zone_data_array(data, data->weight_at);
    for (size_t j = 0; j < (size_t)model->synapses; j++)
        memset(w + (j * (size_t)model->cells + (size_t)cell) * bytes, 0, bytes);
}

static uint32_t with_flag(uint32_t flags, uint32_t flag, bool is_set)
{
    return is_set ? flags | flag : flags & ~flag;
}

// What a cell does as its guard says now, where that has changed. It keeps no best weights: an act
// sets them to 0.
static void obey(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell, int32_t acts,
                 bool was_frozen)
{
    cfpc_data *guarded = zone_guard_of(model, data, cell);
    uint32_t *flags = cfpci_zone_cell_flags(data) + cell;
    const bool has_acted = cfpc_guard_acts(guarded) != acts, paused = cfpc_guard_paused(guarded),
               frozen = cfpc_flags(guarded) & CFPC_FLAG_FROZEN;
    if (has_acted)
        forget_weights(model, data, cell);
    if (has_acted || (paused && !(*flags & CFPC_ZONE_PAUSED)))
        cfpci_zone_drop_due(model, data, cell);
    *flags |= has_acted ? CFPC_FLAG_GUARDED : 0;
    *flags = with_flag(*flags, CFPC_ZONE_PAUSED, paused);
    if (frozen != was_frozen)
        *flags = with_flag(*flags, CFPC_FLAG_FROZEN, frozen);
}

// The one weight of a guard never counts as settled: it is then never kept as the best.
static void unsettle(cfpc_data *guard)
{
    const cfpc_real before = *cfpci_data_array(guard, guard->before_at);
    *cfpci_weights(guard) = before > 0 ? -1 : 1;
}

// ---- a block ---------------------------------------------------------------------------------

void cfpci_zone_guard_slow(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t steps)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(model->is_double);
    char *d = cfpci_zone_data_array(data, data->delta_at);
    for (int32_t p = 0; model->guard_bytes > 0 && p < model->cells; p++) {
        const double share = (double)zone_guard_of(model, data, p)->guard.rate_share;
        if (share != 1)
            numbers->scale_column(d + (size_t)p * numbers->bytes, model->cells, steps, share);
    }
}

// The root of the sum of squares of all errors that teach a cell. What is not there repeats the
// error of the first layer.
static cfpc_real zone_guard_error_of(const cfpc_zone_model *model, const cfpc_real *errors,
                                     int32_t cell)
{
    const int32_t *error = (const int32_t *)cfpci_zone_array(model, model->error_at) + cell;
    if (model->layers < 2)
        return model->layers > 0 ? errors[error[0]] : 0;
    cfpc_real sum = errors[error[0]] * errors[error[0]];
    for (int32_t layer = 1; layer < model->layers; layer++) {
        const int32_t at = error[(size_t)layer * (size_t)model->cells];
        sum += at != error[0] ? errors[at] * errors[at] : 0;
    }
    return cfpci_root(sum);
}

void cfpci_zone_guard_watch(const cfpc_zone_model *model, cfpc_zone_data *data,
                            const cfpc_real *errors, int32_t steps, const cfpc_real *outputs)
{
    for (int32_t p = 0; model->guard_bytes > 0 && p < model->cells; p++) {
        cfpc_data *guarded = zone_guard_of(model, data, p);
        const int32_t acts = cfpc_guard_acts(guarded);
        const bool was_frozen = cfpc_flags(guarded) & CFPC_FLAG_FROZEN;
        for (int32_t n = 0; n < steps; n++) {
            guarded->put_out = outputs[(size_t)n * (size_t)model->cells + (size_t)p];
            unsettle(guarded);
            cfpci_watch(zone_guard_model(model), guarded,
                        zone_guard_error_of(model, errors + (size_t)n * (size_t)model->errors, p));
        }
        obey(model, data, p, acts, was_frozen);
    }
}

void cfpci_zone_guard_end_trial(const cfpc_zone_model *model, cfpc_zone_data *data)
{
    for (int32_t p = 0; model->guard_bytes > 0 && p < model->cells; p++) {
        cfpc_data *guarded = zone_guard_of(model, data, p);
        const int32_t acts = cfpc_guard_acts(guarded);
        const bool was_frozen = cfpc_flags(guarded) & CFPC_FLAG_FROZEN;
        unsettle(guarded);
        cfpc_end_trial(zone_guard_model(model), guarded);
        cfpci_guard_begin_trial(guarded);
        obey(model, data, p, acts, was_frozen);
    }
}

bool cfpci_zone_guard_not_finite(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell)
{
    if (model->guard_bytes == 0)
        return false;
    cfpc_data *guarded = zone_guard_of(model, data, cell);
    const int32_t acts = cfpc_guard_acts(guarded);
    const bool was_frozen = cfpc_flags(guarded) & CFPC_FLAG_FROZEN;
    cfpci_guard_not_finite(zone_guard_model(model), guarded);
    forget_weights(model, data, cell);
    cfpci_zone_drop_due(model, data, cell);
    obey(model, data, cell, acts, was_frozen);
    cfpci_zone_cell_flags(data)[cell] |= CFPC_FLAG_NOT_FINITE;
    return true;
}
