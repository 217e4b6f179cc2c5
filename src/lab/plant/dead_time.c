// SPDX-License-Identifier: Apache-2.0
#include "plant/dead_time.h"

#include <math.h>

#include "cfpc/response.h"
#include "plant/banks.h"

enum { LONGEST_DEAD_TIME = 1000000 }; // steps: beyond all trials

static cfpc_status dead_time_shorten(int32_t *least, const cfpc_system *from_o, int32_t output,
                                     int32_t late)
{
    cfpc_system path = {0};
    int32_t steps = 0;
    cfpc_status status = cfpc_select(&path, from_o, 0, output);
    if (status == CFPC_OK)
        status = cfpc_dead_time(&path, LONGEST_DEAD_TIME, &steps);
    if (status == CFPC_OK && steps + late < *least)
        *least = steps + late;
    cfpc_system_free(&path);
    return status;
}

cfpc_status lab_dead_time(int32_t *dead_time, const lab_spec *spec, const cfpc_system *from_o)
{
    const lab_teacher teacher = spec->teach.signal;
    const bool measured = teacher == LAB_TEACH_MEASURED_ERROR;
    const int32_t taught = teacher == LAB_TEACH_COMMAND ? CFPC_LOOP_U
                           : measured                   ? CFPC_LOOP_M
                                                        : CFPC_LOOP_Y;
    const double late_ms = spec->teach.delay_ms + (measured ? spec->loop.delay_ms : 0);
    int32_t least = LONGEST_DEAD_TIME, late = 0;
    cfpc_status status = cfpc_steps_of(late_ms / 1e3, spec->step_ms / 1e3, &late);
    if (status == CFPC_OK && teacher != LAB_TEACH_DISTURBANCE)
        status = dead_time_shorten(&least, from_o, taught, late);
    const int32_t olive = (int32_t)lround(spec->olive.delay_ms / spec->step_ms);
    if (spec->olive.gain != 0 && olive < least)
        least = olive;
    for (int i = 0; status == CFPC_OK && i < spec->basis.count; i++) {
        const lab_basis_spec *bank = &lab_banks(spec)[i];
        if (lab_family_of_basis(bank->kind) == LAB_TURNING) // the angle is of the outputs before
            status = dead_time_shorten(&least, from_o, CFPC_LOOP_Y, 1);
        if (!lab_hears_loop(bank))
            continue;
        // its input is of the step before
        status = dead_time_shorten(&least, from_o, lab_heard_output(bank), 1);
    }
    *dead_time = least;
    return status;
}
