// SPDX-License-Identifier: Apache-2.0
// How fast a cell of very many synapses learns on line: the paper's trace in modal form, blocks in
// the dead time, x streamed from memory. Prints JSON: simulated seconds per second at 1 kHz, the
// limits of this machine for the same traffic and the same arithmetic, and the share reached.
#define _DEFAULT_SOURCE // for madvise
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "cfpc/cfpc.h"
#include "systems.h"

enum {
    MOST_SYNAPSES = 1500000,
    MOST_BLOCK = 64,
    X_BLOCKS = 2,    // blocks of x in memory, one after the other
    REPEATS = 9,     // of which the median counts
    TILE_BYTES = 64, //
    FLOPS = 16,      // of a synapse in a step: 3 modes, their sum, the line, the rule, o
    PAGE = 1 << 21   // a huge one
};

#define STEP_HZ 1000.0

static int fail(const char *what)
{
    fprintf(stderr, "bench_cell: %s\n", what);
    exit(1);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Zeroed, on huge pages if the system has them.
static void *memory(size_t bytes)
{
    const size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    void *mem = aligned_alloc(PAGE, whole);
    if (!mem)
        fail("memory ran out");
    madvise(mem, whole, MADV_HUGEPAGE);
    memset(mem, 0, whole);
    return mem;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return values[count / 2];
}

// ---- the cell --------------------------------------------------------------------------------

typedef struct cell {
    const cfpc_model *model;
    cfpc_data *data;
    int32_t synapses, block; // G, steps of a block
    const cfpc_real *x;      // (X_BLOCKS x block x synapses)
    cfpc_real e[MOST_BLOCK];
} cell;

static void draw(cfpc_real *x, size_t count)
{
    uint64_t state = 1;
    for (size_t k = 0; k < count; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[k] = (cfpc_real)((double)(state >> 40) / 16777216.0 - 0.5);
    }
}

// For blocks, or laid out for steps.
static cell make_cell(const cfpc_system *trace, int32_t synapses, int32_t block, cfpc_real *x,
                      bool steps_only)
{
    const cfpc_cell_def def = {.synapses = synapses,
                               .trace = trace,
                               .rule.rate = (cfpc_real)1e-6,
                               .dead_time_steps = steps_only ? 0 : block,
                               .only_blocks = !steps_only,
                               .modal = true};
    cell it = {.synapses = synapses, .block = block, .x = x};
    if (cfpc_compile(&it.model, &def) != CFPC_OK)
        fail("the cell cannot be compiled");
    const size_t bytes = cfpc_data_size(it.model);
    void *mem = memory(bytes);
    if (cfpc_data_init(mem, bytes, it.model, &it.data) != CFPC_OK)
        fail("the cell cannot be made");
    draw(it.e, MOST_BLOCK);
    return it;
}

static void free_cell(cell *it)
{
    free(it->data);
    cfpc_model_free(it->model);
}

// Runs block number k; 0 threads: step by step. Returns its seconds.
static double run_block(cell *it, int k, int32_t threads)
{
    cfpc_real o[MOST_BLOCK];
    const size_t row = (size_t)it->synapses;
    const cfpc_source source = {.kind = CFPC_HANDED,
                                .x = it->x + (size_t)(k % X_BLOCKS) * (size_t)it->block * row};
    const double start = now_s();
    if (threads == 0)
        for (int32_t n = 0; n < it->block; n++)
            o[n] = cfpc_step(it->model, it->data, source.x + (size_t)n * row, it->e[n]);
    else if (cfpc_step_block_threads(it->model, it->data, &source, it->e, it->block, o, threads) !=
             CFPC_OK)
        fail("a block was refused");
    const double seconds = now_s() - start;
    if (cfpc_flags(it->data) != 0)
        fail("the cell did not stay finite");
    return seconds;
}

// Seconds of a step of one synapse, the median of some runs of enough blocks each.
static double synapse_step_s(cell *it, int32_t threads, int repeats, int blocks)
{
    double seconds[REPEATS];
    run_block(it, 0, threads);
    for (int r = 0; r < repeats; r++) {
        seconds[r] = 0;
        for (int k = 0; k < blocks; k++)
            seconds[r] += run_block(it, r * blocks + k + 1, threads);
    }
    return median(seconds, repeats) / blocks / it->block / it->synapses;
}

static double real_time(double synapse_step, int32_t synapses)
{
    return 1 / (synapse_step * synapses * STEP_HZ);
}

// ---- the limits ------------------------------------------------------------------------------

// A sum of what was read keeps the compiler honest.
static volatile cfpc_real honest;

// Reads x, reads and writes the line, in order: bytes per second.
static double stream(const cfpc_real *restrict x, cfpc_real *restrict line, size_t count)
{
    const double start = now_s();
    for (size_t k = 0; k < count; k++)
        line[k] = x[k] - line[k];
    return 3.0 * sizeof *x * (double)count / (now_s() - start);
}

// The same as a block goes through them: the line in tiles, x in rows far apart, asked for ahead.
static double stream_in_tiles(const cfpc_real *restrict x, cfpc_real *restrict line,
                              size_t synapses, size_t steps)
{
    enum { TILE = TILE_BYTES / sizeof(cfpc_real) };
    const size_t tiles = synapses / TILE;
    const double start = now_s();
    for (size_t tile = 0; tile < tiles; tile++)
        for (size_t n = 0; n < steps; n++) {
            const cfpc_real *a = x + n * synapses + tile * TILE;
            cfpc_real *b = line + (tile * steps + n) * TILE;
            __builtin_prefetch((const char *)a + (size_t)4 * TILE_BYTES);
            __builtin_prefetch((const char *)b + steps * TILE_BYTES);
            for (size_t k = 0; k < TILE; k++)
                b[k] = a[k] - b[k];
        }
    return 3.0 * sizeof *x * (double)(tiles * TILE * steps) / (now_s() - start);
}

typedef struct traffic {
    double plain, tiled; // bytes per second
} traffic;

static traffic measure_traffic(const cfpc_real *x, cfpc_real *line, int32_t synapses, int32_t steps)
{
    double plain[REPEATS], tiled[REPEATS];
    for (int r = 0; r < REPEATS; r++) {
        plain[r] = stream(x, line, (size_t)synapses * (size_t)steps);
        tiled[r] = stream_in_tiles(x, line, (size_t)synapses, (size_t)steps);
    }
    honest = line[synapses / 2];
    return (traffic){median(plain, REPEATS), median(tiled, REPEATS)};
}

// Multiplications and additions per second, apart as in the core (no contraction), on numbers that
// stay in registers.
#if defined(__x86_64__)
typedef cfpc_real wide __attribute__((vector_size(32)));
__attribute__((target("avx2")))
#else
typedef cfpc_real wide __attribute__((vector_size(16)));
#endif
static double
arithmetic(void)
{
    enum { ABREAST = 10, ROUNDS = 2000000 };
    wide s[ABREAST] = {{0}};
    const cfpc_real a = (cfpc_real)0.5, b = (cfpc_real)0.25;
    const double start = now_s();
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < ABREAST; k++)
            s[k] = s[k] * a + b;
    const double seconds = now_s() - start;
    for (int k = 0; k < ABREAST; k++)
        honest += s[k][0];
    return 2.0 * ABREAST * ROUNDS * sizeof(wide) / sizeof(cfpc_real) / seconds;
}

