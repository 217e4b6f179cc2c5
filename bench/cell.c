// SPDX-License-Identifier: Apache-2.0
// The speed of a cell of very many synapses that learns on line: the paper's trace in modal form,
// blocks in the dead time, x streamed from memory. Prints JSON: simulated seconds per second at 1
// kHz, the limits of this machine for the same traffic and the same arithmetic, and the share
// reached, all measured side by side in each repeat; or the time per synapse and step at many
// sizes.
//   bench_cell [SYNAPSES [BLOCK]]
//   bench_cell sizes
#define _DEFAULT_SOURCE // for madvise
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/cfpc.h"
#include "clock.h"
#include "large.h"
#include "plant/paths.h"
#include "spec/load.h"

enum {
    MAX_SYNAPSES = 1500000,
    MAX_BLOCK = 64,
    X_BLOCKS = 2,    // blocks of x in memory, used alternately
    REPEATS = 9,     //
    TILE_BYTES = 64, //
    FLOPS = 16       // per synapse and step: 3 modes, their sum, the line, the rule, o
};

#define STEP_HZ 1000.0

static int fail(const char *what)
{
    fprintf(stderr, "bench_cell: %s\n", what);
    exit(1);
}

// ---- the cell --------------------------------------------------------------------------------

typedef struct cell {
    const cfpc_model *model;
    cfpc_data *data;
    int32_t synapses, block; // G, steps of a block
    const cfpc_real *x;      // (X_BLOCKS x block x synapses)
    cfpc_real e[MAX_BLOCK];
} cell;

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
    void *mem = large_memory(bytes);
    if (cfpc_data_init(&it.data, mem, bytes, it.model) != CFPC_OK)
        fail("the cell cannot be made");
    large_draw(it.e, MAX_BLOCK);
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
    cfpc_real o[MAX_BLOCK];
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

// Seconds per synapse and step, the median of several runs of enough blocks each.
static double synapse_step_s(cell *it, int32_t threads, int repeats, int blocks)
{
    double seconds[REPEATS];
    run_block(it, 0, threads);
    for (int r = 0; r < repeats; r++) {
        seconds[r] = 0;
        for (int k = 0; k < blocks; k++)
            seconds[r] += run_block(it, r * blocks + k + 1, threads);
    }
    return median(repeats, seconds) / blocks / it->block / it->synapses;
}

// ---- the limits ------------------------------------------------------------------------------

// The sum of what was read keeps the compiler from removing the reads.
static volatile cfpc_real honest;

// Reads x, reads and writes the line, in order: bytes per second.
static double stream(const cfpc_real *restrict x, cfpc_real *restrict line, size_t count)
{
    const double start = now_s();
    for (size_t k = 0; k < count; k++)
        line[k] = x[k] - line[k];
    return 3.0 * sizeof *x * (double)count / (now_s() - start);
}

// Some tiles of a block, from `first` to before `end`.
typedef struct tiles {
    const cfpc_real *x; // (steps x synapses)
    cfpc_real *line;    // (tiles x steps x TILE)
    size_t synapses, steps, first, end;
} tiles;

enum { TILE = TILE_BYTES / sizeof(cfpc_real) };

// The same in the order of a block: the line in tiles, x in rows far apart, with prefetching.
static void *stream_tiles(void *context)
{
    const tiles it = *(const tiles *)context;
    const cfpc_real *restrict x = it.x;
    cfpc_real *restrict line = it.line;
    for (size_t tile = it.first; tile < it.end; tile++)
        for (size_t n = 0; n < it.steps; n++) {
            const cfpc_real *a = x + n * it.synapses + tile * TILE;
            cfpc_real *b = line + (tile * it.steps + n) * TILE;
            __builtin_prefetch((const char *)a + (size_t)4 * TILE_BYTES);
            __builtin_prefetch((const char *)b + it.steps * TILE_BYTES);
            for (size_t k = 0; k < TILE; k++)
                b[k] = a[k] - b[k];
        }
    return NULL;
}

