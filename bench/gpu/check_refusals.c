// SPDX-License-Identifier: Apache-2.0
// What cannot be made is refused, and leaves nothing behind. Inputs that are given teach as those
// that are kept.
#include "check.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "twins.h"

static int report(const char *what, bool passed)
{
    printf("%-49s %s\n", what, passed ? "ok" : "FAILED");
    return !passed;
}

// ---- too large, no device --------------------------------------------------------------------

static int too_large(void)
{
    cfpc_zone_def def = cfpc_default_zone_def();
    def.guard.on = false;
    const cfpc_zone_cuda_def by = cfpc_default_zone_cuda_def();
    double *rates = twins_memory(200000, sizeof *rates);
    def.synapses = 1500000;
    def.cells = 200000;
    def.rates = rates;
    const size_t bytes = cfpc_zone_model_size(&def);
    const cfpc_zone_model *model;
    void *memory = twins_memory(1, bytes);
    size_t before = 0, after = 0;
    cfpc_zone_cuda *zone;
    twins_must(cfpc_zone_model_init(&model, memory, bytes, &def), "model");
    twins_must(cfpc_zone_cuda_free_bytes(0, &before), "free bytes");
    const cfpc_status status = cfpc_zone_cuda_make(&zone, model, &by);
    twins_must(cfpc_zone_cuda_free_bytes(0, &after), "free bytes");
    printf("%d cells need %.0f GB, %.1f GB are free: %d cells fit\n", def.cells,
           1e-9 * (double)cfpc_zone_cuda_size(model, &by), 1e-9 * (double)before,
           cfpc_zone_cuda_cells_within(model, &by, before));
    free(memory);
    free(rates);
    return report("too large: refused, nothing left allocated",
                  status == CFPC_NO_MEMORY && !zone && before == after);
}

static int no_device(void)
{
    cfpc_zone_def def = cfpc_default_zone_def();
    def.guard.on = false;
    const double rate = 0;
    def.rates = &rate;
    const size_t bytes = cfpc_zone_model_size(&def);
    void *memory = twins_memory(1, bytes);
    const cfpc_zone_model *model;
    cfpc_zone_cuda_def by = cfpc_default_zone_cuda_def();
    cfpc_zone_cuda *zone;
    by.device = 99;
    twins_must(cfpc_zone_model_init(&model, memory, bytes, &def), "model");
    const cfpc_status status = cfpc_zone_cuda_make(&zone, model, &by);
    free(memory);
    return report("device 99: refused", status == CFPC_NO_DEVICE && !zone);
}

static int guarded(void)
{
    cfpc_zone_def def = cfpc_default_zone_def();
    const double rate = 0;
    def.rates = &rate;
    def.guard.repeats = true;
    const size_t bytes = cfpc_zone_model_size(&def);
    void *memory = twins_memory(1, bytes);
    const cfpc_zone_model *model;
    const cfpc_zone_cuda_def by = cfpc_default_zone_cuda_def();
    cfpc_zone_cuda *zone;
    twins_must(cfpc_zone_model_init(&model, memory, bytes, &def), "model");
    const cfpc_status status = cfpc_zone_cuda_make(&zone, model, &by);
    free(memory);
    return report("a guard: refused", status == CFPC_DEVICE_GUARD && !zone);
}

// ---- inputs that are given -------------------------------------------------------------------

enum { CELLS = 5, STEPS = 12, HORIZON = 12, BLOCKS = 6, MOST_SYNAPSES = 204 };

