// SPDX-License-Identifier: Apache-2.0
#include "deltas.h"

#include <string.h>

#include "core/ring.h"
#include "deltas_kernel.h"

// ---- the products of a few steps -------------------------------------------------------------

static void add_plain(cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring, const cfpc_real *taps,
                      int32_t count)
{
    for (int32_t i = 0; i < CFPC_DELTAS; i++)
        cfpci_add_products(lanes[i], ring, taps - i, count);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void add_wide(cfpc_real (*lanes)[CFPC_LANES],
                                                     const cfpc_real *ring, const cfpc_real *taps,
                                                     int32_t count)
{
    cfpci_deltas_add(lanes, ring, taps, count);
}

static void add(cfpci_strip_way way, cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring,
                const cfpc_real *taps, int32_t count)
{
    if (way == CFPC_STRIP_WIDEST)
        cfpci_deltas_add_widest(lanes, ring, taps, count);
    else if (way == CFPC_STRIP_WIDE)
        add_wide(lanes, ring, taps, count);
    else
        add_plain(lanes, ring, taps, count);
}
#else
static void add(cfpci_strip_way way, cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring,
                const cfpc_real *taps, int32_t count)
{
    (void)way; // there is only one
    add_plain(lanes, ring, taps, count);
}
#endif

// ---- the ring --------------------------------------------------------------------------------

// The part of the ring that changes while a few steps go in, as each step sees it.
typedef struct patch {
    int32_t begin, end; // entries of the ring, whole lanes or up to its end
    cfpc_real seen[CFPC_DELTAS][2 * CFPC_LANES];
} patch;

// Puts the steps in. They do not cross the end of the ring.
static void push(cfpc_data *data, const cfpc_real *t, patch *it)
{
    const cfpc_real *ring = cfpci_data_array(data, data->ring_at);
    it->begin = (data->head + 1) / CFPC_LANES * CFPC_LANES;
    it->end = (data->head + CFPC_DELTAS) / CFPC_LANES * CFPC_LANES + CFPC_LANES;
    it->end = it->end < data->taps ? it->end : data->taps;
    for (int32_t i = 0; i < CFPC_DELTAS; i++) {
        cfpci_ring_push(data, t[i]);
        memcpy(it->seen[i], ring + it->begin, (size_t)(it->end - it->begin) * sizeof *ring);
    }
}

// The entries of the ring in their order: before the patch, in it, after it, and those that do not
// fill all lanes.
static void run_together(cfpci_strip_way way, const cfpc_model *model, cfpc_data *data,
                         const cfpc_real *t, cfpc_real *delta)
{
    const cfpc_real *ring = cfpci_data_array(data, data->ring_at);
    const cfpc_real *taps = cfpci_ring_taps(model, data) + (data->taps - 2 - data->head);
    const int32_t whole = data->taps / CFPC_LANES * CFPC_LANES;
    patch it;
    push(data, t, &it);
    cfpc_real lanes[CFPC_DELTAS][CFPC_LANES] = {{0}};
    add(way, lanes, ring, taps, it.begin);
    for (int32_t i = 0; i < CFPC_DELTAS; i++)
        cfpci_add_products(lanes[i], it.seen[i], taps + it.begin - i, it.end - it.begin);
    if (it.end < whole)
        add(way, lanes, ring + it.end, taps + it.end, whole - it.end);
    for (int32_t i = 0; it.end <= whole && i < CFPC_DELTAS; i++)
        cfpci_add_products(lanes[i], ring + whole, taps + whole - i, data->taps - whole);
    for (int32_t i = 0; i < CFPC_DELTAS; i++)
        delta[i] = cfpci_fold(lanes[i]);
}

void cfpci_deltas_by(cfpci_strip_way way, const cfpc_model *model, cfpc_data *data,
                     const cfpc_real *t, int32_t steps, cfpc_real *delta)
{
    int32_t n = 0;
    while (n < steps) {
        if (n + CFPC_DELTAS <= steps && data->head + CFPC_DELTAS < data->taps) {
            run_together(way, model, data, t + n, delta + n);
            n += CFPC_DELTAS;
        } else {
            cfpci_ring_push(data, t[n]);
            delta[n++] = cfpci_ring_delta(model, data);
        }
    }
}

void cfpci_deltas(const cfpc_model *model, cfpc_data *data, const cfpc_real *t, int32_t steps,
                  cfpc_real *delta)
{
    cfpci_deltas_by(cfpci_strip_best(), model, data, t, steps, delta);
}
