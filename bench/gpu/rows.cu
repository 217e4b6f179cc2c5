// SPDX-License-Identifier: Apache-2.0
#include "rows.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stage.cuh"

enum { COPIES = 20 };

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts the values.
static double median(int32_t count, double *values)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

static double *numbers(int32_t count)
{
    double *values = (double *)calloc((size_t)count, sizeof *values);
    if (!values)
        stage_must_be_ok(CFPC_NO_MEMORY, "numbers");
    return values;
}

// ---- a zone in its world ---------------------------------------------------------------------

typedef struct scene {
    stage on;
    void *memory;
    const cfpc_zone_model *model;
    cfpc_zone_cuda *zone;
} scene;

static void *model_of(const stage *on, bool given, const cfpc_zone_model **model)
{
    cfpc_zone_def def = stage_def(on, given);
    const size_t bytes = cfpc_zone_model_size(&def);
    void *memory = malloc(bytes);
    stage_must_be_ok(memory ? CFPC_OK : CFPC_NO_MEMORY, "model");
    stage_must_be_ok(cfpc_zone_model_init(model, memory, bytes, &def), "model");
    stage_def_free(&def);
    return memory;
}

static scene scene_make(const row *of)
{
    scene it = {};
    it.on = stage_make(of->synapses, of->cells, of->block_steps, of->given);
    it.memory = model_of(&it.on, of->given, &it.model);
    stage_must_be_ok(cfpc_zone_cuda_make(&it.zone, it.model, &of->def), "zone");
    return it;
}

static void scene_free(scene *it)
{
    cfpc_zone_cuda_free(it->zone);
    stage_free(&it->on);
    free(it->memory);
}

static void step_zone(scene *it)
{
    stage_must_be_ok(cfpc_zone_cuda_enqueue_block(it->zone, it->on.x, it->on.past, it->on.errors,
                                                  it->on.block_steps, it->on.outputs, NULL),
                     "block");
}

static void step(scene *it)
{
    stage_begin(&it->on);
    step_zone(it);
    stage_end(&it->on);
}

bool row_fits(const row *of)
{
    size_t free_bytes = 0;
    const int32_t few = of->cells < 8 ? of->cells : 8;
    stage like = {};
    like.synapses = of->synapses;
    like.cells = few;
    like.block_steps = of->block_steps;
    like.trial = WORLD_TRIAL;
    const cfpc_zone_model *model;
    void *memory = model_of(&like, of->given, &model);
    stage_must_be_ok(cfpc_zone_cuda_free_bytes(0, &free_bytes), "free bytes");
    const size_t around = stage_bytes(of->synapses, of->cells, of->block_steps, of->given);
    const size_t taken = around + 1000000000;
    const int32_t cells =
        free_bytes > taken ? cfpc_zone_cuda_cells_within(model, &of->def, free_bytes - taken) : 0;
    free(memory);
    if (cells < of->cells)
        printf("%s, %d steps: %d cells do not fit; %d do\n", of->back_end, of->block_steps,
               of->cells, cells);
    return cells >= of->cells;
}

// ---- time ------------------------------------------------------------------------------------

typedef struct clocks {
    cudaEvent_t at[4]; // block begins, zone begins, zone ends, block ends
} clocks;

static float between(cudaEvent_t a, cudaEvent_t b)
{
    float ms = 0;
    stage_must(cudaEventElapsedTime(&ms, a, b), "time");
    return ms;
}

static void timed_step(scene *it, const clocks *when)
{
    stage_must(cudaEventRecord(when->at[0]), "time");
    stage_begin(&it->on);
    stage_must(cudaEventRecord(when->at[1]), "time");
    step_zone(it);
    stage_must(cudaEventRecord(when->at[2]), "time");
    stage_end(&it->on);
    stage_must(cudaEventRecord(when->at[3]), "time");
}

static void count_bytes(row *of)
{
    const double weights = 4e-9 * of->synapses * of->cells;
    const double inputs = 4e-9 * of->synapses * of->block_steps;
    of->weight_gb = weights * (of->def.separate ? 3 : 2);
    of->input_gb = inputs * (of->given ? 6 : 4);
}

void row_measure(row *of)
{
    scene it = scene_make(of);
    const int32_t blocks = it.on.trial / of->block_steps;
    double *zone = numbers(blocks), *all = numbers(blocks);
    clocks *when = (clocks *)calloc((size_t)blocks, sizeof *when);
    stage_must_be_ok(when ? CFPC_OK : CFPC_NO_MEMORY, "time");
    for (int32_t k = 0; k < 4 * blocks; k++)
        stage_must(cudaEventCreate(&when[k / 4].at[k % 4]), "time");
    for (int32_t k = 0; k < blocks; k++)
        step(&it);
    for (int32_t k = 0; k < blocks; k++)
        timed_step(&it, when + k);
    stage_must(cudaDeviceSynchronize(), "blocks");
    for (int32_t k = 0; k < blocks; k++) {
        zone[k] = 1e-3 * (double)between(when[k].at[1], when[k].at[2]);
        all[k] = 1e-3 * (double)between(when[k].at[0], when[k].at[3]);
    }
    of->block_s = median(blocks, zone);
    of->all_s = median(blocks, all);
    count_bytes(of);
    for (int32_t k = 0; k < 4 * blocks; k++)
        stage_must(cudaEventDestroy(when[k / 4].at[k % 4]), "time");
    free(when);
    free(zone);
    free(all);
    scene_free(&it);
}

