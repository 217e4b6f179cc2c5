// SPDX-License-Identifier: Apache-2.0
// pursuit: the paper's experiment, and the values an independent program found for it.
#ifndef CFPC_TESTS_PURSUIT_H
#define CFPC_TESTS_PURSUIT_H

#include "cfpc/basis.h"
#include "cfpc/batch.h"
#include "cfpc/loop.h"
#include "cfpc/system.h"
#include "golden.h"
#include "signals.h"

enum {
    PURSUIT_STEPS = 2500,
    PURSUIT_BASES = 20,
    PURSUIT_TRIALS = 50,
    PURSUIT_DELAY = 50,
    GOLDEN_MAX = 400
};

#define PURSUIT_STEP_S 1e-3

// ---- the loop --------------------------------------------------------------------------------

// The plant of two stages, discretised as one.
static inline void pursuit_plant(cfpc_system *plant, const cfpc_system *slow)
{
    cfpc_system stages[2] = {*slow}, chain;
    assert_ok(cfpc_lag(&stages[1], 0.003, 1));
    assert_ok(cfpc_series(&chain, 2, stages));
    assert_ok(cfpc_discretise(plant, &chain, PURSUIT_STEP_S, CFPC_ZOH));
    cfpc_system_free(&stages[1]);
    cfpc_system_free(&chain);
}

// The loop around this slow stage, the delay on the error.
static inline cfpc_status pursuit_loop_around(cfpc_system *loop, const cfpc_system *slow)
{
    const cfpc_pid pid = {.kp = 20, .ki = 100};
    cfpc_system continuous, controller, plant;
    assert_ok(cfpc_pid_controller(&continuous, &pid));
    assert_ok(cfpc_discretise(&controller, &continuous, PURSUIT_STEP_S, CFPC_ZOH));
    pursuit_plant(&plant, slow);
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &controller;
    def.plant = &plant;
    def.error_delay_steps = PURSUIT_DELAY;
    const cfpc_status status = cfpc_close_loop(loop, &def);
    cfpc_system_free(&continuous);
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
    return status;
}

static inline cfpc_status pursuit_loop(cfpc_system *loop)
{
    cfpc_system slow;
    assert_ok(cfpc_leaky_integrator(&slow, 0.1, 1));
    const cfpc_status status = pursuit_loop_around(loop, &slow);
    cfpc_system_free(&slow);
    return status;
}

static inline void pursuit_transfer(cfpc_system *transfer)
{
    cfpc_system loop;
    assert_ok(pursuit_loop(&loop));
    assert_ok(cfpc_loop_transfer(transfer, &loop));
    cfpc_system_free(&loop);
}

// ---- the task --------------------------------------------------------------------------------

// Still, up, still, down, still: half a second each.
static inline double pursuit_target(int n)
{
    const double t = n * PURSUIT_STEP_S;
    return t < 0.5 ? 0 : t < 1 ? (t - 0.5) / 0.5 : t < 1.5 ? 1 : t < 2 ? (2 - t) / 0.5 : 0;
}

typedef struct pursuit {
    cfpc_system transfer;
    double r[PURSUIT_STEPS];
    double basis[PURSUIT_STEPS * PURSUIT_BASES];
    cfpc_problem problem;
} pursuit;

static inline pursuit *pursuit_make(void)
{
    pursuit *it = must_calloc(1, sizeof *it);
    pursuit_transfer(&it->transfer);
    for (int n = 0; n < PURSUIT_STEPS; n++)
        it->r[n] = pursuit_target(n);
    const cfpc_time_basis_def gaussians = {
        .count = PURSUIT_BASES, .first_s = 0.3, .spacing_s = 0.1, .width_s = 0.05};
    assert_ok(
        cfpc_time_basis(&gaussians, PURSUIT_STEP_S, PURSUIT_STEPS, gaussians.count, 0, it->basis));
    assert_ok(cfpc_problem_make(&it->problem, &it->transfer, PURSUIT_STEPS, PURSUIT_BASES,
                                it->basis, it->r));
    return it;
}

static inline void pursuit_free(pursuit *it)
{
    cfpc_system_free(&it->transfer);
    cfpc_problem_free(&it->problem);
    free(it);
}

// ---- the paper's rules -----------------------------------------------------------------------

enum { PURSUIT_RULES = 4 };

static const char *const pursuit_rule_names[PURSUIT_RULES] = {"fm-et", "wh", "wh+50ms", "wh+70ms"};

// The trace of a rule: the forward model, or a delay of 0, 50 or 70 steps.
static inline void pursuit_trace(int rule, cfpc_system *trace)
{
    const int32_t delays[PURSUIT_RULES] = {0, 0, 50, 70};
    if (rule == 0)
        pursuit_transfer(trace);
    else
        assert_ok(cfpc_delay(trace, PURSUIT_STEP_S, delays[rule]));
}

// ---- golden values ---------------------------------------------------------------------------

// The values of this name in the order they stand; their number must be `count`.
static inline void golden(const char *name, int count, double *values)
{
    assert_int_equal(golden_in("golden.csv", name, count, values), count);
}

#endif
