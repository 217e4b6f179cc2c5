// SPDX-License-Identifier: Apache-2.0
// The adjoint form beside traces: the same cell, in the same blocks, from the same source, on the
// paper's loop. Prints JSON: the processor times of each repeat, and what they are compared with.
//   bench_adjoint dense [SYNAPSES]        x, and x of M steps ago, streamed from memory; and the
//                                         bandwidth of reading both
//   bench_adjoint generated [SYNAPSES]    whole trials of granule cells, made where they are used;
//                                         and a tapped line that runs on, in blocks and in steps
#define _DEFAULT_SOURCE // for madvise
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/cfpc.h"
#include "clock.h"
#include "large.h"
#include "paper_loop.h"
#include "plant/granules.h"

enum {
    MAX_SYNAPSES = 1500000,
    FEW_SYNAPSES = 1000,
    MAX_BLOCK = 64,
    MAX_TAPS = 2000,
    STEPS = PAPER_STEPS,
    BLOCKS = 2,  // blocks of x in memory: now and M steps ago, alternately
    REPEATS = 9, //
    TRIALS = 5   // of a repeat
};

static int fail(const char *what)
{
    fprintf(stderr, "bench_adjoint: %s\n", what);
    exit(1);
}

static void must(cfpc_status status)
{
    if (status != CFPC_OK)
        fail(cfpc_status_message(status));
}

// ---- the two cells ---------------------------------------------------------------------------

typedef struct cell {
    const cfpc_model *model;
    cfpc_data *data;
} cell;

typedef struct pair {
    cfpc_system trace;
    cfpc_teaching_filter filter;
    int32_t synapses, block;
    cell traces, adjoint, stepped; // the last by traces, for single steps
    cfpc_real e[STEPS];
} pair;

static cell make_cell(const pair *of, bool adjoint, bool in_blocks)
{
    const cfpc_cell_def def = {.synapses = of->synapses,
                               .trace = &of->trace,
                               .filter = adjoint ? &of->filter : NULL,
                               .past = CFPC_PAST_GIVEN,
                               .rule.rate = (cfpc_real)1e-6,
                               .dead_time_steps = in_blocks ? of->block : 0,
                               .only_blocks = !adjoint && in_blocks,
                               .modal = true};
    cell it = {0};
    must(cfpc_compile(&it.model, &def));
    const size_t bytes = cfpc_data_size(it.model);
    must(cfpc_data_init(&it.data, large_memory(bytes), bytes, it.model));
    return it;
}

static void make_pair(pair *it, int32_t synapses)
{
    *it = (pair){.synapses = synapses};
    must(paper_transfer(&it->trace));
    must(cfpc_teaching_filter_of(&it->filter, &it->trace, CFPC_NEGLECT, MAX_TAPS));
    must(cfpc_dead_time(&it->trace, MAX_BLOCK, &it->block));
    it->traces = make_cell(it, false, true);
    it->adjoint = make_cell(it, true, true);
    if (synapses < MAX_SYNAPSES)
        it->stepped = make_cell(it, false, false);
    large_draw(it->e, STEPS);
}

static void free_pair(pair *it)
{
    free(it->traces.data);
    free(it->adjoint.data);
    free(it->stepped.data);
    cfpc_model_free(it->stepped.model);
    cfpc_model_free(it->traces.model);
    cfpc_model_free(it->adjoint.model);
    cfpc_teaching_filter_free(&it->filter);
    cfpc_system_free(&it->trace);
}

static void run_block(const pair *of, cell *it, const cfpc_source *source, int first, int steps)
{
    cfpc_real o[MAX_BLOCK];
    must(cfpc_step_block_from(it->model, it->data, source, of->e + first, steps, o));
    if (cfpc_flags(it->data) != 0)
        fail("the cell did not stay finite");
}

// ---- streamed from memory --------------------------------------------------------------------

// The sum of what was read keeps the compiler from removing the reads.
static volatile cfpc_real honest;

