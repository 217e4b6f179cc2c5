// SPDX-License-Identifier: Apache-2.0
#include "cfpc/loop.h"

#include <math.h>

enum { // parts of a loop, in the order the signal passes them
    ERROR_DELAY,
    CONTROLLER,
    COMMAND_DELAY,
    PLANT,
    MEASUREMENT_DELAY,
    PARTS
};

cfpc_loop_def cfpc_default_loop_def(void)
{
    return (cfpc_loop_def){0};
}

static cfpc_status wire(cfpc_system *loop, const cfpc_system *parts)
{
    double from_parts[PARTS][PARTS] = {0};
    for (int p = 1; p < PARTS; p++)
        from_parts[p][p - 1] = 1;
    from_parts[ERROR_DELAY][MEASUREMENT_DELAY] = -1;
    double from_outside[PARTS] = {0};
    from_outside[ERROR_DELAY] = 1;
    double to_outside[CFPC_LOOP_OUTPUTS][PARTS] = {0};
    to_outside[CFPC_LOOP_Y][PLANT] = 1;
    to_outside[CFPC_LOOP_U][CONTROLLER] = 1;
    const cfpc_wiring wiring = {.inputs = 1,
                                .outputs = CFPC_LOOP_OUTPUTS,
                                .from_parts = from_parts[0],
                                .from_outside = from_outside,
                                .to_outside = to_outside[0]};
    return cfpc_connect(loop, PARTS, parts, &wiring);
}

cfpc_status cfpc_close_loop(cfpc_system *loop, const cfpc_loop_def *def)
{
    *loop = (cfpc_system){0};
    const cfpc_system *c = def->controller, *p = def->plant;
    if (c->inputs != 1 || c->outputs != 1 || p->inputs != 1 || p->outputs != 1)
        return CFPC_BAD_SHAPE;
    const double step_s = p->step_s > 0 ? p->step_s : c->step_s;
    if (c->step_s == 0 || p->step_s == 0)
        return CFPC_BAD_SHAPE;

    cfpc_system parts[PARTS] = {[CONTROLLER] = *c, [PLANT] = *p};
    cfpc_status status = cfpc_delay(&parts[ERROR_DELAY], step_s, def->error_delay_steps);
    if (status == CFPC_OK)
        status = cfpc_delay(&parts[COMMAND_DELAY], step_s, def->command_delay_steps);
    if (status == CFPC_OK)
        status = cfpc_delay(&parts[MEASUREMENT_DELAY], step_s, def->measurement_delay_steps);
    if (status == CFPC_OK)
        status = wire(loop, parts);
    cfpc_system_free(&parts[ERROR_DELAY]);
    cfpc_system_free(&parts[COMMAND_DELAY]);
    cfpc_system_free(&parts[MEASUREMENT_DELAY]);
    if (status != CFPC_OK)
        return status;

    double radius;
    status = cfpc_spectral_radius(loop, &radius);
    if (status == CFPC_OK && !(radius < 1))
        status = CFPC_UNSTABLE;
    return status;
}

cfpc_status cfpc_transfer(cfpc_system *transfer, const cfpc_system *loop)
{
    return cfpc_select(transfer, loop, 0, CFPC_LOOP_Y);
}

cfpc_status cfpc_steps_of(double time_s, double step_s, int32_t *steps)
{
    *steps = 0;
    const double exact = time_s / step_s;
    const double whole = round(exact);
    if (!(exact >= 0 && exact < INT32_MAX) || fabs(exact - whole) > 1e-6)
        return CFPC_BAD_DELAY;
    *steps = (int32_t)whole;
    return CFPC_OK;
}
