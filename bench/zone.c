// SPDX-License-Identifier: Apache-2.0
// A zone: cells that read the same generated inputs, on the paper's loop. Prints JSON.
//   bench_zone products [SYNAPSES]   a block of 64 cells by BLAS and in plain C, in float, beside a
//                                    square product of the same BLAS, all on one thread
//   bench_zone cells [SYNAPSES]      16 cells as a zone, in double and in float, beside 16 separate
//                                    cells in adjoint form in cfpc_real, from the same source, with
//                                    weights that change at every step or are held during a block
//   bench_zone scaling [CELLS]       blocks of 1 to 8192 cells in float, or of CELLS, by every back
//                                    end on one thread and on two
#define _DEFAULT_SOURCE // for madvise
#include <cblas.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/cfpc.h"
#include "cfpc/zone.h"
#include "clock.h"
#include "large.h"
#include "paper_loop.h"
#include "zone_blas.h"

enum {
    BLOCK = 48,          // steps; the paper's dead time is 51
    MAX_TAPS = 2000,     //
    SQUARE = 1024,       // rows and columns of the square product
    REPEATS = 9,         //
    SYNAPSES = 200000,   // unless told
    FULL_CELL = 1500000, // synapses of a Purkinje cell
    MAX_CELLS = 8192,    //
    SCALING_REPEATS = 5
};

// Weights of a zone in the scaling figure: 256 MB in float.
#define SCALING_WEIGHTS ((int64_t)1 << 26)

static int fail(const char *what)
{
    fprintf(stderr, "bench_zone: %s\n", what);
    exit(1);
}

static void must(cfpc_status status)
{
    if (status != CFPC_OK)
        fail(cfpc_status_message(status));
}

// ---- inputs ----------------------------------------------------------------------------------

// Granule cells that convert the phase of a common oscillation (Fujita, Adaptive filter model of
// the cerebellum, 1982): input j is max(0, a_j cos ωn + b_j sin ωn). Each is 0 for half of the
// time, but no panel of them: no product is left out.
enum { PERIOD = 512 }; // steps

typedef struct granules {
    cfpc_real cosine[PERIOD], sine[PERIOD]; // of ωn
    cfpc_real *a, *b;                       // amplitude and phase of each      (synapses)
    int32_t first;                          // step at which the block begins
} granules;

static void make_granules(granules *it, int32_t synapses)
{
    for (int n = 0; n < PERIOD; n++) {
        it->cosine[n] = (cfpc_real)cos(2 * acos(-1) * n / PERIOD);
        it->sine[n] = (cfpc_real)sin(2 * acos(-1) * n / PERIOD);
    }
    it->a = large_memory((size_t)synapses * sizeof *it->a);
    it->b = large_memory((size_t)synapses * sizeof *it->b);
    large_draw(it->a, (size_t)synapses);
    for (int32_t j = 0; j < synapses; j++)
        it->b[j] = (j % 2 ? -1 : 1) * ((cfpc_real)0.5 - it->a[j]);
}

static void free_granules(granules *it)
{
    free(it->a);
    free(it->b);
}

// A cfpc_maker.
static bool make_inputs(const void *context, int32_t step, int32_t steps, int32_t first,
                        int32_t count, int32_t stride, cfpc_real *x)
{
    const granules *it = context;
    const cfpc_real *a = it->a + first, *b = it->b + first;
    for (int32_t n = 0; n < steps; n++, x += stride) {
        const int32_t at = (it->first + step + n) & (PERIOD - 1);
        const cfpc_real c = it->cosine[at], s = it->sine[at];
        for (int32_t j = 0; j < count; j++) {
            const cfpc_real v = c * a[j] + s * b[j];
            x[j] = v > 0 ? v : 0;
        }
    }
    return true;
}

static cfpc_source source_of(granules *it, int32_t block)
{
    it->first = block * BLOCK;
    return (cfpc_source){.kind = CFPC_MADE, .make = make_inputs, .context = it};
}

// ---- a zone on the paper's loop --------------------------------------------------------------

typedef struct zone {
    void *model_mem;
    const cfpc_zone_model *model;
    cfpc_zone_data *data;
    int32_t synapses, cells;
    cfpc_real *errors, *outputs; // (BLOCK x cells)
    int32_t blocks;              // done
} zone;

// Small enough that the weights stay finite for any number of blocks: the errors do not fall.
static const double rate = 1e-9;