enum { LANES = 64 / sizeof(cfpc_real), CHUNK = 4096 };

static void read_both(const cfpc_real *restrict a, const cfpc_real *restrict b, size_t count,
                      cfpc_real *lanes)
{
    for (size_t k = 0; k + LANES <= count; k += LANES)
        for (size_t i = 0; i < LANES; i++)
            lanes[i] += a[k + i] * b[k + i];
}

// Reads two blocks of x, side by side; bytes per second. by_chunks: in the order of a block.
static double read_bandwidth(const cfpc_real *a, const cfpc_real *b, size_t synapses, size_t steps,
                             bool by_chunks)
{
    cfpc_real lanes[LANES] = {0};
    const double start = thread_s();
    if (by_chunks)
        for (size_t first = 0; first < synapses; first += CHUNK)
            for (size_t n = 0; n < steps; n++)
                read_both(a + n * synapses + first, b + n * synapses + first,
                          synapses - first < CHUNK ? synapses - first : CHUNK, lanes);
    else
        read_both(a, b, synapses * steps, lanes);
    const double seconds = thread_s() - start;
    honest = lanes[1];
    return 2.0 * sizeof *a * (double)(synapses * steps) / seconds;
}

static double block_s(const pair *of, cell *it, const cfpc_source *source)
{
    const double start = thread_s();
    run_block(of, it, source, 0, of->block);
    return thread_s() - start;
}

static void report_dense(int32_t synapses)
{
    pair it;
    make_pair(&it, synapses);
    const size_t block = (size_t)it.block * (size_t)synapses;
    cfpc_real *x = large_memory(BLOCKS * block * sizeof *x);
    large_draw(x, BLOCKS * block);
    // both inputs at every step; the weights in and out once per block
    const double bytes = sizeof(cfpc_real) * (2 + 2.0 / it.block) * (double)block;
    printf("{\"synapses\": %d, \"block_steps\": %d, \"horizon\": %d,\n", synapses, it.block,
           it.filter.horizon);
    printf("  \"bytes_per_synapse\": [%.2f, %.2f],\n  \"repeats\": [",
           (double)cfpc_data_size(it.traces.model) / synapses,
           (double)cfpc_data_size(it.adjoint.model) / synapses);
    for (int r = 0; r <= REPEATS; r++) { // the first is the warm-up
        const cfpc_real *now = x + (size_t)(r % BLOCKS) * block,
                        *before = x + (size_t)((r + 1) % BLOCKS) * block;
        const cfpc_source past = {.kind = CFPC_HANDED, .x = before};
        const cfpc_source source = {.kind = CFPC_HANDED, .x = now, .past = &past};
        const double traces_s = block_s(&it, &it.traces, &source);
        const double adjoint_s = block_s(&it, &it.adjoint, &source);
        const double plain = read_bandwidth(now, before, (size_t)synapses, (size_t)it.block, false);
        const double chunks = read_bandwidth(now, before, (size_t)synapses, (size_t)it.block, true);
        if (r > 0)
            printf("%s\n    {\"traces_s\": %.5f, \"adjoint_s\": %.5f, \"ratio\": %.3f,\n"
                   "     \"plain_gb_per_s\": %.2f, \"in_chunks_gb_per_s\": %.2f,\n"
                   "     \"reached_gb_per_s\": %.2f, \"share\": %.3f}",
                   r == 1 ? "" : ",", traces_s, adjoint_s, traces_s / adjoint_s, 1e-9 * plain,
                   1e-9 * chunks, 1e-9 * bytes / adjoint_s,
                   bytes / adjoint_s / fmax(plain, chunks));
    }
    printf("]}\n");
    free(x);
    free_pair(&it);
}

// ---- generated -------------------------------------------------------------------------------

// What generates x: granule cells, or a tapped line of this signal.
typedef struct generator {
    lab_granules *granules;
    const cfpc_real *signal;    // at step 0
    const cfpc_real *backwards; // the signal from the last step on
} generator;

