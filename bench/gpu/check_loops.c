// SPDX-License-Identifier: Apache-2.0
// Loops that learn on line, on the CPU and on the device: the same errors come out.
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "twins.h"
#include "world.h"

enum { CELLS = 24, SYNAPSES = 600, STEPS = 31, BLOCKS = 81, TRIAL = STEPS * BLOCKS, TRIALS = 12 };
enum { RING = 256, TAPS = WORLD_HORIZON + 1 };

typedef void stepper(twins *pair, const float *x, const float *errors, int32_t steps,
                     float *outputs);

typedef struct plants {
    world_loop loop[CELLS];
    world_state state[CELLS];
    float drive[RING][CELLS]; // reference + output - y of the last steps
    int64_t clock;            //
} plants;

// The errors of a block, which its outputs cannot affect; what drives the loops lacks them so far.
static void errors_of(plants *all, float *errors, double *squares)
{
    for (int32_t n = 0; n < STEPS; n++)
        for (int32_t p = 0; p < CELLS; p++) {
            const int64_t step = all->clock + n;
            const world_loop *loop = all->loop + p;
            world_move(loop, all->state + p, all->drive[(step - 1 - loop->delay + RING) % RING][p]);
            const float r = world_reference(loop, (int32_t)(step % TRIAL), TRIAL);
            const float e = r - all->state[p].y;
            errors[n * CELLS + p] = e;
            all->drive[step % RING][p] = e;
            squares[p] += (double)e * (double)e;
        }
}

static void drive_with(plants *all, const float *outputs)
{
    for (int32_t n = 0; n < STEPS; n++)
        for (int32_t p = 0; p < CELLS; p++)
            all->drive[(all->clock + n) % RING][p] += outputs[n * CELLS + p];
    all->clock += STEPS;
}

// One trial after the other; the sum of squared errors of each in every loop. step NULL: the loops
// alone.
static void run(twins *pair, stepper *step, const float *inputs, double squares[][CELLS])
{
    plants *all = twins_memory(1, sizeof *all);
    float errors[STEPS * CELLS], outputs[STEPS * CELLS] = {0};
    for (int32_t p = 0; p < CELLS; p++)
        all->loop[p] = world_loop_of(p, STEPS);
    for (int32_t block = 0; block < BLOCKS * TRIALS; block++) {
        errors_of(all, errors, squares[block / BLOCKS]);
        if (step)
            step(pair, inputs + (size_t)(block % BLOCKS) * STEPS * SYNAPSES, errors, STEPS,
                 outputs);
        drive_with(all, outputs);
    }
    free(all);
}

static float *all_inputs(void)
{
    float *x = twins_memory((size_t)TRIAL * SYNAPSES, sizeof *x);
    for (int32_t n = 0; n < TRIAL; n++)
        for (int32_t j = 0; j < SYNAPSES; j++)
            x[n * SYNAPSES + j] = world_input(j, n, TRIAL);
    return x;
}

static twins make(const cfpc_zone_cuda_def *cuda)
{
    static double taps[CELLS][TAPS], rates[CELLS];
    cfpc_zone_path paths[CELLS];
    cfpc_zone_def def = cfpc_default_zone_def();
    def.guard.on = false;
    for (int32_t p = 0; p < CELLS; p++) {
        const world_loop loop = world_loop_of(p, STEPS);
        world_response(&loop, TAPS, taps[p]);
        rates[p] = world_rate(SYNAPSES, TRIAL);
        paths[p] =
            (cfpc_zone_path){.cell = p, .error = p, .horizon = WORLD_HORIZON, .taps = taps[p]};
    }
    def.synapses = SYNAPSES;
    def.cells = CELLS;
    def.block_steps = STEPS;
    def.path_count = CELLS;
    def.paths = paths;
    def.rates = rates;
    return twins_make(&def, cuda);
}

// rRMSE: over the error of the loop alone.
static double relative(double squares, double alone)
{
    return sqrt(squares / alone);
}

static double largest_gap(double a[][CELLS], double b[][CELLS], double alone[][CELLS])
{
    double largest = 0;
    for (int32_t k = 0; k < TRIALS; k++)
        for (int32_t p = 0; p < CELLS; p++) {
            const double gap = fabs(relative(a[k][p], alone[TRIALS - 1][p]) -
                                    relative(b[k][p], alone[TRIALS - 1][p]));
            largest = gap <= largest ? largest : gap;
        }
    return largest;
}

static void print_cells(double cpu[][CELLS], double cuda[][CELLS], double alone[][CELLS])
{
    for (int32_t p = 0; p < CELLS; p++)
        printf("  cell %2d, delay %3d ms: rRMSE of trial %d: CPU %.6f, device %.6f\n", p,
               world_loop_of(p, STEPS).delay, TRIALS,
               relative(cpu[TRIALS - 1][p], alone[TRIALS - 1][p]),
               relative(cuda[TRIALS - 1][p], alone[TRIALS - 1][p]));
}

static double mean(double squares[][CELLS], double alone[][CELLS], int32_t trial)
{
    double sum = 0;
    for (int32_t p = 0; p < CELLS; p++)
        sum += relative(squares[trial][p], alone[TRIALS - 1][p]) / CELLS;
    return sum;
}

// All of them learn: below half of the loops' own error, in the mean.
static int compare(const char *name, const cfpc_zone_cuda_def *by, double tolerance, bool prints)
{
    static double cpu[TRIALS][CELLS], cuda[TRIALS][CELLS], alone[TRIALS][CELLS];
    twins pair = make(by);
    float *inputs = all_inputs();
    memset(cpu, 0, sizeof cpu);
    memset(cuda, 0, sizeof cuda);
    memset(alone, 0, sizeof alone);
    run(NULL, NULL, inputs, alone);
    run(&pair, twins_step_cpu, inputs, cpu);
    run(&pair, twins_step_cuda, inputs, cuda);
    const double gap = largest_gap(cpu, cuda, alone), last = mean(cuda, alone, TRIALS - 1);
    const bool passed = gap <= tolerance && last < 0.5;
    if (prints)
        print_cells(cpu, cuda, alone);
    printf("%d loops, %-16s mean rRMSE %.4f in trial 1, %.4f in trial %d; from the CPU's at most "
           "%.1e (%.0e allowed)  %s\n",
           CELLS, name, mean(cuda, alone, 0), last, TRIALS, gap, tolerance,
           passed ? "ok" : "FAILED");
    twins_free(&pair);
    free(inputs);
    return !passed;
}

int check_loops(void)
{
    const cfpc_zone_cuda_def plain = {.products = CFPC_CUDA_FLOAT};
    const cfpc_zone_cuda_def cublas = {.products = CFPC_CUDA_TF32, .separate = true};
    const cfpc_zone_cuda_def fused = {.products = CFPC_CUDA_TF32};
    return compare("float", &plain, 1e-4, true) + compare("tf32 by cuBLAS", &cublas, 1e-3, false) +
           compare("tf32", &fused, 1e-3, false);
}