static zone make_zone(const cfpc_teaching_filter *filter, int32_t synapses, int32_t cells,
                      cfpc_zone_precision precision)
{
    zone it = {.synapses = synapses, .cells = cells};
    cfpc_zone_path *paths = large_memory((size_t)cells * sizeof *paths);
    double *rates = large_memory((size_t)cells * sizeof *rates);
    for (int32_t p = 0; p < cells; p++) {
        paths[p] = (cfpc_zone_path){p, p, filter->lead, filter->horizon, filter->taps};
        rates[p] = rate;
    }
    cfpc_zone_def def = cfpc_default_zone_def();
    def.synapses = synapses;
    def.cells = cells;
    def.block_steps = BLOCK;
    def.path_count = cells;
    def.paths = paths;
    def.rates = rates;
    def.precision = precision;
    def.past = CFPC_PAST_GIVEN;
    def.guard.on = false;
    def.threads = 2;
    const size_t model_bytes = cfpc_zone_model_size(&def);
    it.model_mem = large_memory(model_bytes);
    must(cfpc_zone_model_init(&it.model, it.model_mem, model_bytes, &def));
    const size_t data_bytes = cfpc_zone_data_size(it.model);
    must(cfpc_zone_data_init(&it.data, large_memory(data_bytes), data_bytes, it.model));
    it.errors = large_memory((size_t)(BLOCK * cells) * sizeof *it.errors);
    it.outputs = large_memory((size_t)(BLOCK * cells) * sizeof *it.outputs);
    large_draw(it.errors, (size_t)(BLOCK * cells));
    free(paths);
    free(rates);
    return it;
}

static void free_zone(zone *it)
{
    free(it->model_mem);
    free(it->data);
    free(it->errors);
    free(it->outputs);
}

static void run_block(zone *it, const cfpc_zone_products *by, int32_t threads, granules *from)
{
    const cfpc_source source = source_of(from, it->blocks++);
    must(cfpc_zone_step_block_by(by, threads, it->model, it->data, &source, it->errors, BLOCK,
                                 it->outputs));
    if (cfpc_zone_flags(it->model, it->data, -1) != 0)
        fail("the zone did not stay finite");
}

// Blocks of before the horizon has passed have less to learn.
static void warm_up(zone *it, const cfpc_zone_products *by, granules *from)
{
    while (it->blocks * BLOCK < cfpc_zone_horizon(it->model))
        run_block(it, by, 1, from);
}

// Multiplications and additions of both products.
static double flops(const zone *of)
{
    return 4. * BLOCK * of->synapses * of->cells;
}

static double block_s(zone *it, const cfpc_zone_products *by, granules *from)
{
    const double start = thread_s();
    run_block(it, by, 1, from);
    return thread_s() - start;
}

// ---- products --------------------------------------------------------------------------------

// Seconds of a square product by BLAS on one thread.
static double square_s(float *a)
{
    const float *b = a + SQUARE * SQUARE;
    const double start = thread_s();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SQUARE, SQUARE, SQUARE, 1, a, SQUARE, b,
                SQUARE, 0, a + 2 * SQUARE * SQUARE, SQUARE);
    return thread_s() - start;
}

static float *make_squares(void)
{
    float *a = large_memory(3 * sizeof *a * SQUARE * SQUARE);
    for (int k = 0; k < 2 * SQUARE * SQUARE; k++)
        a[k] = (float)(k % 1009) / 1009 - 0.5F;
    return a;
}

static void report_products(const cfpc_teaching_filter *filter, int32_t synapses)
{
    enum { CELLS = 64 };
    const double square = 2. * SQUARE * SQUARE * SQUARE;
    zone it = make_zone(filter, synapses, CELLS, CFPC_ZONE_FLOAT);
    granules from;
    float *squares = make_squares();
    make_granules(&from, synapses);
    warm_up(&it, cfpc_zone_default_products(), &from);
    printf("{\"synapses\": %d, \"cells\": %d, \"block_steps\": %d,\n  \"repeats\": [", synapses,
           CELLS, BLOCK);
    for (int r = 0; r <= REPEATS; r++) { // the first is the warm-up
        const double before = square_s(squares), blas = block_s(&it, bench_zone_blas(), &from);
        const double after = square_s(squares),
                     plain = block_s(&it, cfpc_zone_default_products(), &from);
        const double rate_of_square = 2 * square / (before + after);
        if (r > 0)
            printf("%s\n    {\"square_gflops\": %.2f, \"blas_gflops\": %.2f, "
                   "\"plain_gflops\": %.2f,\n     \"share\": %.4f, \"plain_vs_blas\": %.4f}",
                   r == 1 ? "" : ",", 1e-9 * rate_of_square, 1e-9 * flops(&it) / blas,
                   1e-9 * flops(&it) / plain, flops(&it) / blas / rate_of_square, blas / plain);
    }
    printf("]}\n");
    free(squares);
    free_granules(&from);
    free_zone(&it);
}

