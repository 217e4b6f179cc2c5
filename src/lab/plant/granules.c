// SPDX-License-Identifier: Apache-2.0
#include "plant/granules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "math/elementary.h"

enum { MAX_STEPS = 64 }; // that a cfpc_maker is asked for

#define BURST_ENDS 8. // time constants after which a burst is over: it has fallen to 0.7 %

// ---- the cells -------------------------------------------------------------------------------

// A burst with the silence before and after it, so that any steps can be copied without a test.
static size_t fired_row(const lab_granules *granules)
{
    return (size_t)granules->longest + 2 * MAX_STEPS;
}

static bool make_bursts(lab_granules *granules, const lab_basis_spec *basis_spec, double step_s)
{
    granules->length = calloc(LAB_BURSTS, sizeof *granules->length);
    if (!granules->length)
        return false;
    // Time constants in steps, from the first to the last geometrically.
    const double first = (isnan(basis_spec->first_ms) ? 10 : basis_spec->first_ms) / 1e3 / step_s;
    const double last = basis_spec->last_ms / 1e3 / step_s;
    double steps[LAB_BURSTS];
    for (int k = 0; k < LAB_BURSTS; k++) {
        steps[k] = first * cfpci_pow(last / first, k / (LAB_BURSTS - 1.0));
        granules->length[k] = (int)ceil(BURST_ENDS * steps[k]);
        granules->longest =
            granules->length[k] > granules->longest ? granules->length[k] : granules->longest;
    }
    // The alpha function, 1 at its peak, which comes after its time constant.
    granules->burst = calloc((size_t)LAB_BURSTS * (size_t)granules->longest, sizeof(double));
    granules->fired = calloc((size_t)LAB_BURSTS * fired_row(granules), sizeof *granules->fired);
    for (int k = 0; granules->burst && granules->fired && k < LAB_BURSTS; k++) {
        double *burst = granules->burst + (size_t)k * (size_t)granules->longest;
        cfpc_real *fired = granules->fired + (size_t)k * fired_row(granules) + MAX_STEPS;
        for (int n = 0; n < granules->length[k]; n++) {
            burst[n] = (n + 1) / steps[k] * cfpci_exp(1 - (n + 1) / steps[k]);
            fired[n] = (cfpc_real)burst[n];
        }
    }
    return granules->burst && granules->fired;
}

cfpc_status lab_granules_make(lab_granules *granules, const lab_basis_spec *basis_spec,
                              double step_s, int steps, int count, int seed)
{
    *granules = (lab_granules){.steps = steps, .count = count};
    if (!make_bursts(granules, basis_spec, step_s))
        return CFPC_NO_MEMORY;
    granules->onset = calloc((size_t)count, sizeof *granules->onset);
    granules->kind = calloc((size_t)count, sizeof *granules->kind);
    if (!granules->onset || !granules->kind)
        return CFPC_NO_MEMORY;
    // Onsets from before the trial to its end, one per slot at a random place: they rise.
    lab_random random = lab_random_seed(basis_spec->seed + seed, 0);
    const double span = steps + granules->longest;
    for (int j = 0; j < count; j++) {
        granules->onset[j] =
            (int32_t)floor(span * ((j + lab_uniform(&random)) / count)) - granules->longest;
        granules->kind[j] = (uint8_t)(lab_uniform(&random) * LAB_BURSTS);
    }
    return CFPC_OK;
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

// ---- all of them together -------------------------------------------------------------------

void lab_granules_gram(const lab_granules *granules, int stride, const double *a, double *out)
{
    memset(out, 0, (size_t)granules->steps * sizeof *out);
    for (int j = 0; j < granules->count; j += stride) {
        const int onset = granules->onset[j], end = onset + granules->length[granules->kind[j]];
        const int from = onset < 0 ? 0 : onset, to = end < granules->steps ? end : granules->steps;
        const double *burst = granules->burst + (ptrdiff_t)granules->kind[j] * granules->longest -
                              onset; // by step of the trial
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

// What cell j is heard from this step of the trial on.
static const cfpc_real *heard(const lab_granules *granules, int j, int step)
{
    const int age = step - granules->onset[j];
    const int within = age < -MAX_STEPS          ? -MAX_STEPS
                       : age > granules->longest ? granules->longest
                                                 : age;
    return granules->fired + (size_t)granules->kind[j] * fired_row(granules) + (MAX_STEPS + within);
}

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HAS_SHUFFLE
#endif
#endif

#ifdef HAS_SHUFFLE
enum { SIDE = 16 / sizeof(cfpc_real) }; // of a square that is turned at once
typedef cfpc_real side __attribute__((vector_size(16), aligned(sizeof(cfpc_real)), may_alias));

// The same steps of neighbouring cells, turned: a row per step.
static inline void granules_turn(const cfpc_real *const *from, int n, cfpc_real *x, int stride)
{
    const side a = *(const side *)(from[0] + n), b = *(const side *)(from[1] + n);
#if CFPC_REAL_IS_FLOAT
    const side c = *(const side *)(from[2] + n), d = *(const side *)(from[3] + n);
    const side ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
               ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7),
               cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
               cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    *(side *)x = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    *(side *)(x + stride) = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    *(side *)(x + 2 * stride) = __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5);
    *(side *)(x + 3 * stride) = __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7);
#else
    *(side *)x = __builtin_shufflevector(a, b, 0, 2);
    *(side *)(x + stride) = __builtin_shufflevector(a, b, 1, 3);
#endif
}
#else
enum { SIDE = 1 };

static inline void granules_turn(const cfpc_real *const *from, int n, cfpc_real *x, int stride)
{
    (void)stride;
    *x = from[0][n];
}
#endif

// The steps of SIDE cells.
static void copy_cells(const cfpc_real *const *from, int steps, cfpc_real *x, int stride)
{
    int n = 0;
    for (; n + SIDE <= steps; n += SIDE)
        granules_turn(from, n, x + (size_t)n * (size_t)stride, stride);
    for (; n < steps; n++)
        for (int j = 0; j < (int)SIDE; j++)
            x[n * stride + j] = from[j][n];
}

// A cfpc_maker; before the trial all are silent.
static bool make_tile(const void *context, int32_t step, int32_t steps, int32_t first,
                      int32_t count, int32_t stride, cfpc_real *x)
{
    const lab_granules *granules = context;
    const int begin = granules->first + step, early = begin < 0 ? -begin : 0, end = first + count;
    const cfpc_real *from[SIDE];
    const bool active = granules->onset[first] < begin + steps &&
                        granules->onset[end - 1] + granules->longest > begin + early;
    if (early >= steps || !active)
        return false;
    int j = first;
    for (; j + (int)SIDE <= end; j += (int)SIDE) {
        for (int k = 0; k < (int)SIDE; k++)
            from[k] = heard(granules, j + k, begin);
        copy_cells(from, steps, x + (j - first), stride);
    }
    for (; j < end; j++)
        for (int n = 0; n < steps; n++)
            x[n * stride + (j - first)] = heard(granules, j, begin)[n];
    for (int n = 0; n < early; n++)
        memset(x + (size_t)n * (size_t)stride, 0, (size_t)count * sizeof *x);
    return true;
}

cfpc_source lab_granules_block(lab_granules *granules, int first)
{
    granules->first = first;
    return (cfpc_source){.kind = CFPC_MADE, .make = make_tile, .context = granules};
}