// Bytes per second of one thread, or of two with one half each.
static double stream_in_tiles(const cfpc_real *x, cfpc_real *line, size_t synapses, size_t steps,
                              int threads)
{
    const size_t count = synapses / TILE, half = threads == 2 ? count / 2 : 0;
    tiles other = {x, line, synapses, steps, 0, half},
          own = {x, line, synapses, steps, half, count};
    pthread_t thread;
    const double start = now_s();
    if (threads == 2 && pthread_create(&thread, NULL, stream_tiles, &other) != 0)
        fail("no second thread could be started");
    stream_tiles(&own);
    if (threads == 2)
        pthread_join(thread, NULL);
    return 3.0 * sizeof *x * (double)(count * TILE * steps) / (now_s() - start);
}

// Multiplications and additions per second, separate as in the core (no contraction), on numbers
// that stay in registers; with vectors of this many bytes.
#define ARITHMETIC(NAME, BYTES, ATTRIBUTE)                                                         \
    ATTRIBUTE static double NAME(void)                                                             \
    {                                                                                              \
        enum { ABREAST = 10, ROUNDS = 1000000 };                                                   \
        typedef cfpc_real vector __attribute__((vector_size(BYTES)));                              \
        vector s[ABREAST] = {{0}};                                                                 \
        const cfpc_real a = (cfpc_real)0.5, b = (cfpc_real)0.25;                                   \
        const double start = now_s();                                                              \
        for (int round = 0; round < ROUNDS; round++)                                               \
            for (int k = 0; k < ABREAST; k++)                                                      \
                s[k] = s[k] * a + b;                                                               \
        const double seconds = now_s() - start;                                                    \
        for (int k = 0; k < ABREAST; k++)                                                          \
            honest += s[k][0];                                                                     \
        return 2.0 * ABREAST * ROUNDS * sizeof(vector) / sizeof(cfpc_real) / seconds;              \
    }

#if defined(__x86_64__)
ARITHMETIC(arithmetic_wide, 32, __attribute__((target("avx2"))))
ARITHMETIC(arithmetic_widest, 64, __attribute__((target("avx512f"))))

static double arithmetic(void)
{
    const double wide = __builtin_cpu_supports("avx2") ? arithmetic_wide() : 0;
    return fmax(wide, __builtin_cpu_supports("avx512f") ? arithmetic_widest() : 0);
}
#else
ARITHMETIC(arithmetic, 16, )
#endif

// ---- the report ------------------------------------------------------------------------------

static void report_sizes(const cfpc_system *trace, int32_t block, cfpc_real *x)
{
    static const int32_t sizes[] = {20,    50,    100,    200,    500,     1000,   3000,
                                    10000, 30000, 100000, 300000, 1000000, 1500000};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    printf("{\"real\": \"%s\", \"block_steps\": %d,\n  \"ns_per_synapse_and_step\": [",
           sizeof(cfpc_real) == 4 ? "float" : "double", block);
    for (int i = 0; i < SIZES; i++) {
        cell it = make_cell(trace, sizes[i], block, x, false);
        cell stepped = make_cell(trace, sizes[i], block, x, true);
        const int blocks = 1 + 1000000 / block / sizes[i];
        printf("%s\n    {\"synapses\": %d, \"block\": %.4f, \"step\": %.4f}", i == 0 ? "" : ",",
               sizes[i], 1e9 * synapse_step_s(&it, 1, REPEATS, blocks),
               1e9 * synapse_step_s(&stepped, 0, 3, blocks));
        free_cell(&it);
        free_cell(&stepped);
    }
    printf("]}\n");
}

// The measurements of one repeat.
typedef struct measured {
    double one, two, stepwise; // simulated seconds per second: on one thread, on two, in steps
    double plain, tiled;       // bytes per second
    double tiled_2;            // the same on two threads
    double flops;              // per second
} measured;

static measured measure(cell *it, cell *stepped, cfpc_real *line, int k)
{
    const double simulated_s = it->block / STEP_HZ;
    const size_t synapses = (size_t)it->synapses, steps = (size_t)it->block;
    measured now;
    now.one = simulated_s / run_block(it, k, 1);
    now.plain = stream(it->x, line, synapses * steps);
    now.tiled = stream_in_tiles(it->x, line, synapses, steps, 1);
    now.flops = arithmetic();
    now.two = simulated_s / run_block(it, k, 2);
    now.tiled_2 = stream_in_tiles(it->x, line, synapses, steps, 2);
    now.stepwise = simulated_s / run_block(stepped, k, 0);
    return now;
}

