// SPDX-License-Identifier: Apache-2.0
#include "plant/parts.h"

void lab_parts_free(lab_parts *parts)
{
    cfpc_system_free(&parts->plant);
    cfpc_system_free(&parts->controller);
    cfpc_system_free(&parts->feedforward);
}

static cfpc_loop_def parts_def_of(const lab_parts *parts)
{
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &parts->controller;
    def.plant = &parts->plant;
    def.error_delay_steps = parts->error_delay_steps;
    def.command_delay_steps = parts->command_delay_steps;
    def.measurement_delay_steps = parts->measurement_delay_steps;
    return def;
}

cfpc_status lab_parts_close(cfpc_system *closed, const lab_parts *parts)
{
    const cfpc_loop_def def = parts_def_of(parts);
    return parts->whole_loop ? cfpc_close_loop_continuous(closed, &def, parts->step_s)
                             : cfpc_close_loop(closed, &def);
}

cfpc_status lab_parts_cut(cfpc_system *open, const lab_parts *parts)
{
    const cfpc_loop_def def = parts_def_of(parts);
    return cfpc_open_loop(open, &def);
}

void lab_scale_output(cfpc_system *sys, double by)
{
    const int32_t columns = cfpc_system_columns(sys);
    for (int32_t j = 0; j < columns; j++)
        sys->matrix[sys->states * columns + j] *= by;
}
