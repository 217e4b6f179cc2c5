// SPDX-License-Identifier: Apache-2.0
// Blocks of random inputs and errors, two trials, by cuBLAS in float and in tf32 and by the fused
// kernel, for every shape of it. Outputs and weights are compared with those of the CPU.
//
// Tolerances, as shares of the largest output (or weight). Float: both sides round sums of up to
// 4,096 products in different orders, about 64 x 6e-8 = 4e-6 at random: 1e-5. tf32: each factor is
// rounded by up to 2^-11, 2.4e-4 at random for one product and less for a sum of many: 1e-3.
// Inputs of 16 bits by up to 2^-9: 4e-3. A wrong index, row or factor gives errors of order 1.
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "twins.h"

enum { MOST_PATHS = 2000, MOST_TAPS = 64, BLOCKS = 9 };

typedef struct setting {
    const char *name;
    int32_t synapses, cells, errors, block_steps;
    int32_t layers;         // paths per cell
    int32_t lead, horizon;  //
    double leak, low, high; //
    bool faults; // an error and an input that are not finite, a cell that is frozen for a while
} setting;

static const setting settings[] = {
    {"one cell", 1000, 1, 0, 48, 1, 0, 20, 0, 0, 0, false},
    {"odd numbers", 333, 3, 0, 5, 1, 2, 7, 0.001, 0, 0, false},
    {"17 cells, 31 steps", 777, 17, 0, 31, 1, 0, 33, 0, -0.02, 0.02, false},
    {"40 cells, two errors each", 1026, 40, 7, 48, 2, 3, 40, 0.002, 0, 0, true},
    {"100 cells", 2050, 100, 0, 33, 1, 0, 60, 0, 0, 0, true},
    {"300 cells, bounds and leak", 513, 300, 0, 16, 1, 1, 12, 0.01, -0.01, 0.01, true},
    {"700 cells", 4096, 700, 0, 48, 1, 0, 30, 0, 0, 0, false},
    {"longer than the kernel's blocks", 500, 20, 0, 80, 1, 0, 30, 0, 0, 0, false},
};

typedef struct back_end {
    const char *name;
    cfpc_zone_cuda_def def;
    double tolerance;
} back_end;

static const back_end back_ends[] = {
    {"float", {.products = CFPC_CUDA_FLOAT}, 1e-5},
    {"tf32 by cuBLAS", {.products = CFPC_CUDA_TF32, .separate = true}, 1e-3},
    {"tf32", {.products = CFPC_CUDA_TF32}, 1e-3},
    {"tf32, 16 bits", {.products = CFPC_CUDA_TF32, .bfloat16_inputs = true}, 4e-3},
};

// ---- a zone ----------------------------------------------------------------------------------

typedef struct tables {
    cfpc_zone_path paths[MOST_PATHS];
    double taps[MOST_PATHS][MOST_TAPS];
    double rates[MOST_PATHS];
} tables;

// Paths differ in length: the shorter ones are filled up.
static cfpc_zone_def definition(const setting *s, tables *t)
{
    uint32_t seed = 7;
    const int32_t errors = s->errors ? s->errors : s->cells;
    cfpc_zone_def def = cfpc_default_zone_def();
    def.guard.on = false;
    for (int32_t k = 0; k < s->cells * s->layers; k++) {
        const int32_t cell = k / s->layers, layer = k % s->layers;
        const int32_t horizon = s->horizon - cell % 3;
        t->paths[k] = (cfpc_zone_path){.cell = cell,
                                       .error = (cell + 3 * layer) % errors,
                                       .lead = s->lead,
                                       .horizon = horizon,
                                       .taps = t->taps[k]};
        for (int32_t i = 0; i < s->lead + horizon + 1; i++)
            t->taps[k][i] = (double)twins_random(&seed) - 0.3;
    }
    for (int32_t p = 0; p < s->cells; p++)
        t->rates[p] = 1e-3 * (1 + p % 5) / (s->horizon + 1);
    def.synapses = s->synapses;
    def.cells = s->cells;
    def.errors = s->errors;
    def.block_steps = s->block_steps;
    def.path_count = s->cells * s->layers;
    def.paths = t->paths;
    def.rates = t->rates;
    def.leak = s->leak;
    def.weight_low = s->low;
    def.weight_high = s->high;
    return def;
}

