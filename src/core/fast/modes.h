// SPDX-License-Identifier: Apache-2.0
// modes: the fast kernel of a strip, for a whole tile and a trace of real modes, with the state in
// registers. strip.c compiles it for two widths of vectors, widest.c for the widest. The
// order of operations of a synapse is that of the plain kernel.
#ifndef CFPC_FAST_MODES_H
#define CFPC_FAST_MODES_H

#include "strip_types.h"
#include "vectors.h"

// The constants that a kernel is compiled for.
typedef struct cfpci_kernel {
    int32_t modes;
    bool has_line;
    bool is_usual; // cfpci_modes_usual
} cfpci_kernel;

// Some synapses of a tile, in registers.
typedef struct cfpci_abreast {
    cfpci_vector s[CFPC_STRIP_MODES][CFPC_ABREAST];
    cfpci_vector w[CFPC_ABREAST];
    cfpci_vector h[CFPC_ABREAST];
} cfpci_abreast;

CFPC_INLINE void cfpci_abreast_load(cfpci_abreast *abreast, const cfpci_strip *strip, int32_t first,
                                    int32_t modes)
{
    for (int32_t k = 0; k < CFPC_ABREAST; k++)
        abreast->w[k] = ((const cfpci_packed *)(strip->weight + first))[k];
    for (int32_t i = 0; i < modes; i++)
        for (int32_t k = 0; k < CFPC_ABREAST; k++)
            abreast->s[i][k] =
                ((const cfpci_packed *)(strip->state + (size_t)i * strip->row + first))[k];
}

CFPC_INLINE void cfpci_abreast_store(const cfpci_abreast *abreast, const cfpci_strip *strip,
                                     int32_t first, int32_t modes)
{
    for (int32_t k = 0; k < CFPC_ABREAST; k++)
        ((cfpci_packed *)(strip->weight + first))[k] = abreast->w[k];
    for (int32_t k = 0; strip->trace && k < CFPC_ABREAST; k++)
        ((cfpci_packed *)(strip->trace + first))[k] = abreast->h[k];
    for (int32_t i = 0; i < modes; i++)
        for (int32_t k = 0; k < CFPC_ABREAST; k++)
            ((cfpci_packed *)(strip->state + (size_t)i * strip->row + first))[k] = abreast->s[i][k];
}

// One step of the trace of vector k, and its part of o. slot: of the line, read and then written.
CFPC_INLINE void cfpci_abreast_act(cfpci_abreast *abreast, const cfpci_run *run,
                                   const cfpci_kernel kernel, int32_t k, const cfpci_packed *x,
                                   cfpci_packed *slot, cfpci_packed *sum)
{
    const cfpci_vector x_k = x[k];
    cfpci_vector u = x_k, h;
    if (kernel.has_line)
        u = slot[k];
    if (kernel.modes == 0)
        h = run->direct * u;
    else
        h = run->part[0] * abreast->s[0][k];
    for (int32_t i = 1; i < kernel.modes; i++)
        h += run->part[i] * abreast->s[i][k];
    if (kernel.modes > 0 && !kernel.is_usual && run->direct != 0)
        h += run->direct * u;
    for (int32_t i = 0; i < kernel.modes; i++)
        abreast->s[i][k] = run->pole[i] * abreast->s[i][k] + u;
    if (kernel.has_line) {
        cfpci_vector z = kernel.modes > 0 && (kernel.is_usual || run->is_closed) ? x_k - h : x_k;
        cfpci_settle_vector(&z);
        slot[k] = z;
    }
    sum[k] += x_k * abreast->w[k];
    abreast->h[k] = h;
}

CFPC_INLINE void cfpci_abreast_settle(cfpci_abreast *abreast, int32_t modes)
{
    for (int32_t i = 0; i < modes; i++)
        for (int32_t k = 0; k < CFPC_ABREAST; k++)
            cfpci_settle_vector(&abreast->s[i][k]);
}

CFPC_INLINE void cfpci_abreast_learn(cfpci_abreast *abreast, const cfpci_run *run,
                                     const cfpci_kernel kernel, cfpc_real gain, bool settles)
{
    const cfpci_vector zero = {0}, low = zero + run->low, high = zero + run->high;
    for (int32_t k = 0; k < CFPC_ABREAST; k++) {
        if (!kernel.is_usual && run->keep != 1) {
            abreast->w[k] *= run->keep;
            if (settles)
                cfpci_settle_vector(&abreast->w[k]);
        }
        abreast->w[k] += gain * abreast->h[k];
        if (!kernel.is_usual && run->low < run->high) {
            const cfpci_mask below = abreast->w[k]<low, above = abreast->w[k]> high;
            cfpci_choose(&abreast->w[k], &below, &low);
            cfpci_choose(&abreast->w[k], &above, &high);
        }
    }
}