// ---- separate cells --------------------------------------------------------------------------

enum { SEPARATE = 16 };

typedef struct cell {
    const cfpc_model *model;
    cfpc_data *data;
    cfpc_real errors[BLOCK], outputs[BLOCK];
} cell;

static cell make_cell(const cfpc_system *trace, const cfpc_teaching_filter *filter,
                      int32_t synapses, bool held)
{
    const cfpc_cell_def def = {.synapses = synapses,
                               .trace = trace,
                               .filter = filter,
                               .past = CFPC_PAST_GIVEN,
                               .held = held,
                               .rule.rate = (cfpc_real)rate,
                               .dead_time_steps = BLOCK};
    cell it = {0};
    must(cfpc_compile(&it.model, &def));
    const size_t bytes = cfpc_data_size(it.model);
    must(cfpc_data_init(&it.data, large_memory(bytes), bytes, it.model));
    return it;
}

static void free_cells(cell *cells)
{
    for (int p = 0; p < SEPARATE; p++) {
        free(cells[p].data);
        cfpc_model_free(cells[p].model);
    }
}

// One block of all cells, which have the errors of the zone; returns its seconds.
static double cells_s(cell *cells, const zone *beside, granules *from, int32_t block)
{
    const double start = thread_s();
    for (int p = 0; p < SEPARATE; p++) {
        const cfpc_source source = source_of(from, block);
        for (int n = 0; n < BLOCK; n++)
            cells[p].errors[n] = beside->errors[n * SEPARATE + p];
        must(cfpc_step_block_from(cells[p].model, cells[p].data, &source, cells[p].errors, BLOCK,
                                  cells[p].outputs));
    }
    return thread_s() - start;
}

// How far the zone's outputs are from the cells', over the largest.
static double distance(const cell *cells, const zone *it)
{
    double most = 0, worst = 0;
    for (int p = 0; p < SEPARATE; p++)
        for (int n = 0; n < BLOCK; n++) {
            const double own = (double)cells[p].outputs[n];
            most = fmax(most, fabs(own));
            worst = fmax(worst, fabs((double)it->outputs[n * SEPARATE + p] - own));
        }
    return most > 0 ? worst / most : 0;
}

static void report_cells(const cfpc_system *trace, const cfpc_teaching_filter *filter,
                         int32_t synapses)
{
    cell cells[SEPARATE], held[SEPARATE];
    zone wide = make_zone(filter, synapses, SEPARATE, CFPC_ZONE_DOUBLE);
    zone narrow = make_zone(filter, synapses, SEPARATE, CFPC_ZONE_FLOAT);
    granules from;
    make_granules(&from, synapses);
    for (int p = 0; p < SEPARATE; p++) {
        cells[p] = make_cell(trace, filter, synapses, false);
        held[p] = make_cell(trace, filter, synapses, true);
    }
    const int32_t early = cfpc_zone_horizon(wide.model) / BLOCK + 1; // learns nothing, or less
    printf("{\"synapses\": %d, \"cells\": %d, \"block_steps\": %d, \"repeats\": [", synapses,
           SEPARATE, BLOCK);
    for (int block = 0; block < early + REPEATS; block++) {
        const double each_s = cells_s(cells, &wide, &from, block);
        const double held_s = cells_s(held, &wide, &from, block);
        const double double_s = block_s(&wide, bench_zone_blas(), &from);
        const double float_s = block_s(&narrow, bench_zone_blas(), &from);
        if (block >= early)
            printf("%s\n    {\"cells_s\": %.5f, \"held_cells_s\": %.5f, \"zone_double_s\": %.5f, "
                   "\"zone_float_s\": %.5f,\n     \"distance\": %.2e}",
                   block == early ? "" : ",", each_s, held_s, double_s, float_s,
                   distance(held, CFPC_REAL_IS_FLOAT ? &narrow : &wide));
    }
    printf("]}\n");
    free_cells(cells);
    free_cells(held);
    free_granules(&from);
    free_zone(&wide);
    free_zone(&narrow);
}