// The share of each limit reached by one thread, and by two. bytes: per synapse and step.
static void report_repeat(const measured *it, double synapse_steps, double bytes, bool is_first)
{
    const double reached = it->one * synapse_steps; // synapses and steps per second
    const double of_memory = reached * bytes / fmax(it->plain, it->tiled);
    const double of_arithmetic = reached * FLOPS / it->flops;
    const double reached_2 = it->two * synapse_steps;
    const double of_memory_2 = reached_2 * bytes / fmax(it->tiled_2, it->plain);
    const double of_arithmetic_2 = reached_2 * FLOPS / (2 * it->flops);
    printf(
        "%s\n    {\"one_thread\": %.4f, \"two_threads\": %.4f, \"stepwise\": %.4f,\n"
        "     \"plain_gb_per_s\": %.2f, \"in_tiles_gb_per_s\": %.2f, \"reached_gb_per_s\": %.2f,\n"
        "     \"arithmetic_gflop_per_s\": %.1f, \"share_of_memory\": %.3f,\n"
        "     \"share_of_arithmetic\": %.3f, \"share_of_nearer_limit\": %.3f,\n"
        "     \"in_tiles_gb_per_s_2\": %.2f, \"share_of_nearer_limit_2\": %.3f}",
        is_first ? "" : ",", it->one, it->two, it->stepwise, 1e-9 * it->plain, 1e-9 * it->tiled,
        1e-9 * reached * bytes, 1e-9 * it->flops, of_memory, of_arithmetic,
        fmax(of_memory, of_arithmetic), 1e-9 * it->tiled_2, fmax(of_memory_2, of_arithmetic_2));
}

static void report(const cfpc_system *trace, int32_t synapses, int32_t block, cfpc_real *x)
{
    cell it = make_cell(trace, synapses, block, x, false);
    cell stepped = make_cell(trace, synapses, block, x, true);
    cfpc_real *line = large_memory((size_t)block * (size_t)synapses * sizeof *line);
    // x and the line in and out at every step; weight and states in and out once per block
    const double bytes = sizeof(cfpc_real) * (3 + 8.0 / block);
    printf("{\"real\": \"%s\", \"synapses\": %d, \"block_steps\": %d,\n",
           sizeof(cfpc_real) == 4 ? "float" : "double", synapses, block);
    printf("  \"processors\": %d, \"bytes_per_synapse\": %.2f,\n", cfpc_max_threads(),
           (double)(cfpc_data_size(it.model) + cfpc_model_bytes(it.model)) / synapses);
    printf("  \"traffic_bytes_per_synapse_and_step\": %.2f,\n  \"repeats\": [", bytes);
    measure(&it, &stepped, line, 0); // warm-up: pages and threads
    for (int r = 1; r <= REPEATS; r++) {
        const measured now = measure(&it, &stepped, line, r);
        report_repeat(&now, synapses * STEP_HZ, bytes, r == 1);
    }
    honest = line[synapses / 2];
    printf("]}\n");
    free(line);
    free_cell(&stepped);
    free_cell(&it);
}

int main(int count, char **words)
{
    lab_spec spec;
    lab_loop loop = {0};
    lab_why why;
    cfpc_system trace = {0};
    const bool sizes = count > 1 && strcmp(words[1], "sizes") == 0;
    const int32_t synapses = count > 1 && !sizes ? atoi(words[1]) : MAX_SYNAPSES;
    int32_t dead_time = 0;
    lab_outcome outcome = lab_spec_load(&spec, BENCH_SPEC, NULL, &why);
    if (outcome == LAB_DONE)
        outcome = lab_loop_make(&loop, &spec, false, &why);
    if (outcome == LAB_DONE)
        outcome = lab_output_path(&trace, &spec, &loop, &why);
    if (outcome != LAB_DONE)
        fail(why.text);
    if (cfpc_dead_time(&trace, MAX_BLOCK, &dead_time) != CFPC_OK || synapses < 64)
        fail("no dead time, or too few synapses");
    const int32_t block = count > 2 && atoi(words[2]) < dead_time ? atoi(words[2]) : dead_time;
    const size_t entries = X_BLOCKS * (size_t)block * (size_t)synapses;
    cfpc_real *x = large_memory(entries * sizeof *x);
    large_draw(x, entries);
    if (sizes)
        report_sizes(&trace, block, x);
    else
        report(&trace, synapses, block, x);
    free(x);
    cfpc_system_free(&trace);
    lab_loop_free(&loop);
    lab_spec_free(&spec);
    return 0;
}
