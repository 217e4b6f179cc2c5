// SPDX-License-Identifier: Apache-2.0
// hello: your own loop learns to act before the error occurs. Static memory, core only.
//   plant        y[n+1] = a y[n] + b u[n]        a first-order lag, your plant
//   controller   u[n] = k (e + o)[n - 20]        proportional, 20 steps late
#include <math.h>
#include <stdio.h>

#include "cfpc/core.h"

enum { STEPS = 400, BASES = 20, DELAY = 20, TRIALS = 30 };
static const cfpc_real a = (cfpc_real)0.95, b = (cfpc_real)0.05, k = (cfpc_real)1.5;
static cfpc_real basis[STEPS][BASES];
static _Alignas(8) unsigned char model_memory[80000], data_memory[20000];

int main(void)
{
    for (int n = 0; n < STEPS; n++) // X: bumps along the trial
        for (int j = 0; j < BASES; j++)
            basis[n][j] = (cfpc_real)exp(-0.5 * pow((n - 20.0 * j) / 12, 2));

    // The closed loop from drive x to output y: the forward model of the eligibility trace.
    const int32_t delay[] = {DELAY};
    const cfpc_real closed_loop[] = {
        a,  0, b,  // s+ = a s + b v     the plant, driven by the line
        1,  0, 0,  // y  = s
        -k, k, 0}; // z  = k (x - s)     into the line: v[n] = z[n - 20]
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = BASES;
    def.steps = STEPS;
    def.basis = basis[0];
    def.trace = (cfpc_lti){1, 1, 1, 1, delay, closed_loop}; // one state, input, output and line
    def.rule.rate = (cfpc_real)0.02;
    const cfpc_model *model;
    cfpc_data *cell;
    if (cfpc_model_init(&model, model_memory, sizeof model_memory, &def) != CFPC_OK ||
        cfpc_data_init(&cell, data_memory, sizeof data_memory, model) != CFPC_OK)
        return 1;

    for (int trial = 1; trial <= TRIALS; trial++) {
        cfpc_real y = 0, late[DELAY] = {0}, sum = 0;
        for (int n = 0; n < STEPS; n++) {
            const cfpc_real r = n > 100 && n < 250 ? 1 : 0;      // the reference
            const cfpc_real e = r - y;                           // the error
            const cfpc_real o = cfpc_step(model, cell, NULL, e); // learns and anticipates
            const cfpc_real u = k * late[n % DELAY];             // your controller, too late
            late[n % DELAY] = e + o;
            y = a * y + b * u; // your plant
            sum += e * e;
        }
        cfpc_next_trial(model, cell);
        if (trial == 1 || trial % 10 == 0)
            printf("trial %2d  rms error %.4f\n", trial, sqrt((double)sum / STEPS));
    }
    return 0;
}
