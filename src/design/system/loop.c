// SPDX-License-Identifier: Apache-2.0
#include "cfpc/loop.h"

#include <math.h>

#include "system/given.h"
#include "system/reshape.h"

enum { // parts of a loop, in the order the signal passes them
    ERROR_DELAY,
    CONTROLLER,
    COMMAND_DELAY,
    PLANT,
    OUTPUT, // where the shift is added
    MEASUREMENT_DELAY,
    MEASURED, // where the noise is added
    WINDUP_DELAY,
    PARTS
};

enum { // what enters the parts: the controller has two inputs
    TO_ERROR_DELAY,
    TO_CONTROLLER,
    TO_INTEGRAL,
    TO_COMMAND_DELAY,
    TO_PLANT,
    TO_OUTPUT,
    TO_MEASUREMENT_DELAY,
    TO_MEASURED,
    TO_WINDUP_DELAY,
    PART_INPUTS
};

cfpc_loop_def cfpc_default_loop_def(void)
{
    return (cfpc_loop_def){0};
}

// ---- the wiring ------------------------------------------------------------------------------

// The loop of these parts, opened between controller and command delay if it is open.
static cfpc_status loop_wire(cfpc_system *loop, const cfpc_system *parts, bool open)
{
    double from_parts[PART_INPUTS][PARTS] = {0};
    from_parts[TO_ERROR_DELAY][MEASURED] = -1;
    from_parts[TO_CONTROLLER][ERROR_DELAY] = 1;
    from_parts[TO_INTEGRAL][WINDUP_DELAY] = 1;
    from_parts[TO_COMMAND_DELAY][CONTROLLER] = !open;
    from_parts[TO_PLANT][COMMAND_DELAY] = 1;
    from_parts[TO_OUTPUT][PLANT] = 1;
    from_parts[TO_MEASUREMENT_DELAY][OUTPUT] = 1;
    from_parts[TO_MEASURED][MEASUREMENT_DELAY] = 1;

    const int32_t inputs = open ? CFPC_OPEN_LOOP_INPUTS : CFPC_LOOP_INPUTS;
    double from_outside[PART_INPUTS * CFPC_OPEN_LOOP_INPUTS] = {0};
    from_outside[TO_ERROR_DELAY * inputs + CFPC_LOOP_DRIVE] = 1;
    from_outside[TO_PLANT * inputs + CFPC_LOOP_PUSH] = 1;
    from_outside[TO_OUTPUT * inputs + CFPC_LOOP_SHIFT] = 1;
    from_outside[TO_MEASURED * inputs + CFPC_LOOP_NOISE] = 1;
    if (open) {
        from_outside[TO_COMMAND_DELAY * inputs + CFPC_LOOP_APPLIED] = 1;
        from_outside[TO_WINDUP_DELAY * inputs + CFPC_LOOP_WINDUP] = 1;
    }

    double to_outside[CFPC_LOOP_OUTPUTS][PARTS] = {0};
    to_outside[CFPC_LOOP_Y][OUTPUT] = 1;
    to_outside[CFPC_LOOP_U][CONTROLLER] = 1;
    to_outside[CFPC_LOOP_M][MEASURED] = 1;
    const cfpc_wiring wiring = {.inputs = inputs,
                                .outputs = CFPC_LOOP_OUTPUTS,
                                .from_parts = from_parts[0],
                                .from_outside = from_outside,
                                .to_outside = to_outside[0]};
    return cfpc_connect(loop, PARTS, parts, &wiring);
}

static cfpc_status loop_assemble(cfpc_system *loop, const cfpc_loop_def *def, bool open,
                                 int32_t windup_delay_steps)
{
    const double any_step = -1;
    const int32_t delays[PARTS] = {[ERROR_DELAY] = def->error_delay_steps,
                                   [COMMAND_DELAY] = def->command_delay_steps,
                                   [MEASUREMENT_DELAY] = def->measurement_delay_steps,
                                   [WINDUP_DELAY] = windup_delay_steps};
    cfpc_system parts[PARTS] = {0};
    cfpc_status status = CFPC_OK;
    for (int part = 0; status == CFPC_OK && part < PARTS; part++) {
        if (part == CONTROLLER)
            status = cfpci_widen(&parts[part], def->controller, 2);
        else if (part == PLANT)
            parts[part] = *def->plant;
        else
            status = cfpc_delay(&parts[part], any_step, delays[part]);
    }
    if (status == CFPC_OK)
        status = loop_wire(loop, parts, open);
    for (int part = 0; part < PARTS; part++)
        if (part != PLANT) // the caller's
            cfpc_system_free(&parts[part]);
    return status;
}

