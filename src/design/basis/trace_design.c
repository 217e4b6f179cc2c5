// SPDX-License-Identifier: Apache-2.0
#include "cfpc/trace.h"

#include <math.h>

#include "math/elementary.h"

static bool trace_design_is_time(double time_s)
{
    return isfinite(time_s) && time_s > 0;
}

// h[n] = a h[n-1] + (1 - a) x[n]; the state is h of the previous step.
cfpc_status cfpc_exponential_trace(cfpc_system *sys, double step_s, double time_constant_s)
{
    *sys = (cfpc_system){0};
    if (!trace_design_is_time(step_s) || !trace_design_is_time(time_constant_s))
        return CFPC_BAD_VALUE;
    const double a = cfpci_exp(-step_s / time_constant_s),
                 fresh = -cfpci_expm1(-step_s / time_constant_s);
    return cfpc_state_space(sys, step_s, 1, &a, &fresh, &a, fresh);
}

// f[n+1] = a f[n] + (1 - a) x[n] and h[n+1] = a h[n] + (1 - a) f[n+1].
cfpc_status cfpc_alpha_trace(cfpc_system *sys, double step_s, double time_constant_s)
{
    *sys = (cfpc_system){0};
    if (!trace_design_is_time(step_s) || !trace_design_is_time(time_constant_s))
        return CFPC_BAD_VALUE;
    const double a = cfpci_exp(-step_s / time_constant_s),
                 fresh = -cfpci_expm1(-step_s / time_constant_s);
    const double rates[] = {a, 0, fresh * a, a}, inputs[] = {fresh, fresh * fresh};
    const double outputs[] = {0, 1};
    return cfpc_state_space(sys, step_s, 2, rates, inputs, outputs, 0);
}
