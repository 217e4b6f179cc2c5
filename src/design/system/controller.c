// SPDX-License-Identifier: Apache-2.0
#include "cfpc/system.h"

#include <math.h>

#include "system/reshape.h"

cfpc_status cfpc_pid_controller(cfpc_system *sys, const cfpc_pid *pid)
{
    *sys = (cfpc_system){0};
    if (!pid)
        return CFPC_MISSING;
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
    if (derives) { // e low-passed; the derivative is (e - low-passed e) / time constant
        const int32_t last = states - 1;
        a[last * states + last] = -1 / pid->filter_s;
        b[last] = 1 / pid->filter_s;
        c[last] = -pid->kd / pid->filter_s;
        d += pid->kd / pid->filter_s;
    }
    return cfpc_state_space(sys, 0, states, a, b, c, d);
}

cfpc_status cfpc_pid_controller_with_windup(cfpc_system *sys, const cfpc_pid *pid)
{
    *sys = (cfpc_system){0};
    cfpc_system plain;
    cfpc_status status = cfpc_pid_controller(&plain, pid);
    if (status == CFPC_OK)
        status = cfpci_widen(sys, &plain, 2);
    if (status == CFPC_OK && pid->ki != 0)
        sys->matrix[sys->states + 1] = 1; // w into the integral, which is the first state
    cfpc_system_free(&plain);
    return status;
}

cfpc_status cfpc_lead_lag(cfpc_system *sys, double gain, double zero_s, double pole_s)
{
    *sys = (cfpc_system){0};
    if (!isfinite(gain) || !isfinite(zero_s) || !isfinite(pole_s) || pole_s <= 0)
        return CFPC_BAD_VALUE;
    const double at_once = gain * zero_s / pole_s; // the rest comes with the lag
    const double a = -1 / pole_s, b = 1 / pole_s, c = gain - at_once;
    return cfpc_state_space(sys, 0, 1, &a, &b, &c, at_once);
}