static cfpc_source source_at(const generator *of, int first)
{
    if (of->granules)
        return lab_granules_block(of->granules, first);
    return (cfpc_source){.kind = CFPC_TAPPED, .signal = of->signal + first, .spacing_steps = 1};
}

// Seconds of some trials, of granule cells with their ends; a tapped line knows no trials.
static double run_trials(const pair *of, cell *it, const generator *from)
{
    const double start = thread_s();
    for (int trial = 0; trial < TRIALS; trial++) {
        for (int n = 0; n < STEPS; n += of->block) {
            const cfpc_source source = source_at(from, n);
            run_block(of, it, &source, n, STEPS - n < of->block ? STEPS - n : of->block);
        }
        const cfpc_source source = source_at(from, STEPS);
        if (!from->granules)
            continue;
        must(cfpc_learn_due_from(it->model, it->data, &source)); // nothing, by traces
        cfpc_next_trial(it->model, it->data);
    }
    return thread_s() - start;
}

// The same for a tapped line step by step: its signal backwards is x at every step.
static double run_steps(const pair *of, cell *it, const generator *from)
{
    const double start = thread_s();
    for (int n = 0; n < STEPS; n++) {
        const cfpc_real *x = from->backwards + (STEPS - 1 - n);
        honest = cfpc_step_given(it->model, it->data, x, x + of->filter.horizon, of->e[n]);
    }
    return TRIALS * (thread_s() - start);
}

typedef double runner(const pair *of, cell *it, const generator *from);

static void report_generator(pair *it, const generator *from, runner *run, const char *name)
{
    cell *traces = from->backwards ? &it->stepped : &it->traces;
    printf("  \"%s\": [", name);
    for (int r = 0; r <= REPEATS; r++) {
        const double traces_s = run(it, traces, from);
        const double adjoint_s = run(it, &it->adjoint, from);
        if (r > 0)
            printf("%s\n    {\"traces_us\": %.4f, \"adjoint_us\": %.4f, \"ratio\": %.3f}",
                   r == 1 ? "" : ",", 1e6 * traces_s / (TRIALS * STEPS),
                   1e6 * adjoint_s / (TRIALS * STEPS), traces_s / adjoint_s);
    }
    printf("]");
}

static void report_generated(int32_t synapses)
{
    pair it;
    lab_granules granules;
    make_pair(&it, synapses);
    const lab_basis_spec of = {.first_ms = 10, .last_ms = 40, .seed = 1};
    must(lab_granules_make(&granules, &of, PAPER_STEP_S, STEPS, synapses, 0));
    const size_t before = (size_t)it.filter.horizon + (size_t)synapses, all = before + STEPS;
    cfpc_real *signal = large_memory(2 * all * sizeof *signal), *backwards = signal + all;
    large_draw(signal + before, STEPS);
    for (size_t k = 0; k < all; k++)
        backwards[k] = signal[all - 1 - k];
    printf("{\"synapses\": %d, \"block_steps\": %d, \"horizon\": %d,\n", synapses, it.block,
           it.filter.horizon);
    report_generator(&it, &(generator){.granules = &granules}, run_trials, "granules");
    printf(",\n");
    report_generator(&it, &(generator){.signal = signal + before}, run_trials, "tapped");
    if (it.stepped.data) {
        printf(",\n");
        report_generator(&it, &(generator){.backwards = backwards}, run_steps, "tapped_steps");
    }
    printf("}\n");
    free(signal);
    lab_granules_free(&granules);
    free_pair(&it);
}

int main(int count, char **words)
{
    const bool dense = count < 2 || strcmp(words[1], "generated") != 0;
    const int32_t synapses = count > 2 ? atoi(words[2]) : dense ? MAX_SYNAPSES : FEW_SYNAPSES;
    if (synapses < 64)
        fail("too few synapses");
    if (dense)
        report_dense(synapses);
    else
        report_generated(synapses);
    return 0;
}
