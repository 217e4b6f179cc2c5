// SPDX-License-Identifier: Apache-2.0
#include "plant/granules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

#define BURST_ENDS 8. // time constants after which a burst is over: it has fallen to 0.7 %

// ---- the cells -------------------------------------------------------------------------------

// Time constant k in steps, from the first to the last geometrically.
static double time_constant(const lab_basis_spec *of, double step_s, int k)
{
    const double first = (isnan(of->first_ms) ? 10 : of->first_ms) / 1e3 / step_s;
    const double last = of->last_ms / 1e3 / step_s;
    return first * pow(last / first, k / (LAB_BURSTS - 1.0));
}

// The alpha function, 1 at its peak, which comes after its time constant.
static void fill_burst(double *burst, int length, double steps)
{
    for (int n = 0; n < length; n++)
        burst[n] = (n + 1) / steps * exp(1 - (n + 1) / steps);
}

static bool make_bursts(lab_granules *it, const lab_basis_spec *of, double step_s)
{
    it->length = calloc(LAB_BURSTS, sizeof *it->length);
    for (int k = 0; it->length && k < LAB_BURSTS; k++) {
        it->length[k] = (int)ceil(BURST_ENDS * time_constant(of, step_s, k));
        it->longest = it->length[k] > it->longest ? it->length[k] : it->longest;
    }
    it->burst =
        it->length ? calloc((size_t)LAB_BURSTS * (size_t)it->longest, sizeof(double)) : NULL;
    for (int k = 0; it->burst && k < LAB_BURSTS; k++)
        fill_burst(it->burst + (size_t)k * (size_t)it->longest, it->length[k],
                   time_constant(of, step_s, k));
    const size_t entries = (size_t)LAB_BURSTS * (size_t)it->longest;
    it->fired = it->burst ? calloc(entries, sizeof *it->fired) : NULL;
    for (size_t k = 0; it->fired && k < entries; k++)
        it->fired[k] = (cfpc_real)it->burst[k];
    return it->fired != NULL;
}

// Onsets from before the trial to its end, one per slot at a random place: they rise.
static bool draw_cells(lab_granules *it, int seed)
{
    lab_random random = lab_random_seed(seed, 0);
    const double span = it->steps + it->longest;
    it->onset = calloc((size_t)it->count, sizeof *it->onset);
    it->kind = calloc((size_t)it->count, sizeof *it->kind);
    for (int j = 0; it->onset && it->kind && j < it->count; j++) {
        it->onset[j] =
            (int32_t)floor(span * ((j + lab_uniform(&random)) / it->count)) - it->longest;
        it->kind[j] = (uint8_t)(lab_uniform(&random) * LAB_BURSTS);
    }
    return it->onset && it->kind;
}

cfpc_status lab_granules_make(lab_granules *granules, const lab_basis_spec *of, double step_s,
                              int steps, int count)
{
    *granules = (lab_granules){.steps = steps, .count = count};
    const bool whole = make_bursts(granules, of, step_s) && draw_cells(granules, of->seed);
    return whole ? CFPC_OK : CFPC_NO_MEMORY;
}

void lab_granules_free(lab_granules *granules)
{
    free(granules->burst);
    free(granules->length);
    free(granules->onset);
    free(granules->kind);
    free(granules->fired);
    *granules = (lab_granules){0};
}

double lab_granule(const lab_granules *granules, int j, int n)
{
    const int age = n - granules->onset[j], kind = granules->kind[j];
    return age < 0 || age >= granules->length[kind]
               ? 0
               : granules->burst[(size_t)kind * (size_t)granules->longest + (size_t)age];
}

// ---- all of them at once ---------------------------------------------------------------------

void lab_granules_gram(const lab_granules *it, int stride, const double *a, double *out)
{
    memset(out, 0, (size_t)it->steps * sizeof *out);
    for (int j = 0; j < it->count; j += stride) {
        const int onset = it->onset[j], end = onset + it->length[it->kind[j]];
        const int from = onset < 0 ? 0 : onset, to = end < it->steps ? end : it->steps;
        const double *burst =
            it->burst + (ptrdiff_t)it->kind[j] * it->longest - onset; // by step of the trial
        double part[4] = {0};
        int n = from;
        for (; n + 4 <= to; n += 4)
            for (int k = 0; k < 4; k++)
                part[k] += burst[n + k] * a[n + k];
        for (; n < to; n++)
            part[0] += burst[n] * a[n];
        const double sum = stride * ((part[0] + part[1]) + (part[2] + part[3]));
        for (n = from; n < to; n++)
            out[n] += burst[n] * sum;
    }
}

// ---- in the tile -----------------------------------------------------------------------------

// Whether some of these cells are active within the steps from … to - 1.
static bool any_active(const lab_granules *it, int first, int count, int from, int to)
{
    return it->onset[first] < to && it->onset[first + count - 1] + it->longest > from;
}

// A cfpc_maker; before the trial all are silent.
static bool make_tile(const void *context, int32_t step, int32_t steps, int32_t first,
                      int32_t count, int32_t stride, cfpc_real *x)
{
    const lab_granules *it = context;
    const int begin = it->first + step, early = begin < 0 ? -begin : 0;
    if (early >= steps || !any_active(it, first, count, begin + early, begin + steps))
        return false;
    memset(x, 0, (size_t)steps * (size_t)stride * sizeof *x);
    for (int j = first; j < first + count; j++) {
        const int onset = it->onset[j] - begin, end = onset + it->length[it->kind[j]];
        const int from = onset < early ? early : onset, to = end < steps ? end : steps;
        const cfpc_real *burst = it->fired + (ptrdiff_t)it->kind[j] * it->longest - onset;
        for (int n = from; n < to; n++)
            x[n * stride + (j - first)] = burst[n];
    }
    return true;
}

cfpc_source lab_granules_block(lab_granules *granules, int first)
{
    granules->first = first;
    return (cfpc_source){.kind = CFPC_MADE, .make = make_tile, .context = granules};
}