// ---- a comparison ----------------------------------------------------------------------------

typedef struct gap {
    double largest, difference;
} gap;

static void note(gap *of, const float *a, const float *b, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const double difference = fabs((double)a[k] - (double)b[k]);
        of->largest = fmax(of->largest, fabs((double)a[k]));
        of->difference = difference <= of->difference ? of->difference : difference; // NaN stays
    }
}

static void start_weights(twins *pair, uint32_t *seed)
{
    float *w = twins_memory((size_t)pair->synapses, sizeof *w);
    cfpc_real *real = twins_memory((size_t)pair->synapses, sizeof *real);
    for (int32_t p = 0; p < pair->cells; p++) {
        for (int32_t j = 0; j < pair->synapses; j++)
            real[j] = (cfpc_real)(w[j] = 0.02f * (twins_random(seed) - 0.5f));
        cfpc_zone_set_weights(pair->model, pair->data, p, real);
        twins_must(cfpc_zone_cuda_set_weights(pair->zone, p, w), "set weights");
    }
    free(w);
    free(real);
}

static gap weights_gap(const twins *pair)
{
    gap of = {0};
    float *w = twins_memory((size_t)pair->synapses, sizeof *w),
          *cpu = twins_memory((size_t)pair->synapses, sizeof *cpu);
    cfpc_real *real = twins_memory((size_t)pair->synapses, sizeof *real);
    for (int32_t p = 0; p < pair->cells; p++) {
        cfpc_zone_get_weights(pair->model, pair->data, p, real);
        twins_must(cfpc_zone_cuda_get_weights(pair->zone, p, w), "get weights");
        for (int32_t j = 0; j < pair->synapses; j++)
            cpu[j] = (float)real[j];
        note(&of, cpu, w, (size_t)pair->synapses);
    }
    free(w);
    free(cpu);
    free(real);
    return of;
}

static bool flags_agree(const twins *pair)
{
    bool agree = true;
    for (int32_t p = -1; p < pair->cells; p++) {
        uint32_t flags = 0;
        twins_must(cfpc_zone_cuda_flags(pair->zone, p, &flags), "flags");
        agree &= flags == cfpc_zone_flags(pair->model, pair->data, p);
    }
    return agree;
}

static void freeze(twins *pair, int32_t cell)
{
    cfpc_zone_freeze(pair->model, pair->data, cell);
    twins_must(cfpc_zone_cuda_freeze(pair->zone, cell), "freeze");
}

static void thaw(twins *pair, int32_t cell)
{
    cfpc_zone_clear_flags(pair->model, pair->data, cell, CFPC_FLAG_FROZEN);
    twins_must(cfpc_zone_cuda_clear_flags(pair->zone, cell, CFPC_FLAG_FROZEN), "clear");
}

static void next_trial(twins *pair)
{
    twins_must(cfpc_zone_next_trial(cfpc_zone_default_products(), 1, pair->model, pair->data, NULL),
               "end of a trial");
    twins_must(cfpc_zone_cuda_next_trial(pair->zone), "end of a trial");
}

