// SPDX-License-Identifier: Apache-2.0
#include "stage.cuh"

#include <stdio.h>
#include <stdlib.h>

enum { RING = 256, THREADS = 256, STEPS_AT_ONCE = 16 };

void stage_must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "bench_gpu: %s: %s\n", what, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

void stage_must_be_ok(cfpc_status status, const char *what)
{
    if (status == CFPC_OK)
        return;
    fprintf(stderr, "bench_gpu: %s: %s\n", what, cfpc_status_message(status));
    exit(EXIT_FAILURE);
}

// ---- kernels ---------------------------------------------------------------------------------

// Steps from `first` on, which may be negative: before the first trial nothing fires.
__global__ static void make_inputs(float *x, int32_t synapses, int64_t first, int32_t steps,
                                   int32_t trial)
{
    const int32_t j = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    const int32_t begin = (int32_t)blockIdx.y * STEPS_AT_ONCE;
    if (j >= synapses)
        return;
    const world_burst a = world_burst_of(j, 0, trial), b = world_burst_of(j, 1, trial);
    for (int32_t n = begin; n < steps && n < begin + STEPS_AT_ONCE; n++) {
        const int64_t step = first + n;
        const int32_t at = (int32_t)(step < 0 ? 0 : step % trial);
        x[(int64_t)n * synapses + j] =
            step < 0 ? 0 : world_burst_at(&a, at, trial) + world_burst_at(&b, at, trial);
    }
}

// The errors of a block, which its outputs cannot affect; what drives the loops lacks them so far.
__global__ static void move_loops(const world_loop *loops, world_state *states, float *drive,
                                  float *errors, float *squares, int32_t cells, int64_t clock,
                                  int32_t steps, int32_t trial)
{
    const int32_t p = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    if (p >= cells)
        return;
    const world_loop loop = loops[p];
    world_state state = states[p];
    float sum = 0;
    for (int32_t n = 0; n < steps; n++) {
        const int64_t step = clock + n, from = step - 1 - loop.delay;
        world_move(&loop, &state, from < 0 ? 0 : drive[from % RING * cells + p]);
        const float e = world_reference(&loop, (int32_t)(step % trial), trial) - state.y;
        errors[(int64_t)n * cells + p] = e;
        drive[step % RING * cells + p] = e;
        sum += e * e;
    }
    states[p] = state;
    squares[p] += sum;
}

__global__ static void drive_loops(float *drive, const float *outputs, int32_t cells, int64_t clock,
                                   int32_t steps)
{
    const int32_t p = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    for (int32_t n = 0; n < steps && p < cells; n++)
        drive[(clock + n) % RING * cells + p] += outputs[(int64_t)n * cells + p];
}

static unsigned blocks(int32_t count)
{
    return (unsigned)((count + THREADS - 1) / THREADS);
}

static void make_block_of_inputs(const stage *on, float *x, int64_t first)
{
    const dim3 grid(blocks(on->synapses),
                    (unsigned)((on->block_steps + STEPS_AT_ONCE - 1) / STEPS_AT_ONCE));
    make_inputs<<<grid, THREADS>>>(x, on->synapses, first, on->block_steps, on->trial);
    stage_must(cudaGetLastError(), "inputs");
}

void stage_begin(stage *on)
{
    make_block_of_inputs(on, on->x, on->clock);
    if (on->past)
        make_block_of_inputs(on, on->past, on->clock - WORLD_HORIZON);
    move_loops<<<blocks(on->cells), THREADS>>>(on->loops, on->states, on->drive, on->errors,
                                               on->squares, on->cells, on->clock, on->block_steps,
                                               on->trial);
    stage_must(cudaGetLastError(), "loops");
}

void stage_end(stage *on)
{
    drive_loops<<<blocks(on->cells), THREADS>>>(on->drive, on->outputs, on->cells, on->clock,
                                                on->block_steps);
    stage_must(cudaGetLastError(), "loops");
    on->clock += on->block_steps;
}

