// SPDX-License-Identifier: Apache-2.0
#include "ring.h"

#include <string.h>

#include "vector.h"

const cfpc_real *cfpci_ring_taps(const cfpc_model *model, const cfpc_data *data)
{
    return data->taps_at ? (const cfpc_real *)((const char *)data + data->taps_at)
                         : (const cfpc_real *)((const char *)model + model->taps_at);
}

void cfpci_ring_set(cfpc_data *data, cfpc_real t)
{
    cfpci_data_array(data, data->ring_at)[data->head] = t;
    data->live = t != 0 ? data->taps : data->live;
}

void cfpci_ring_push(cfpc_data *data, cfpc_real t)
{
    data->head = data->head + 1 < data->taps ? data->head + 1 : 0;
    cfpci_data_array(data, data->ring_at)[data->head] = t;
    data->live = t != 0 ? data->taps : data->live > 0 ? data->live - 1 : 0;
}

#if defined(__x86_64__)
// As cfpci_add_products for whole lanes, with vectors of 32 bytes: a step costs half of what it
// does with 16. The lanes and their order are the same, and without contraction (no fma) so are the
// results.
typedef cfpc_real wide __attribute__((vector_size(32), aligned(sizeof(cfpc_real)), may_alias));

__attribute__((target("avx2"))) static void add_products_wide(cfpc_real *lanes, const cfpc_real *a,
                                                              const cfpc_real *b, int32_t count)
{
    const int32_t half = CFPC_LANES / 2;
    wide low = *(const wide *)lanes, high = *(const wide *)(lanes + half);
#pragma GCC unroll 2
    for (const cfpc_real *end = a + count; a != end; a += CFPC_LANES, b += CFPC_LANES) {
        low += *(const wide *)a * *(const wide *)b;
        high += *(const wide *)(a + half) * *(const wide *)(b + half);
    }
    *(wide *)lanes = low;
    *(wide *)(lanes + half) = high;
}

static cfpc_real ring_dot_lanes(const cfpc_real *a, const cfpc_real *b, int32_t count)
{
    cfpc_real lanes[CFPC_LANES] = {0};
    if (__builtin_cpu_supports("avx2"))
        add_products_wide(lanes, a, b, count);
    else
        cfpci_add_products(lanes, a, b, count);
    return cfpci_fold(lanes);
}
#else
static cfpc_real ring_dot_lanes(const cfpc_real *a, const cfpc_real *b, int32_t count)
{
    return cfpci_dot_chunk(a, b, count);
}
#endif

// Entry i of the ring is t[n - q] with q = (head - i) mod R, and belongs to the tap a[M - q], which
// is number R - 1 - q: for all i at once, number R - 1 - head + i of the doubled taps.
cfpc_real cfpci_ring_delta(const cfpc_model *model, cfpc_data *data)
{
    if (data->live == 0)
        return 0;
    const cfpc_real *ring = cfpci_data_array(data, data->ring_at);
    const cfpc_real *taps = cfpci_ring_taps(model, data) + (data->taps - 1 - data->head);
    return ring_dot_lanes(ring, taps, (int32_t)cfpci_ring_placed((uint64_t)data->taps));
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
    if (!model->mutable_taps)
        return;
    cfpc_real *to = cfpci_data_array(data, data->taps_at);
    memcpy(to, taps, count * sizeof *to);
    memcpy(to + count, taps, count * sizeof *to);
}
