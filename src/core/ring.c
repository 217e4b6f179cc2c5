// SPDX-License-Identifier: Apache-2.0
#include "ring.h"

#include <string.h>

#include "vector.h"

// The taps twice, one after the other: where the ring begins, they begin.
static const cfpc_real *taps_of(const cfpc_model *model, const cfpc_data *data)
{
    return data->taps_at ? (const cfpc_real *)((const char *)data + data->taps_at)
                         : cfpc_model_adjoint(model).taps;
}

void cfpci_ring_push(cfpc_data *data, cfpc_real t)
{
    data->head = data->head + 1 < data->taps ? data->head + 1 : 0;
    cfpci_data_array(data, data->ring_at)[data->head] = t;
    data->live = t != 0 ? data->taps : data->live > 0 ? data->live - 1 : 0;
}

// Entry i of the ring is t[n - q] with q = (head - i) mod R, and belongs to the tap a[M - q], which
// is number R - 1 - q: for all i at once, number R - 1 - head + i of the doubled taps.
cfpc_real cfpci_ring_delta(const cfpc_model *model, cfpc_data *data)
{
    if (data->live == 0)
        return 0;
    return cfpci_dot(cfpci_data_array(data, data->ring_at),
                     taps_of(model, data) + (data->taps - 1 - data->head), data->taps);
}

void cfpci_ring_drop(cfpc_data *data)
{
    if (data->live > 0)
        memset(cfpci_data_array(data, data->ring_at), 0, (size_t)data->taps * sizeof(cfpc_real));
    data->live = 0;
}

int64_t cfpci_past_step(const cfpc_data *data)
{
    return data->clock - 1 + data->ended - data->horizon;
}

int32_t cfpc_due(const cfpc_data *data)
{
    const int32_t left = data->horizon - data->ended;
    return data->live == 0 ? 0 : data->clock < left ? (int32_t)data->clock : left;
}

void cfpc_set_taps(const cfpc_model *model, cfpc_data *data, const cfpc_real *taps)
{
    const size_t count = (size_t)data->taps;
    if (!cfpc_model_adjoint(model).is_mutable)
        return;
    cfpc_real *to = cfpci_data_array(data, data->taps_at);
    memcpy(to, taps, count * sizeof *to);
    memcpy(to + count, taps, count * sizeof *to);
}