// ---- scaling ---------------------------------------------------------------------------------

// The synapses of a zone of so many cells: those of a whole cell, or as many as fit.
static int32_t synapses_for(int32_t cells)
{
    const int64_t fit = SCALING_WEIGHTS / cells;
    return fit < FULL_CELL ? (int32_t)fit : FULL_CELL;
}

// The fastest of some blocks, as other work on the machine can only slow them down: of one thread
// the processor time, as in the other reports, of two the time that passes.
static double best_s(zone *it, const cfpc_zone_products *by, int32_t threads, granules *from)
{
    double best = INFINITY;
    for (int r = 0; r < SCALING_REPEATS; r++) {
        const double start = threads == 1 ? thread_s() : now_s();
        run_block(it, by, threads, from);
        best = fmin(best, (threads == 1 ? thread_s() : now_s()) - start);
    }
    return best;
}

// The weights go in and out once per block. Cells in real time: of FULL_CELL synapses, at 1 ms per
// step.
static void print_row(const zone *it, const cfpc_zone_products *by, int32_t threads, double seconds)
{
    const double weights = (double)it->synapses * it->cells;
    printf("{\"backend\": \"%s-%d\", \"cells\": %d, \"synapses\": %d, \"block_steps\": %d,\n"
           "   \"seconds_per_block\": %.4g, \"gflops\": %.4g, \"gb_per_s\": %.4g, "
           "\"cells_in_real_time\": %.4g}",
           cfpc_zone_products_name(by), threads, it->cells, it->synapses, BLOCK, seconds,
           1e-9 * flops(it) / seconds, 1e-9 * 2 * sizeof(float) * weights / seconds,
           weights / FULL_CELL * BLOCK * PAPER_STEP_S / seconds);
}

static void report_zone(const cfpc_teaching_filter *filter, int32_t cells, bool is_first)
{
    const cfpc_zone_products *ways[] = {cfpc_zone_default_products(), bench_zone_blas()};
    const int32_t synapses = synapses_for(cells);
    zone it = make_zone(filter, synapses, cells, CFPC_ZONE_FLOAT);
    granules from;
    make_granules(&from, synapses);
    warm_up(&it, bench_zone_blas(), &from);
    for (int k = 0; k < 2; k++)
        for (int32_t threads = 1; threads <= 2; threads++) {
            printf("%s\n  ", is_first && k == 0 && threads == 1 ? "" : ",");
            print_row(&it, ways[k], threads, best_s(&it, ways[k], threads, &from));
        }
    free_granules(&from);
    free_zone(&it);
}

static void report_scaling(const cfpc_teaching_filter *filter, int32_t least, int32_t most)
{
    float *squares = make_squares();
    double seconds[REPEATS];
    for (int r = 0; r < REPEATS; r++)
        seconds[r] = square_s(squares);
    printf("{\"square_gflops\": %.4g, \"rows\": [",
           2e-9 * SQUARE * SQUARE * SQUARE / median(REPEATS, seconds));
    for (int32_t cells = least; cells <= most; cells *= 2)
        report_zone(filter, cells, cells == least);
    printf("]}\n");
    free(squares);
}

int main(int count, char **words)
{
    const char *what = count > 1 ? words[1] : "";
    const int32_t number = count > 2 ? (int32_t)strtol(words[2], NULL, 10) : 0;
    const int32_t synapses = number ? number : SYNAPSES;
    cfpc_system trace = {0};
    cfpc_teaching_filter filter = {0};
    if (number < 0 || (count > 2 && number == 0))
        return fail("SYNAPSES and CELLS are at least 1");
    must(paper_transfer(&trace));
    must(cfpc_teaching_filter_of(&filter, &trace, CFPC_NEGLECT, MAX_TAPS));
    if (strcmp(what, "products") == 0)
        report_products(&filter, synapses);
    else if (strcmp(what, "cells") == 0)
        report_cells(&trace, &filter, synapses);
    else if (strcmp(what, "scaling") == 0)
        report_scaling(&filter, number ? number : 1, number ? number : MAX_CELLS);
    else
        fail("bench_zone products [SYNAPSES] | cells [SYNAPSES] | scaling [CELLS]");
    cfpc_teaching_filter_free(&filter);
    cfpc_system_free(&trace);
    return 0;
}