static cfpc_status check_ports(const cfpc_loop_def *def)
{
    if (!def || !cfpci_given(def->controller) || !cfpci_given(def->plant))
        return CFPC_MISSING;
    const cfpc_system *c = def->controller, *p = def->plant;
    const bool fit =
        (c->inputs == 1 || c->inputs == 2) && c->outputs == 1 && p->inputs == 1 && p->outputs == 1;
    return fit ? CFPC_OK : CFPC_BAD_SHAPE;
}

static cfpc_status check_discrete(const cfpc_loop_def *def)
{
    const cfpc_status status = check_ports(def);
    if (status != CFPC_OK)
        return status;
    return def->controller->step_s != 0 && def->plant->step_s != 0 ? CFPC_OK : CFPC_BAD_SHAPE;
}

static cfpc_status loop_check_stable(const cfpc_system *loop)
{
    bool stable;
    const cfpc_status status = cfpc_is_stable(loop, &stable);
    return status == CFPC_OK && !stable ? CFPC_UNSTABLE : status;
}

// ---- loops -----------------------------------------------------------------------------------

cfpc_status cfpc_close_loop(cfpc_system *loop, const cfpc_loop_def *def)
{
    *loop = (cfpc_system){0};
    cfpc_status status = check_discrete(def);
    if (status == CFPC_OK)
        status = loop_assemble(loop, def, false, 0);
    return status == CFPC_OK ? loop_check_stable(loop) : status;
}

cfpc_status cfpc_close_loop_continuous(cfpc_system *loop, const cfpc_loop_def *def, double step_s)
{
    *loop = (cfpc_system){0};
    cfpc_status status = check_ports(def);
    if (status != CFPC_OK)
        return status;
    if (def->controller->step_s > 0 || def->plant->step_s > 0)
        return CFPC_NOT_CONTINUOUS;
    if (def->error_delay_steps != 0 || def->command_delay_steps != 0 ||
        def->measurement_delay_steps != 0)
        return CFPC_BAD_DELAY;
    cfpc_system continuous = {0};
    status = loop_assemble(&continuous, def, false, 0);
    if (status == CFPC_OK)
        status = cfpc_discretise(loop, &continuous, step_s, CFPC_ZOH);
    cfpc_system_free(&continuous);
    return status == CFPC_OK ? loop_check_stable(loop) : status;
}

// The feed-through from an input to an output.
static double at_once(const cfpc_system *sys, int32_t input, int32_t output)
{
    return sys->matrix[(sys->states + output) * cfpc_system_columns(sys) + sys->states + input];
}

cfpc_status cfpc_open_loop(cfpc_system *loop, const cfpc_loop_def *def)
{
    *loop = (cfpc_system){0};
    cfpc_status status = check_discrete(def);
    if (status != CFPC_OK)
        return status;
    const bool answers = def->controller->inputs == 2 && at_once(def->controller, 1, 0) != 0;
    status = loop_assemble(loop, def, true, answers);
    if (status == CFPC_OK && at_once(loop, CFPC_LOOP_APPLIED, CFPC_LOOP_U) != 0) {
        cfpc_system_free(loop);
        status = CFPC_ALGEBRAIC_LOOP;
    }
    return status;
}

cfpc_status cfpc_loop_path(cfpc_system *path, const cfpc_system *loop, int32_t input,
                           int32_t output)
{
    return cfpc_select(path, loop, input, output);
}

cfpc_status cfpc_loop_transfer(cfpc_system *transfer, const cfpc_system *loop)
{
    return cfpc_loop_path(transfer, loop, CFPC_LOOP_DRIVE, CFPC_LOOP_Y);
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