double row_copy_gb_per_s(void)
{
    const size_t bytes = (size_t)16 << 30;
    double seconds[COPIES];
    void *from = NULL, *to = NULL;
    cudaEvent_t begin, end;
    stage_must(cudaMalloc(&from, bytes), "copy");
    stage_must(cudaMalloc(&to, bytes), "copy");
    stage_must(cudaMemset(from, 1, bytes), "copy");
    stage_must(cudaEventCreate(&begin), "copy");
    stage_must(cudaEventCreate(&end), "copy");
    for (int32_t k = 0; k < COPIES; k++) {
        stage_must(cudaEventRecord(begin), "copy");
        stage_must(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copy");
        stage_must(cudaEventRecord(end), "copy");
        stage_must(cudaEventSynchronize(end), "copy");
        seconds[k] = 1e-3 * (double)between(begin, end);
    }
    stage_must(cudaFree(from), "copy");
    stage_must(cudaFree(to), "copy");
    return 2e-9 * (double)bytes / median(COPIES, seconds);
}

// ---- learning --------------------------------------------------------------------------------

// The last output of a cell in the last block, in double, from weights of before that block.
static double exact(const scene *it, const float *w)
{
    const int32_t n = (int32_t)((it->on.clock - 1) % it->on.trial);
    double sum = 0;
    for (int32_t j = 0; j < it->on.synapses; j++)
        sum += (double)w[j] * (double)world_input(j, n, it->on.trial);
    return sum;
}

// One more block; the largest deviation of some cells' last outputs, over the largest of them.
static double deviation(scene *it)
{
    enum { CHECKED = 8 };
    const int32_t cells = it->on.cells < CHECKED ? it->on.cells : CHECKED;
    const size_t synapses = (size_t)it->on.synapses;
    float *w = (float *)calloc(CHECKED * synapses, sizeof *w), o[CHECKED];
    stage_must_be_ok(w ? CFPC_OK : CFPC_NO_MEMORY, "weights");
    for (int32_t p = 0; p < cells; p++)
        stage_must_be_ok(cfpc_zone_cuda_get_weights(it->zone, p, w + (size_t)p * synapses),
                         "weights");
    step(it);
    const float *last = it->on.outputs + (int64_t)(it->on.block_steps - 1) * it->on.cells;
    stage_must(cudaMemcpy(o, last, (size_t)cells * sizeof *o, cudaMemcpyDeviceToHost), "outputs");
    double largest = 0, off = 0;
    for (int32_t p = 0; p < cells; p++) {
        const double expected = exact(it, w + (size_t)p * synapses);
        largest = fmax(largest, fabs(expected));
        off = fmax(off, fabs((double)o[p] - expected));
    }
    free(w);
    return off / largest;
}

// Errors of the loops alone: a trial to settle, and one that counts.
static void errors_alone(const row *of, double *rms)
{
    stage on = stage_make(1, of->cells, of->block_steps, false);
    for (int32_t k = 0; k < 2 * (on.trial / on.block_steps); k++) {
        if (k == on.trial / on.block_steps)
            stage_take_errors(&on, on.trial, rms);
        stage_begin(&on);
        stage_end(&on);
    }
    stage_take_errors(&on, on.trial, rms);
    stage_free(&on);
}

void row_learn(const row *of, int32_t trials)
{
    double *alone = numbers(of->cells), *rms = numbers(of->cells);
    errors_alone(of, alone);
    scene it = scene_make(of);
    for (int32_t trial = 0; trial < trials; trial++) {
        for (int32_t k = 0; k < it.on.trial / of->block_steps; k++)
            step(&it);
        stage_take_errors(&it.on, it.on.trial, rms);
        for (int32_t p = 0; p < of->cells; p++)
            rms[p] /= alone[p];
        const double middle = median(of->cells, rms);
        printf(
            "%s, %d cells, trial %d of %.1f s: rRMSE of the loops: median %.4f, best %.4f, worst "
            "%.4f\n",
            of->back_end, of->cells, trial + 1, 1e-3 * it.on.trial, middle, rms[0],
            rms[of->cells - 1]);
    }
    printf("%s, %d cells: outputs differ from those in double by %.1e of the largest\n",
           of->back_end, of->cells, deviation(&it));
    uint32_t flags = 0;
    stage_must_be_ok(cfpc_zone_cuda_flags(it.zone, -1, &flags), "flags");
    printf("%s, %d cells: flags %u (0: all is finite)\n", of->back_end, of->cells, flags);
    scene_free(&it);
    free(alone);
    free(rms);
}
