// SPDX-License-Identifier: Apache-2.0
#include "cfpc/controller.h"

#include <math.h>

cfpc_status cfpc_pid_controller(cfpc_system *sys, const cfpc_pid *pid)
{
    *sys = (cfpc_system){0};
    if (!isfinite(pid->kp) || !isfinite(pid->ki) || !isfinite(pid->kd))
        return CFPC_BAD_VALUE;
    const bool derives = pid->kd != 0, integrates = pid->ki != 0;
    if (derives && !(isfinite(pid->filter_s) && pid->filter_s > 0))
        return CFPC_BAD_VALUE;
    if (!derives && !integrates)
        return cfpc_gain(sys, pid->kp);

    double a[4] = {0}, b[2] = {0}, c[2] = {0}, d = pid->kp;
    const int32_t states = integrates + derives;
    if (integrates) { // the integral of e
        b[0] = 1;
        c[0] = pid->ki;
    }
    if (derives) { // e low-passed; the derivative is what it lacks, over its time constant
        const int32_t last = states - 1;
        a[last * states + last] = -1 / pid->filter_s;
        b[last] = 1 / pid->filter_s;
        c[last] = -pid->kd / pid->filter_s;
        d += pid->kd / pid->filter_s;
    }
    return cfpc_state_space(sys, 0, states, a, b, c, d);
}