void stage_take_errors(stage *on, int64_t steps, double *rms)
{
    const size_t bytes = (size_t)on->cells * sizeof(float);
    float *squares = (float *)malloc(bytes);
    if (!squares)
        stage_must_be_ok(CFPC_NO_MEMORY, "errors");
    stage_must(cudaMemcpy(squares, on->squares, bytes, cudaMemcpyDeviceToHost), "errors");
    stage_must(cudaMemset(on->squares, 0, bytes), "errors");
    for (int32_t p = 0; p < on->cells; p++)
        rms[p] = sqrt((double)squares[p] / (double)steps);
    free(squares);
}

// ---- memory ----------------------------------------------------------------------------------

size_t stage_bytes(int32_t synapses, int32_t cells, int32_t block_steps, bool given)
{
    const size_t inputs = (size_t)block_steps * (size_t)synapses * sizeof(float);
    const size_t rows = (size_t)(2 * block_steps + RING) * (size_t)cells * sizeof(float);
    return (given ? 2 : 1) * inputs + rows + (size_t)cells * 64;
}

static void *take(size_t count, size_t bytes)
{
    void *memory = NULL;
    stage_must(cudaMalloc(&memory, count * bytes), "memory of the world");
    stage_must(cudaMemset(memory, 0, count * bytes), "memory of the world");
    return memory;
}

stage stage_make(int32_t synapses, int32_t cells, int32_t block_steps, bool given)
{
    const size_t inputs = (size_t)block_steps * (size_t)synapses, count = (size_t)cells;
    stage on = {};
    on.synapses = synapses;
    on.cells = cells;
    on.block_steps = block_steps;
    on.trial = (WORLD_TRIAL + block_steps - 1) / block_steps * block_steps;
    on.x = (float *)take(inputs, sizeof(float));
    on.past = given ? (float *)take(inputs, sizeof(float)) : NULL;
    on.errors = (float *)take((size_t)block_steps * count, sizeof(float));
    on.outputs = (float *)take((size_t)block_steps * count, sizeof(float));
    on.drive = (float *)take(RING * count, sizeof(float));
    on.loops = (world_loop *)take(count, sizeof *on.loops);
    on.states = (world_state *)take(count, sizeof *on.states);
    on.squares = (float *)take(count, sizeof(float));
    world_loop *loops = (world_loop *)calloc(count, sizeof *loops);
    if (!loops)
        stage_must_be_ok(CFPC_NO_MEMORY, "loops");
    for (int32_t p = 0; p < cells; p++)
        loops[p] = world_loop_of(p, block_steps);
    stage_must(cudaMemcpy(on.loops, loops, count * sizeof *loops, cudaMemcpyHostToDevice), "loops");
    free(loops);
    return on;
}

void stage_free(stage *on)
{
    void *all[] = {on->x,     on->past,  on->errors, on->outputs,
                   on->drive, on->loops, on->states, on->squares};
    for (void *memory : all)
        stage_must(cudaFree(memory), "memory of the world");
}

// ---- the zone's definition -------------------------------------------------------------------

cfpc_zone_def stage_def(const stage *on, bool given)
{
    const size_t cells = (size_t)on->cells, length = WORLD_HORIZON + 1;
    double *taps = (double *)calloc(cells * length, sizeof *taps);
    double *rates = (double *)calloc(cells, sizeof *rates);
    cfpc_zone_path *paths = (cfpc_zone_path *)calloc(cells, sizeof *paths);
    if (!taps || !rates || !paths)
        stage_must_be_ok(CFPC_NO_MEMORY, "definition");
    for (int32_t p = 0; p < on->cells; p++) {
        const world_loop loop = world_loop_of(p, on->block_steps);
        world_response(&loop, (int32_t)length, taps + (size_t)p * length);
        rates[p] = world_rate(on->synapses, on->trial);
        paths[p].cell = paths[p].error = p;
        paths[p].horizon = WORLD_HORIZON;
        paths[p].taps = taps + (size_t)p * length;
    }
    cfpc_zone_def def = cfpc_default_zone_def();
    def.guard.on = false;
    def.synapses = on->synapses;
    def.cells = on->cells;
    def.block_steps = on->block_steps;
    def.path_count = on->cells;
    def.paths = paths;
    def.rates = rates;
    def.past = given ? CFPC_PAST_GIVEN : CFPC_PAST_KEPT;
    return def;
}

void stage_def_free(cfpc_zone_def *def)
{
    free((void *)def->paths[0].taps);
    free((void *)def->paths);
    free((void *)def->rates);
}