// Blocks of different lengths, a trial that ends in between, and what may go wrong.
static gap run(twins *pair, const setting *s, uint32_t *seed)
{
    const size_t rows = (size_t)pair->block_steps;
    float *x = twins_memory(rows * (size_t)pair->synapses, sizeof *x);
    float *e = twins_memory(rows * (size_t)pair->errors, sizeof *e);
    float *cpu = twins_memory(rows * (size_t)pair->cells, sizeof *cpu);
    float *cuda = twins_memory(rows * (size_t)pair->cells, sizeof *cuda);
    gap of = {0};
    for (int32_t block = 0; block < BLOCKS; block++) {
        const int32_t steps = block % 4 == 2 ? (pair->block_steps + 1) / 2 : pair->block_steps;
        for (size_t k = 0; k < (size_t)steps * (size_t)pair->synapses; k++)
            x[k] = twins_random(seed) - 0.2f;
        for (size_t k = 0; k < (size_t)steps * (size_t)pair->errors; k++)
            e[k] = twins_random(seed) - 0.5f;
        if (s->faults && block == 1)
            e[(size_t)(steps / 2 * pair->errors + 2)] = NAN;
        if (s->faults && block == 7)
            x[(size_t)pair->synapses + 3] = NAN; // freezes all cells
        if (s->faults && block == 3)
            freeze(pair, 5);
        if (s->faults && block == 6)
            thaw(pair, 5);
        twins_step_cpu(pair, x, e, steps, cpu);
        memset(cuda, 0xff, rows * (size_t)pair->cells * sizeof *cuda); // all must be written
        twins_step_cuda(pair, x, e, steps, cuda);
        note(&of, cpu, cuda, (size_t)steps * (size_t)pair->cells);
        if (block == BLOCKS / 2)
            next_trial(pair);
    }
    free(x);
    free(e);
    free(cpu);
    free(cuda);
    return of;
}

static int compare(const setting *s, const back_end *by, tables *t)
{
    const cfpc_zone_def def = definition(s, t);
    twins pair = twins_make(&def, &by->def);
    uint32_t seed = 1;
    start_weights(&pair, &seed);
    const gap outputs = run(&pair, s, &seed), weights = weights_gap(&pair);
    const double o = outputs.difference / outputs.largest, w = weights.difference / weights.largest;
    const bool passed = o <= by->tolerance && w <= by->tolerance && flags_agree(&pair);
    printf("%-32s %-16s outputs %8.1e  weights %8.1e  flags %s  %s\n", s->name, by->name, o, w,
           flags_agree(&pair) ? "agree" : "DIFFER", passed ? "ok" : "FAILED");
    twins_free(&pair);
    return !passed;
}

// ---- the same twice --------------------------------------------------------------------------

static int repeats(const setting *s, tables *t)
{
    const cfpc_zone_def def = definition(s, t);
    const cfpc_zone_cuda_def by = cfpc_default_zone_cuda_def();
    const size_t count = (size_t)s->synapses * (size_t)s->cells;
    float *w[2];
    for (int k = 0; k < 2; k++) {
        twins pair = twins_make(&def, &by);
        uint32_t seed = 1;
        start_weights(&pair, &seed);
        (void)run(&pair, s, &seed);
        w[k] = twins_memory(count, sizeof *w[k]);
        for (int32_t p = 0; p < s->cells; p++)
            twins_must(
                cfpc_zone_cuda_get_weights(pair.zone, p, w[k] + (size_t)p * (size_t)s->synapses),
                "get weights");
        twins_free(&pair);
    }
    const bool same = memcmp(w[0], w[1], count * sizeof *w[0]) == 0;
    printf("%-32s %-16s %s\n", s->name, "twice, by bits", same ? "ok" : "FAILED");
    free(w[0]);
    free(w[1]);
    return !same;
}

int check_blocks(bool tiny)
{
    tables *t = twins_memory(1, sizeof *t);
    int failed = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const setting *s = settings + i;
        if (tiny && s->synapses * s->cells > 200000)
            continue;
        for (size_t k = 0; k < sizeof back_ends / sizeof *back_ends; k++)
            failed += compare(s, back_ends + k, t);
        failed += tiny ? 0 : repeats(s, t);
    }
    free(t);
    return failed;
}
