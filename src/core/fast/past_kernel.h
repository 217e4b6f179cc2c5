// SPDX-License-Identifier: Apache-2.0
// past_kernel: the fast kernel of past, for whole tiles. A few steps go over all tiles together: x
// is read row by row, in the order of memory, which processors prefetch by themselves, and a weight
// is loaded once for these steps. past.c compiles it for two widths of vectors, widest.c for the
// widest. The order of operations of a synapse, and of each lane's sum, is that of the plain
// kernel.
#ifndef CFPC_FAST_PAST_KERNEL_H
#define CFPC_FAST_PAST_KERNEL_H

#include "past_types.h"
#include "vectors.h"

enum { CFPC_TOGETHER = 4 }; // steps

// The constants that a kernel is compiled for.
typedef struct cfpci_past_kernel {
    bool acts;
    bool learns;
    bool is_usual; // without leak and bounds
    int32_t together;
} cfpci_past_kernel;

CFPC_INLINE void cfpci_past_learn(cfpci_vector *w, const cfpci_past_run *run,
                                  const cfpci_past_kernel kernel, const cfpci_packed *past,
                                  cfpc_real gain, bool settles)
{
    const cfpci_vector zero = {0}, low = zero + run->low, high = zero + run->high;
    if (!kernel.is_usual && run->keep != 1) {
        *w *= run->keep;
        if (settles)
            cfpci_settle_vector(w);
    }
    if (kernel.is_usual || run->adds)
        *w += gain * *past;
    if (!kernel.is_usual && run->low < run->high) {
        const cfpci_mask below = *w<low, above = *w> high;
        cfpci_choose(w, &below, &low);
        cfpci_choose(w, &above, &high);
    }
}

// The steps from n on that go together, over all tiles.
CFPC_INLINE void cfpci_past_together(const cfpci_past_run *given, const cfpci_past_strip *there,
                                     const cfpci_past_kernel kernel, int32_t n)
{
    const cfpci_past_run run = *given;     // local copies: the compiler knows that
    const cfpci_past_strip strip = *there; // no store changes these two
    cfpci_vector sum[CFPC_TOGETHER][CFPC_ABREAST];
    cfpc_real gain[CFPC_TOGETHER];
    bool settles[CFPC_TOGETHER];
    for (int32_t i = 0; i < kernel.together; i++) {
        gain[i] = run.gain[n + i];
        settles[i] = !kernel.is_usual && cfpci_settles(run.step + n + i);
        for (int32_t k = 0; k < CFPC_ABREAST; k++)
            sum[i][k] = ((const cfpci_packed *)(strip.sums + (size_t)(n + i) * CFPC_LANES))[k];
    }
    for (int32_t first = 0; first + CFPC_TILE <= strip.count; first += CFPC_TILE) {
        cfpci_packed *weight = (cfpci_packed *)(strip.weight + first);
        cfpci_vector w[CFPC_ABREAST];
        for (int32_t k = 0; k < CFPC_ABREAST; k++)
            w[k] = weight[k];
        for (int32_t i = 0; i < kernel.together; i++) {
            const cfpc_real *x = strip.x + (ptrdiff_t)(n + i) * strip.stride + first;
            const cfpc_real *past = strip.past + (ptrdiff_t)(n + i) * strip.past_stride + first;
            for (int32_t k = 0; k < CFPC_ABREAST; k++) {
                if (kernel.acts)
                    sum[i][k] += ((const cfpci_packed *)x)[k] * w[k];
                if (kernel.learns)
                    cfpci_past_learn(&w[k], &run, kernel, (const cfpci_packed *)past + k, gain[i],
                                     settles[i]);
            }
        }
        for (int32_t k = 0; kernel.learns && k < CFPC_ABREAST; k++)
            weight[k] = w[k];
    }
    for (int32_t i = 0; kernel.acts && i < kernel.together; i++)
        for (int32_t k = 0; k < CFPC_ABREAST; k++)
            ((cfpci_packed *)(strip.sums + (size_t)(n + i) * CFPC_LANES))[k] = sum[i][k];
}

CFPC_INLINE void cfpci_past_all(const cfpci_past_run *run, const cfpci_past_strip *strip,
                                cfpci_past_kernel kernel)
{
    int32_t n = 0;
    kernel.together = CFPC_TOGETHER;
    for (; n + CFPC_TOGETHER <= run->steps; n += CFPC_TOGETHER)
        cfpci_past_together(run, strip, kernel, n);
    kernel.together = 2;
    for (; n + 2 <= run->steps; n += 2)
        cfpci_past_together(run, strip, kernel, n);
    kernel.together = 1;
    for (; n < run->steps; n++)
        cfpci_past_together(run, strip, kernel, n);
}

// cfpci_past_tiles for vectors of 64 bytes; x86-64 only.
void cfpci_past_tiles_widest(const cfpci_past_run *run, const cfpci_past_strip *strip);

CFPC_INLINE void cfpci_past_tiles(const cfpci_past_run *run, const cfpci_past_strip *strip)
{
    const bool is_usual = run->adds && run->keep == 1 && !(run->low < run->high);
    if (!run->learns)
        cfpci_past_all(run, strip, (cfpci_past_kernel){true, false, true, 0});
    else if (run->acts && is_usual)
        cfpci_past_all(run, strip, (cfpci_past_kernel){true, true, true, 0});
    else if (run->acts)
        cfpci_past_all(run, strip, (cfpci_past_kernel){true, true, false, 0});
    else if (is_usual)
        cfpci_past_all(run, strip, (cfpci_past_kernel){false, true, true, 0});
    else
        cfpci_past_all(run, strip, (cfpci_past_kernel){false, true, false, 0});
}

#endif
