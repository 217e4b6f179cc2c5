// SPDX-License-Identifier: Apache-2.0
#include "past.h"

#include "learn.h"
#include "past_kernel.h"

// ---- the plain kernel ------------------------------------------------------------------------

void cfpci_past_run_plain(const cfpci_past_run *run, const cfpci_past_strip *strip)
{
    for (int32_t n = 0; n < run->steps; n++) {
        const cfpc_real *past =
            run->adds && strip->past ? strip->past + (ptrdiff_t)n * strip->past_stride : NULL;
        if (run->acts && strip->x)
            cfpci_add_products(strip->sums + (size_t)n * CFPC_LANES,
                               strip->x + (ptrdiff_t)n * strip->stride, strip->weight,
                               strip->count);
        if (run->learns)
            cfpci_learn(strip->weight, strip->count, run->keep, cfpci_settles(run->step + n),
                        run->gain[n], past, run->low, run->high);
    }
}

// ---- which kernel ----------------------------------------------------------------------------

static void run_narrow(const cfpci_past_run *run, const cfpci_past_strip *strip)
{
    cfpci_past_tiles(run, strip);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void run_wide(const cfpci_past_run *run,
                                                     const cfpci_past_strip *strip)
{
    cfpci_past_tiles(run, strip);
}

static void past_run_tiles(cfpci_strip_way way, const cfpci_past_run *run,
                           const cfpci_past_strip *strip)
{
    if (way == CFPC_STRIP_WIDEST)
        cfpci_past_tiles_widest(run, strip);
    else if (way == CFPC_STRIP_WIDE)
        run_wide(run, strip);
    else
        run_narrow(run, strip);
}
#else
static void past_run_tiles(cfpci_strip_way way, const cfpci_past_run *run,
                           const cfpci_past_strip *strip)
{
    (void)way; // there is only one
    run_narrow(run, strip);
}
#endif

// The synapses after the whole tiles.
static cfpci_past_strip past_rest_of(const cfpci_past_strip *strip, int32_t whole)
{
    cfpci_past_strip rest = *strip;
    rest.count = strip->count - whole;
    rest.weight = strip->weight + whole;
    rest.x = strip->x ? strip->x + whole : NULL;
    rest.past = strip->past ? strip->past + whole : NULL;
    return rest;
}

void cfpci_past_run_by(cfpci_strip_way way, const cfpci_past_run *run,
                       const cfpci_past_strip *strip)
{
    const int32_t whole = CFPC_VECTOR == 1 ? 0 : strip->count / CFPC_TILE * CFPC_TILE;
    const cfpci_past_strip rest = past_rest_of(strip, whole);
    if (!run->acts && !run->learns)
        return;
    if (whole > 0)
        past_run_tiles(way, run, strip);
    if (rest.count > 0)
        cfpci_past_run_plain(run, &rest);
}

void cfpci_past_run_strip(const cfpci_past_run *run, const cfpci_past_strip *strip)
{
    cfpci_past_run_by(cfpci_strip_best(), run, strip);
}