static double best_arithmetic(void)
{
    double best = 0;
    for (int r = 0; r < REPEATS; r++)
        best = fmax(best, arithmetic());
    return best;
}

// ---- the report ------------------------------------------------------------------------------

static void report_sizes(const cfpc_system *trace, int32_t block, cfpc_real *x, int32_t most)
{
    printf("  \"ns_per_synapse_and_step\": [");
    for (int32_t synapses = 20; synapses > 0; synapses = synapses < most ? synapses * 8 : 0) {
        const int32_t count = synapses < most ? synapses : most;
        cell it = make_cell(trace, count, block, x, false);
        cell stepped = make_cell(trace, count, block, x, true);
        const int blocks = 1 + 2000000 / block / count;
        printf("%s\n    {\"synapses\": %d, \"block\": %.3f, \"step\": %.3f}",
               synapses == 20 ? "" : ",", count, 1e9 * synapse_step_s(&it, 1, 5, blocks),
               1e9 * synapse_step_s(&stepped, 0, 3, blocks));
        free_cell(&it);
        free_cell(&stepped);
    }
    printf("],\n");
}

static void report(const cfpc_system *trace, int32_t synapses, int32_t block)
{
    const size_t row = (size_t)synapses;
    cfpc_real *x = memory(X_BLOCKS * (size_t)block * row * sizeof *x);
    draw(x, X_BLOCKS * (size_t)block * row);
    cell it = make_cell(trace, synapses, block, x, false);
    cell stepped = make_cell(trace, synapses, block, x, true);
    const double one = synapse_step_s(&it, 1, REPEATS, 1), two = synapse_step_s(&it, 2, REPEATS, 1);
    const double stepwise = synapse_step_s(&stepped, 0, 3, 1);
    const double data_bytes = (double)(cfpc_data_size(it.model) + cfpc_model_bytes(it.model));
    free_cell(&stepped);
    cfpc_real *line = (cfpc_real *)memory((size_t)block * row * sizeof *line);
    const traffic limit = measure_traffic(x, line, synapses, block);
    const double flops = best_arithmetic();
    // x and the line in and out at every step; weight and states in and out once a block
    const double bytes = sizeof(cfpc_real) * (3 + 8.0 / block);
    const double memory_limit = fmax(limit.plain, limit.tiled) / bytes, flop_limit = flops / FLOPS;

    printf("{\n  \"real\": \"%s\", \"synapses\": %d, \"block_steps\": %d,\n",
           sizeof(cfpc_real) == 4 ? "float" : "double", synapses, block);
    printf("  \"seconds_per_second\": {\"one_thread\": %.3f, \"two_threads\": %.3f, \"stepwise\": "
           "%.3f},\n",
           real_time(one, synapses), real_time(two, synapses), real_time(stepwise, synapses));
    printf("  \"processors\": %d, \"bytes_per_synapse\": %.2f,\n", cfpc_most_threads(),
           data_bytes / synapses);
    printf("  \"traffic_bytes_per_synapse_and_step\": %.2f,\n", bytes);
    printf("  \"memory_gb_per_s\": {\"plain\": %.1f, \"in_tiles\": %.1f, \"reached\": %.1f},\n",
           1e-9 * limit.plain, 1e-9 * limit.tiled, 1e-9 * bytes / one);
    printf("  \"arithmetic_gflop_per_s\": {\"limit\": %.1f, \"reached\": %.1f},\n", 1e-9 * flops,
           1e-9 * FLOPS / one);
    report_sizes(trace, block, x, synapses);
    printf("  \"share_of_memory\": %.2f, \"share_of_arithmetic\": %.2f,\n", 1 / one / memory_limit,
           1 / one / flop_limit);
    printf("  \"share_of_nearer_limit\": %.2f\n}\n", 1 / one / fmin(memory_limit, flop_limit));
}

int main(int count, char **words)
{
    lab_spec spec;
    lab_loop loop = {0};
    lab_why why;
    cfpc_system trace = {0};
    const int32_t synapses = count > 1 ? atoi(words[1]) : MOST_SYNAPSES;
    int32_t dead_time = 0;
    lab_outcome outcome = lab_spec_load(&spec, BENCH_SPEC, NULL, &why);
    if (outcome == LAB_DONE)
        outcome = lab_loop_make(&loop, &spec, false, &why);
    if (outcome == LAB_DONE)
        outcome = lab_output_path(&trace, &spec, &loop, &why);
    if (outcome != LAB_DONE)
        fail(why.text);
    if (cfpc_dead_time(&trace, MOST_BLOCK, &dead_time) != CFPC_OK || synapses < 64)
        fail("no dead time, or too few synapses");
    const int32_t block = count > 2 && atoi(words[2]) < dead_time ? atoi(words[2]) : dead_time;
    report(&trace, synapses, block);
    cfpc_system_free(&trace);
    lab_loop_free(&loop);
    lab_spec_free(&spec);
    return 0;
}
