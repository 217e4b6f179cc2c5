// SPDX-License-Identifier: Apache-2.0
// zone: three loops with different delays learn on line, in blocks as long as the shortest delay.
//   first-order plants, late controllers   y[n+1] = a y[n] + b u[n]   u[n] = k (e + o)[n - delay]
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cfpc/zone.h"

enum { STEPS = 400, INPUTS = 20, CELLS = 3, BLOCK = 10, LATEST = 20, HORIZON = 150, TRIALS = 20 };
static const int delay[CELLS] = {BLOCK, 15, LATEST};
static const double a = 0.95, b = 0.05, k = 1.5, rates[CELLS] = {0.02, 0.02, 0.02};
static cfpc_real x[STEPS * INPUTS];
static double taps[CELLS][HORIZON + 1], y[CELLS], drive[CELLS][LATEST]; // drive: e + o, a ring
static _Alignas(8) unsigned char model_memory[6000], data_memory[24000];

// One step of loop p without its o, which is added after the block. Returns the error.
static double step(int p, int n, double r)
{
    const double e = r - y[p];
    y[p] = a * y[p] + b * k * drive[p][(n + LATEST - delay[p]) % LATEST];
    drive[p][n % LATEST] = e;
    return e;
}

int main(void)
{
    cfpc_zone_path path[CELLS];
    for (int n = 0; n < STEPS; n++) // bumps along the trial
        for (int j = 0; j < INPUTS; j++)
            x[n * INPUTS + j] = (cfpc_real)exp(-0.5 * pow((n - 20.0 * j) / 12, 2));
    for (int p = 0; p < CELLS; p++) { // the forward model: what o = 1 at step 0 makes of y
        path[p] = (cfpc_zone_path){.cell = p, .error = p, .horizon = HORIZON, .taps = taps[p]};
        drive[p][0] = 1;
        for (int n = 1; n <= HORIZON; n++)
            taps[p][n] = -step(p, n, 0);
    }
    cfpc_zone_def def = cfpc_default_zone_def();
    def.synapses = INPUTS;
    def.cells = def.path_count = CELLS;
    def.block_steps = BLOCK;
    def.paths = path;
    def.rates = rates;
    def.guard.repeats = true; // all trials are alike
    const cfpc_zone_model *model;
    cfpc_zone_data *zone;
    if (cfpc_zone_model_init(&model, model_memory, sizeof model_memory, &def) != CFPC_OK ||
        cfpc_zone_data_init(&zone, data_memory, sizeof data_memory, model) != CFPC_OK)
        return 1;
    for (int trial = 1; trial <= TRIALS; trial++) {
        cfpc_real e[BLOCK * CELLS], o[BLOCK * CELLS]; // of each step those of all cells
        double sum[CELLS] = {0};
        memset(y, 0, sizeof y);
        memset(drive, 0, sizeof drive);
        for (int n = 0; n < STEPS; n += BLOCK) {
            for (int i = 0; i < BLOCK * CELLS; i++) {
                const int p = i % CELLS, now = n + i / CELLS;
                e[i] = (cfpc_real)step(p, now, now > 100 && now < 250);
                sum[p] += (double)e[i] * (double)e[i];
            }
            cfpc_zone_step_block(model, zone, x + n * INPUTS, e, BLOCK, o); // learns, anticipates
            for (int i = 0; i < BLOCK * CELLS; i++)
                drive[i % CELLS][(n + i / CELLS) % LATEST] += (double)o[i];
        }
        cfpc_zone_next_trial(cfpc_zone_default_products(), 1, model, zone, NULL);
        for (int p = 0; p < CELLS && (trial == 1 || trial == TRIALS); p++)
            printf("trial %2d  delay %d  rms error %.4f\n", trial, delay[p], sqrt(sum[p] / STEPS));
    }
}
