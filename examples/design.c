// SPDX-License-Identifier: Apache-2.0
// design: from plant and controller to a running cell: closes the paper's loop, checks its
// stability, finds the optimal weights, compiles a model, and lets it learn with the loop.
//
//   plant        dp/dt = -p/0.1 + u,  dy/dt = (p - y)/0.003
//   controller   u = 20 e + 100 ∫e dt, on an error that is 50 ms late
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cfpc/cfpc.h"

enum { STEPS = 2500, BASES = 20, TRIALS = 50 };
static const double step_s = 0.001;

static void must(cfpc_status status, const char *what)
{
    if (status == CFPC_OK)
        return;
    fprintf(stderr, "design: %s: %s\n", what, cfpc_status_message(status));
    exit(1);
}

// T, from the drive r + o to the output y.
static cfpc_system close_loop(void)
{
    cfpc_system stages[2], body, plant, pi, controller, loop, transfer;
    must(cfpc_leaky_integrator(&stages[0], 0.1, 1), "the slow stage");
    must(cfpc_lag(&stages[1], 0.003, 1), "the fast stage");
    must(cfpc_series(&body, 2, stages), "the body");
    must(cfpc_discretise(&plant, &body, step_s, CFPC_ZOH), "the plant");
    must(cfpc_pid_controller(&pi, &(cfpc_pid){.kp = 20, .ki = 100}), "the PI");
    must(cfpc_discretise(&controller, &pi, step_s, CFPC_ZOH), "the controller");
    cfpc_loop_def def = cfpc_default_loop_def();
    def.plant = &plant;
    def.controller = &controller;
    must(cfpc_steps_of(0.05, step_s, &def.error_delay_steps), "the delay");
    must(cfpc_close_loop(&loop, &def), "the loop"); // CFPC_UNSTABLE if it is unstable
    must(cfpc_loop_transfer(&transfer, &loop), "T");
    cfpc_system *const parts[] = {&stages[0], &stages[1], &body, &plant, &pi, &controller, &loop};
    for (int i = 0; i < 7; i++)
        cfpc_system_free(parts[i]);
    return transfer;
}

// One trial with the running loop; returns the root-mean-square error.
static double run_trial(const cfpc_model *model, cfpc_data *cell, const cfpc_lti *loop,
                        cfpc_bank *state, const double *r)
{
    double sum = 0;
    cfpc_bank_reset(state);
    for (int n = 0; n < STEPS; n++) {
        cfpc_real y;
        cfpc_bank_output(loop, state, NULL, &y);             // the loop has no feed-through
        const cfpc_real e = (cfpc_real)r[n] - y;             // the error
        const cfpc_real o = cfpc_step(model, cell, NULL, e); // learns and anticipates
        const cfpc_real drive = (cfpc_real)r[n] + o;
        cfpc_bank_step(loop, state, &drive, NULL);
        sum += (double)e * (double)e;
    }
    cfpc_next_trial(model, cell);
    return sqrt(sum / STEPS);
}

int main(void)
{
    static double r[STEPS], basis[STEPS * BASES];
    for (int n = 0; n < STEPS; n++) // rest, to the right, rest, back, rest
        r[n] = fmin(1, fmax(0, (n - 500) / 500.0)) - fmin(1, fmax(0, (n - 1500) / 500.0));
    cfpc_time_basis_def gaussians = {.count = BASES, .spacing_s = 0.1, .width_s = 0.05};
    gaussians.first_s = cfpc_centred_first_s(&gaussians, step_s, STEPS);
    must(cfpc_time_basis(&gaussians, step_s, STEPS, gaussians.count, 0, basis), "the basis");

    cfpc_system transfer = close_loop();
    double radius;
    must(cfpc_spectral_radius(&transfer, &radius), "the poles");
    cfpc_problem problem; // e = e0 - H w
    must(cfpc_problem_make(&problem, &transfer, STEPS, BASES, basis, r), "the problem");
    printf("largest pole %.4f, best rRMSE %.4f\n", radius, problem.rrmse_optimum);

    const cfpc_cell_def def = {
        .synapses = BASES,
        .steps = STEPS,
        .basis = basis,
        .trace = &transfer, // the forward model
        .rule = {.rate = (cfpc_real)cfpc_problem_rate(&problem, 0.5), .mode = CFPC_BATCH},
        .guard = cfpc_default_guard(),
        .response = &transfer}; // by which the guard knows what the loop would do without the cell
    const cfpc_model *model;
    cfpc_data *cell;
    cfpc_lti *loop;
    cfpc_bank *state;
    must(cfpc_compile(&model, &def), "the model");
    must(cfpc_data_make(&cell, model), "the cell");
    must(cfpc_lti_of_system(&loop, &transfer), "the running loop");
    const size_t bytes = cfpc_bank_size(loop, 1);
    void *memory = malloc(bytes);
    must(cfpc_bank_init(&state, memory, bytes, loop, 1), "its state");

    double first = 0;
    for (int trial = 1; trial <= TRIALS; trial++) {
        const double error = run_trial(model, cell, loop, state, r);
        first = trial == 1 ? error : first;
        if (trial == 1 || trial % 10 == 0)
            printf("trial %2d  rRMSE %.4f\n", trial, error / first);
    }
    free(memory);
    cfpc_lti_free(loop);
    cfpc_data_free(cell);
    cfpc_model_free(model);
    cfpc_problem_free(&problem);
    cfpc_system_free(&transfer);
    return 0;
}
