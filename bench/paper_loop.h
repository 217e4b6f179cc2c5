// SPDX-License-Identifier: Apache-2.0
// paper_loop: the loop of the paper's experiment, for benchmark programs without a spec file.
#ifndef CFPC_BENCH_PAPER_LOOP_H
#define CFPC_BENCH_PAPER_LOOP_H

#include "cfpc/loop.h"
#include "cfpc/system.h"

#define PAPER_STEP_S 1e-3

enum { PAPER_STEPS = 2500, PAPER_DELAY = 50 };

// Plant and controller, discretised, zero-order hold.
static inline cfpc_status paper_parts(cfpc_system *plant, cfpc_system *controller)
{
    const cfpc_pid pid = {.kp = 20, .ki = 100};
    cfpc_system stages[2] = {{0}}, chain = {0}, control = {0};
    cfpc_status status = cfpc_leaky_integrator(&stages[0], 0.1, 1);
    status = status ? status : cfpc_lag(&stages[1], 0.003, 1);
    status = status ? status : cfpc_series(&chain, 2, stages);
    status = status ? status : cfpc_discretise(plant, &chain, PAPER_STEP_S, CFPC_ZOH);
    status = status ? status : cfpc_pid_controller(&control, &pid);
    status = status ? status : cfpc_discretise(controller, &control, PAPER_STEP_S, CFPC_ZOH);
    cfpc_system *const all[] = {stages, stages + 1, &chain, &control};
    for (int i = 0; i < 4; i++)
        cfpc_system_free(all[i]);
    return status;
}

// T, from the drive to the output, the delay on the error.
static inline cfpc_status paper_transfer(cfpc_system *transfer)
{
    cfpc_system plant = {0}, controller = {0}, loop = {0};
    cfpc_status status = paper_parts(&plant, &controller);
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &controller;
    def.plant = &plant;
    def.error_delay_steps = PAPER_DELAY;
    status = status ? status : cfpc_close_loop(&loop, &def);
    status = status ? status : cfpc_loop_transfer(transfer, &loop);
    cfpc_system_free(&plant);
    cfpc_system_free(&controller);
    cfpc_system_free(&loop);
    return status;
}

#endif
