// SPDX-License-Identifier: Apache-2.0
#include "cfpc/cell.h"

#include <string.h>

#include "data_image.h"
#include "numbers.h"
#include "ring.h"

CFPC_SELDOM size_t cfpc_data_size(const cfpc_model *model)
{
    return model ? (size_t)cfpci_data_at_rest(model)->header.bytes : 0;
}

CFPC_SELDOM cfpc_status cfpc_data_init(cfpc_data **data, void *mem, size_t bytes,
                                       const cfpc_model *model)
{
    *data = NULL;
    if (!model)
        return CFPC_MISSING;
    const size_t needed = cfpc_data_size(model);
    if (needed == 0)
        return CFPC_BAD_SIZE;
    const cfpc_status status = cfpci_image_fits(mem, bytes, needed);
    if (status != CFPC_OK)
        return status;
    *data = mem;
    cfpc_data_reset(model, *data);
    return CFPC_OK;
}

CFPC_SELDOM void cfpc_data_reset(const cfpc_model *model, cfpc_data *data)
{
    const cfpc_data *rest = cfpci_data_at_rest(model);
    memset(data, 0, (size_t)rest->header.bytes);
    memcpy(data, rest, sizeof *rest);
    memcpy(cfpci_data_bank(data), cfpci_bank_at_rest(model), sizeof(cfpc_bank));
    if (model->response_outputs)
        memcpy(cfpci_data_response(data), cfpci_response_at_rest(model), sizeof(cfpc_bank));
    data->model_identity = cfpci_model_identity(model);
    cfpc_set_taps(model, data, (const cfpc_real *)((const char *)model + model->taps_at));
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

// Whether every array of a save is where it belongs.
static bool same_layout(const cfpc_data *saved, const cfpc_data *rest)
{
    const size_t first = offsetof(cfpc_data, weight_at);
    return saved->synapses == rest->synapses && saved->taps == rest->taps &&
           saved->horizon == rest->horizon && saved->is_lms == rest->is_lms &&
           saved->is_direct == rest->is_direct &&
           memcmp((const char *)saved + first, (const char *)rest + first, sizeof *rest - first) ==
               0;
}

// Whether the saved banks belong to the model's systems.
static bool banks_valid(const cfpc_model *model, const cfpc_data *saved)
{
    const char *save = (const char *)saved;
    const cfpc_lti trace = cfpc_model_trace(model), response = cfpc_model_response(model);
    return cfpci_bank_valid((const cfpc_bank *)(save + saved->bank_at), cfpci_bank_at_rest(model),
                            &trace) &&
           (!response.outputs || cfpci_bank_valid((const cfpc_bank *)(save + saved->response_at),
                                                  cfpci_response_at_rest(model), &response));
}

static bool ring_valid(const cfpc_data *saved)
{
    return saved->head >= 0 && (saved->head == 0 || saved->head < saved->taps) &&
           saved->live >= 0 && saved->live <= saved->taps && saved->ended >= 0 &&
           saved->ended <= saved->horizon && saved->past_head >= 0 &&
           saved->past_head <= saved->horizon;
}

static bool data_is_share(cfpc_real value)
{
    return value >= 0 && value <= 1;
}

// Whether the counts and indices of a step are within their ranges.
static bool numbers_valid(const cfpc_data *saved, const cfpc_model *model, const cfpc_data *rest)
{
    return saved->clock >= 0 && saved->clock < INT64_MAX / 2 && saved->fade_left >= 0 &&
           saved->olive_head >= 0 && saved->olive_head <= model->inhibition_delay &&
           data_is_share(saved->share) && data_is_share(saved->fade) &&
           cfpci_is_finite(saved->fade_step) && data_is_share(saved->guard.rate_share) &&
           cfpci_is_finite(saved->rate) && cfpci_guard_valid(&saved->guard, &rest->guard) &&
           ring_valid(saved);
}

CFPC_SELDOM cfpc_status cfpc_data_restore(const cfpc_model *model, cfpc_data *data,
                                          const void *save, size_t bytes)
{
    if (!model || !data)
        return CFPC_MISSING;
    cfpc_status status = cfpci_image_check(save, bytes, CFPC_MAGIC_DATA, sizeof(cfpc_data));
    if (status != CFPC_OK)
        return status;
    const cfpc_data *saved = save, *rest = cfpci_data_at_rest(model);
    const uint64_t identity = cfpci_model_identity(model);
    if (saved->model_identity != identity || bytes != rest->header.bytes ||
        data->model_identity != identity)
        return CFPC_OTHER_MODEL;
    if (!same_layout(saved, rest) || !numbers_valid(saved, model, rest) ||
        !banks_valid(model, saved))
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
    data->guard.is_whole &= part <= 0;
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
