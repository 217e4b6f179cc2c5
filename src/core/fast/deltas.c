// SPDX-License-Identifier: Apache-2.0
#include "deltas.h"

#include <string.h>

#include "core/ring.h"
#include "deltas_kernel.h"

// ---- the products of a few steps -------------------------------------------------------------

static void add_plain(cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring,
                      const cfpci_patch *patch, const cfpc_real *taps, int32_t count)
{
    const int32_t begin = patch->begin, end = patch->end;
    for (int32_t i = 0; i < CFPC_DELTAS; i++) {
        cfpci_add_products(lanes[i], ring, taps - i, begin);
        cfpci_add_products(lanes[i], patch->seen[i], taps + begin - i, end - begin);
        cfpci_add_products(lanes[i], ring + end, taps + end - i, count - end);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void add_wide(cfpc_real (*lanes)[CFPC_LANES],
                                                     const cfpc_real *ring,
                                                     const cfpci_patch *patch,
                                                     const cfpc_real *taps, int32_t count)
{
    cfpci_deltas_all(lanes, ring, patch, taps, count);
}

static void deltas_add(cfpci_strip_way way, cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring,
                       const cfpci_patch *patch, const cfpc_real *taps, int32_t count)
{
    if (way == CFPC_STRIP_WIDEST)
        cfpci_deltas_all_widest(lanes, ring, patch, taps, count);
    else if (way == CFPC_STRIP_WIDE)
        add_wide(lanes, ring, patch, taps, count);
    else
        add_plain(lanes, ring, patch, taps, count);
}
#else
static void deltas_add(cfpci_strip_way way, cfpc_real (*lanes)[CFPC_LANES], const cfpc_real *ring,
                       const cfpci_patch *patch, const cfpc_real *taps, int32_t count)
{
    (void)way; // there is only one
    add_plain(lanes, ring, patch, taps, count);
}
#endif

// ---- the ring --------------------------------------------------------------------------------

// Puts some steps in, which do not cross the end of the ring. The patch is not copied from the ring
// after each of them: a vector that holds a number just written makes the processor wait.
static void deltas_push(cfpc_data *data, const cfpc_real *t, int32_t steps, cfpci_patch *patch)
{
    const cfpc_real *ring = cfpci_data_array(data, data->ring_at);
    const int32_t head = data->head;
    patch->begin = (head + 1) / CFPC_LANES * CFPC_LANES;
    patch->end = (head + CFPC_DELTAS) / CFPC_LANES * CFPC_LANES + CFPC_LANES;
    for (int32_t i = 0; i < CFPC_DELTAS; i++)
        for (int32_t j = patch->begin; j < patch->end; j += CFPC_LANES)
            memcpy(patch->seen[i] + (j - patch->begin), ring + j, CFPC_LANES * sizeof *ring);
    for (int32_t k = 0; k < steps; k++) {
        for (int32_t i = k; i < CFPC_DELTAS; i++)
            patch->seen[i][head + 1 + k - patch->begin] = t[k];
        cfpci_ring_push(data, t[k]);
    }
}

static void run_together(cfpci_strip_way way, const cfpc_model *model, cfpc_data *data,
                         const cfpc_real *t, int32_t steps, cfpc_real *delta)
{
    const cfpc_real *ring = cfpci_data_array(data, data->ring_at);
    const cfpc_real *taps = cfpci_ring_taps(model, data) + (data->taps - 2 - data->head);
    cfpc_real lanes[CFPC_DELTAS][CFPC_LANES] = {{0}};
    cfpci_patch patch;
    deltas_push(data, t, steps, &patch);
    deltas_add(way, lanes, ring, &patch, taps, (int32_t)cfpci_ring_placed((uint64_t)data->taps));
    for (int32_t i = 0; i < steps; i++)
        delta[i] = cfpci_fold(lanes[i]);
}

// One step alone near the end of the ring, or if there is no other.
void cfpci_deltas_by(cfpci_strip_way way, const cfpc_model *model, cfpc_data *data,
                     const cfpc_real *t, int32_t steps, cfpc_real *delta)
{
    for (int32_t n = 0, some = 1; n < steps; n += some) {
        some = steps - n < CFPC_DELTAS ? steps - n : CFPC_DELTAS;
        if (some > 1 && data->head + CFPC_DELTAS < data->taps) {
            run_together(way, model, data, t + n, some, delta + n);
        } else {
            some = 1;
            cfpci_ring_push(data, t[n]);
            delta[n] = cfpci_ring_delta(model, data);
        }
    }
}

void cfpci_deltas(const cfpc_model *model, cfpc_data *data, const cfpc_real *t, int32_t steps,
                  cfpc_real *delta)
{
    cfpci_deltas_by(cfpci_strip_best(), model, data, t, steps, delta);
}
