// SPDX-License-Identifier: Apache-2.0
#include "loop.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/loop.h"
#include "cfpc/response.h"
#include "cfpc/system.h"
#include "why.h"

enum { LEAKY_INTEGRATOR, LAG };

// What a loop is made of, before it is closed.
typedef struct parts {
    cfpc_system plant, controller; // continuous, then discrete
} parts;

static cfpc_status make_stage(cfpc_system *sys, int32_t kind, double time_constant_s)
{
    return kind == LEAKY_INTEGRATOR ? cfpc_leaky_integrator(sys, time_constant_s, 1)
           : kind == LAG            ? cfpc_lag(sys, time_constant_s, 1)
                                    : CFPC_BAD_VALUE;
}

static cfpc_status make_plant(cfpc_system *plant, int32_t count, const int32_t *kinds,
                              const double *time_constants_ms)
{
    cfpc_system *stages = calloc((size_t)count + 1, sizeof *stages);
    if (!stages)
        return CFPC_NO_MEMORY;
    cfpc_status status = CFPC_OK;
    for (int32_t i = 0; status == CFPC_OK && i < count; i++)
        status = make_stage(&stages[i], kinds[i], time_constants_ms[i] / 1e3);
    if (status == CFPC_OK)
        status = cfpc_series(plant, count, stages);
    for (int32_t i = 0; i < count; i++)
        cfpc_system_free(&stages[i]);
    free(stages);
    return status;
}

// In place of a continuous system, the same held between steps.
static cfpc_status sample(cfpc_system *sys, double step_s)
{
    cfpc_system continuous = *sys;
    *sys = (cfpc_system){0};
    const cfpc_status status = cfpc_discretise(sys, &continuous, step_s, CFPC_ZOH);
    cfpc_system_free(&continuous);
    return status;
}

// The sign of its only output changed.
static void negate(cfpc_system *sys)
{
    const int32_t columns = cfpc_system_columns(sys);
    double *row = sys->matrix + (size_t)sys->states * (size_t)columns;
    for (int32_t k = 0; k < columns; k++)
        row[k] = -row[k];
}

static cfpc_status close_loop(web_loop *loop, const cfpc_loop_def *def)
{
    cfpc_system closed = {0};
    cfpc_status status = cfpc_close_loop(&closed, def);
    loop->stable = status == CFPC_OK;
    if (status == CFPC_OK || status == CFPC_UNSTABLE)
        status = cfpc_loop_transfer(&loop->transfer, &closed);
    cfpc_system_free(&closed);
    return status;
}

static cfpc_status open_loop(web_loop *loop, const cfpc_loop_def *def)
{
    cfpc_system cut = {0};
    cfpc_status status = cfpc_open_loop(&cut, def);
    if (status == CFPC_OK)
        status = cfpc_loop_path(&loop->open, &cut, CFPC_LOOP_APPLIED, CFPC_LOOP_U);
    if (status == CFPC_OK)
        negate(&loop->open);
    cfpc_system_free(&cut);
    return status;
}

static cfpc_status connect(web_loop *loop, parts *of, double delay_s)
{
    cfpc_loop_def def = cfpc_default_loop_def();
    def.plant = &of->plant;
    def.controller = &of->controller;
    cfpc_status status = sample(&of->plant, loop->step_s);
    if (status == CFPC_OK)
        status = sample(&of->controller, loop->step_s);
    if (status == CFPC_OK)
        status = cfpc_steps_of(delay_s, loop->step_s, &def.error_delay_steps);
    if (status == CFPC_OK)
        status = close_loop(loop, &def);
    return status == CFPC_OK ? open_loop(loop, &def) : status;
}

web_loop *web_loop_make(double step_ms, int32_t stages, const int32_t *kinds,
                        const double *time_constants_ms, double kp, double ki_per_s,
                        double delay_ms)
{
    web_loop *loop = calloc(1, sizeof *loop);
    parts of = {0};
    const cfpc_pid pid = {.kp = kp, .ki = ki_per_s};
    cfpc_status status =
        loop ? make_plant(&of.plant, stages, kinds, time_constants_ms) : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = cfpc_pid_controller(&of.controller, &pid);
    if (status == CFPC_OK) {
        loop->step_s = step_ms / 1e3;
        status = connect(loop, &of, delay_ms / 1e3);
    }
    cfpc_system_free(&of.plant);
    cfpc_system_free(&of.controller);
    if (web_ended_with(status) == CFPC_DONE)
        return loop;
    web_loop_free(loop);
    return NULL;
}

void web_loop_free(web_loop *loop)
{
    if (!loop)
        return;
    cfpc_system_free(&loop->transfer);
    cfpc_system_free(&loop->open);
    free(loop);
}

cfpc_outcome web_loop_facts(const web_loop *loop, double *facts)
{
    cfpc_margins margins = {.gain = NAN, .phase_deg = NAN, .delay_s = NAN};
    cfpc_status status = loop->stable ? cfpc_margins_of(&loop->open, &margins) : CFPC_OK;
    facts[0] = loop->stable;
    facts[2] = margins.gain;
    facts[3] = margins.phase_deg;
    facts[4] = margins.delay_s * 1e3;
    if (status == CFPC_OK)
        status = cfpc_spectral_radius(&loop->transfer, &facts[1]);
    return web_ended_with(status);
}

cfpc_outcome web_loop_simulate(const web_loop *loop, int32_t steps, const double *drive, double *y)
{
    return web_ended_with(cfpc_apply(&loop->transfer, steps, 1, drive, y));
}