// All steps of the synapses of one pass, starting at lane `first`.
CFPC_INLINE void cfpci_abreast_run(const cfpci_run *given, const cfpci_strip *there,
                                   const cfpci_kernel kernel, int32_t first)
{
    const cfpci_run run = *given;     // local copies: the compiler knows that
    const cfpci_strip strip = *there; // no store changes these two
    const int32_t delay = kernel.has_line ? run.trace->delay_steps[0] : 0;
    int32_t head = kernel.has_line ? run.heads[0] : 0;
    cfpci_abreast abreast = {0};
    cfpci_abreast_load(&abreast, &strip, first, kernel.modes);
    for (int32_t n = 0; n < run.steps; n++) {
        const cfpc_real *x = strip.x + (ptrdiff_t)n * strip.stride + first;
        cfpc_real *slot = strip.slots + (size_t)head * strip.row + first;
        cfpc_real *sum = strip.sums + (size_t)n * CFPC_LANES + first;
        cfpci_prefetch(x, CFPC_AHEAD * CFPC_TILE);
        if (kernel.has_line)
            cfpci_prefetch(slot, (size_t)delay * strip.row);
        for (int32_t k = 0; k < CFPC_ABREAST; k++)
            cfpci_abreast_act(&abreast, &run, kernel, k, (const cfpci_packed *)x,
                              (cfpci_packed *)slot, (cfpci_packed *)sum);
        const bool settles = cfpci_settles(run.step + n);
        if (kernel.modes > 0 && settles)
            cfpci_abreast_settle(&abreast, kernel.modes);
        if (kernel.is_usual || run.teaches)
            cfpci_abreast_learn(&abreast, &run, kernel, run.gain[n], settles);
        head = head + 1 < delay ? head + 1 : 0;
    }
    cfpci_abreast_store(&abreast, &strip, first, kernel.modes);
}

CFPC_INLINE void cfpci_modes_tile(const cfpci_run *run, const cfpci_strip *strip, int32_t modes,
                                  bool has_line, bool is_usual)
{
    const cfpci_kernel kernel = {.modes = modes, .has_line = has_line, .is_usual = is_usual};
    for (int32_t first = 0; first < CFPC_TILE; first += CFPC_ABREAST * CFPC_VECTOR)
        cfpci_abreast_run(run, strip, kernel, first);
}

// The usual case: learning without leak and bounds; h from the modes only, and a line is closed.
CFPC_INLINE bool cfpci_modes_usual(const cfpci_run *run)
{
    return run->teaches && run->keep == 1 && !(run->low < run->high) &&
           (run->modes == 0 || (run->direct == 0 && run->is_closed == run->has_line));
}

// cfpci_modes_run for vectors of 64 bytes; x86-64 only.
void cfpci_modes_run_widest(const cfpci_run *run, const cfpci_strip *strip);

CFPC_INLINE void cfpci_modes_run(const cfpci_run *run, const cfpci_strip *strip)
{
    switch (4 * run->modes + 2 * run->has_line + cfpci_modes_usual(run)) {
    case 0:
        cfpci_modes_tile(run, strip, 0, false, false);
        break;
    case 1:
        cfpci_modes_tile(run, strip, 0, false, true);
        break;
    case 2:
        cfpci_modes_tile(run, strip, 0, true, false);
        break;
    case 3:
        cfpci_modes_tile(run, strip, 0, true, true);
        break;
    case 4:
        cfpci_modes_tile(run, strip, 1, false, false);
        break;
    case 5:
        cfpci_modes_tile(run, strip, 1, false, true);
        break;
    case 6:
        cfpci_modes_tile(run, strip, 1, true, false);
        break;
    case 7:
        cfpci_modes_tile(run, strip, 1, true, true);
        break;
    case 8:
        cfpci_modes_tile(run, strip, 2, false, false);
        break;
    case 9:
        cfpci_modes_tile(run, strip, 2, false, true);
        break;
    case 10:
        cfpci_modes_tile(run, strip, 2, true, false);
        break;
    case 11:
        cfpci_modes_tile(run, strip, 2, true, true);
        break;
    case 12:
        cfpci_modes_tile(run, strip, 3, false, false);
        break;
    case 13:
        cfpci_modes_tile(run, strip, 3, false, true);
        break;
    case 14:
        cfpci_modes_tile(run, strip, 3, true, false);
        break;
    case 15:
        cfpci_modes_tile(run, strip, 3, true, true);
        break;
    case 16:
        cfpci_modes_tile(run, strip, 4, false, false);
        break;
    case 17:
        cfpci_modes_tile(run, strip, 4, false, true);
        break;
    case 18:
        cfpci_modes_tile(run, strip, 4, true, false);
        break;
    default:
        cfpci_modes_tile(run, strip, 4, true, true);
        break;
    }
}

#endif