static cfpc_zone_cuda *make(cfpc_past past, int32_t synapses)
{
    static double taps[HORIZON + 1], rates[CELLS];
    cfpc_zone_path paths[CELLS];
    cfpc_zone_def def = cfpc_default_zone_def();
    def.guard.on = false;
    const cfpc_zone_cuda_def by = cfpc_default_zone_cuda_def();
    const cfpc_zone_model *model;
    cfpc_zone_cuda *zone;
    for (int32_t k = 0; k <= HORIZON; k++)
        taps[k] = 1.0 / (1 + k);
    for (int32_t p = 0; p < CELLS; p++) {
        rates[p] = 0.01 * (1 + p);
        paths[p] = (cfpc_zone_path){.cell = p, .error = p, .horizon = HORIZON, .taps = taps};
    }
    def.synapses = synapses;
    def.cells = CELLS;
    def.block_steps = STEPS;
    def.path_count = CELLS;
    def.paths = paths;
    def.rates = rates;
    def.past = past;
    const size_t bytes = cfpc_zone_model_size(&def);
    void *memory = twins_memory(1, bytes);
    twins_must(cfpc_zone_model_init(&model, memory, bytes, &def), "model");
    twins_must(cfpc_zone_cuda_make(&zone, model, &by), "zone on the device");
    free(memory); // the model is copied
    return zone;
}

static float *on_device(const float *values, size_t count)
{
    void *memory = NULL;
    if (cudaMalloc(&memory, count * sizeof *values) != cudaSuccess ||
        cudaMemcpy(memory, values, count * sizeof *values, cudaMemcpyHostToDevice) != cudaSuccess)
        twins_must(CFPC_NO_MEMORY, "memory of the device");
    return memory;
}

// M is one block: the past of a block is the block before.
static int given(const char *what, int32_t synapses)
{
    cfpc_zone_cuda *kept = make(CFPC_PAST_KEPT, synapses), *by = make(CFPC_PAST_GIVEN, synapses);
    static float x[(BLOCKS + 1) * STEPS * MOST_SYNAPSES], e[BLOCKS * STEPS * CELLS];
    float a[STEPS * CELLS], b[STEPS * CELLS];
    uint32_t seed = 3;
    bool same = true;
    const size_t row = (size_t)synapses * STEPS;
    memset(x, 0, sizeof x);
    for (size_t k = row; k < (BLOCKS + 1) * row; k++)
        x[k] = twins_random(&seed);
    for (size_t k = 0; k < sizeof e / sizeof *e; k++)
        e[k] = twins_random(&seed) - 0.5f;
    float *dx = on_device(x, (BLOCKS + 1) * row), *de = on_device(e, sizeof e / sizeof *e);
    float *out = on_device(a, sizeof a / sizeof *a);
    for (int32_t k = 0; k < BLOCKS; k++) {
        const float *errors = e + (size_t)k * STEPS * CELLS;
        twins_must(cfpc_zone_cuda_step_block(kept, x + (size_t)(k + 1) * row, errors, STEPS, a),
                   "block");
        twins_must(cfpc_zone_cuda_enqueue_block(by, dx + (size_t)(k + 1) * row,
                                                dx + (size_t)k * row,
                                                de + (size_t)k * STEPS * CELLS, STEPS, out, NULL),
                   "block");
        same &= cudaMemcpy(b, out, sizeof b, cudaMemcpyDeviceToHost) == cudaSuccess &&
                memcmp(a, b, sizeof a) == 0;
    }
    same &= a[0] != 0;
    cudaFree(dx);
    cudaFree(de);
    cudaFree(out);
    cfpc_zone_cuda_free(kept);
    cfpc_zone_cuda_free(by);
    return report(what, same);
}

// CUDA keeps the error of the refusal; the next zone must not report it as its own.
static int next_zone(void)
{
    static float x[STEPS * MOST_SYNAPSES], e[STEPS * CELLS];
    float out[STEPS * CELLS];
    const int failed = no_device() + guarded();
    cfpc_zone_cuda *zone = make(CFPC_PAST_KEPT, MOST_SYNAPSES);
    const cfpc_status status = cfpc_zone_cuda_step_block(zone, x, e, STEPS, out);
    cfpc_zone_cuda_free(zone);
    return failed + report("the next zone: runs", status == CFPC_OK);
}

int check_refusals(void)
{
    return given("given inputs as kept ones, by bits", 204) +
           given("given inputs, not a multiple of 4, by bits", 203) + too_large() + next_zone();
}
