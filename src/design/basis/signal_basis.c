// SPDX-License-Identifier: Apache-2.0
// signal_basis: systems that a signal drives, as bases and as traces that fade.
#include <math.h>

#include "cfpc/basis.h"
#include "cfpc/trace.h"
#include "math/elementary.h"

static bool signal_basis_is_time(double time_s)
{
    return isfinite(time_s) && time_s > 0;
}

// Line i holds x[n - (i + 1) d]: z_0 = x, z_i = v_(i-1); y_0 = x, y_(i+1) = v_i.
cfpc_status cfpc_tapped_delay(cfpc_system *sys, double step_s, int32_t count, int32_t spacing_steps)
{
    *sys = (cfpc_system){0};
    if (count < 1)
        return CFPC_BAD_SIZE;
    if (!signal_basis_is_time(step_s))
        return CFPC_BAD_VALUE;
    if (spacing_steps < 1)
        return CFPC_BAD_DELAY;
    cfpc_status status = cfpc_system_make(sys, step_s, 0, 1, count, count - 1);
    if (status != CFPC_OK)
        return status;
    const int32_t columns = cfpc_system_columns(sys);
    for (int32_t i = 0; i < count; i++) // output i is the input of line i
        sys->matrix[i * columns + i] = 1;
    for (int32_t i = 0; i < sys->lines; i++) {
        sys->matrix[(count + i) * columns + i] = 1;
        sys->delay_steps[i] = spacing_steps;
    }
    return CFPC_OK;
}

// Line i holds x[n - 1 - i]; output k is (1 - z⁻¹)ᵏ x / stepᵏ, with binomials of alternating sign.
cfpc_status cfpc_derivatives(cfpc_system *sys, double step_s, int32_t count)
{
    cfpc_status status = cfpc_tapped_delay(sys, step_s, count, 1);
    if (status != CFPC_OK)
        return status;
    const int32_t columns = cfpc_system_columns(sys); // x, x[n - 1], ...
    for (int32_t k = 1; k < count; k++) {
        double *row = sys->matrix + k * columns;
        const double *before = row - columns;
        for (int32_t j = 0; j <= k; j++)
            row[j] = (before[j] - (j > 0 ? before[j - 1] : 0)) / step_s;
    }
    return CFPC_OK;
}

// ds_0/dt = (x - s_0)/τ, ds_i/dt = (s_(i-1) - s_i)/τ; y = s.
cfpc_status cfpc_leaky_cascade(cfpc_system *sys, double step_s, int32_t count,
                               double time_constant_s)
{
    *sys = (cfpc_system){0};
    if (count < 1)
        return CFPC_BAD_SIZE;
    if (!signal_basis_is_time(time_constant_s))
        return CFPC_BAD_VALUE;
    cfpc_system rates;
    cfpc_status status = cfpc_system_make(&rates, 0, count, 1, count, 0);
    if (status != CFPC_OK)
        return status;
    const int32_t columns = count + 1;
    for (int32_t i = 0; i < count; i++) {
        rates.matrix[i * columns + i] = -1 / time_constant_s;
        rates.matrix[i * columns + (i > 0 ? i - 1 : count)] = 1 / time_constant_s;
        rates.matrix[(count + i) * columns + i] = 1;
    }
    status = cfpc_discretise(sys, &rates, step_s, CFPC_ZOH);
    cfpc_system_free(&rates);
    return status;
}

// l_0[n] = a l_0[n-1] + √(1 - a²) x[n] and l_k[n] = a l_k[n-1] + l_(k-1)[n-1] - a l_(k-1)[n]. The
// states are l of the previous step, so that the rows of states and outputs are equal.
cfpc_status cfpc_laguerre(cfpc_system *sys, double step_s, int32_t count, double time_constant_s)
{
    *sys = (cfpc_system){0};
    if (count < 1)
        return CFPC_BAD_SIZE;
    if (!signal_basis_is_time(step_s) || !signal_basis_is_time(time_constant_s))
        return CFPC_BAD_VALUE;
    cfpc_status status = cfpc_system_make(sys, step_s, count, 1, count, 0);
    if (status != CFPC_OK)
        return status;
    const double a = cfpci_exp(-step_s / time_constant_s);
    const int32_t columns = count + 1;
    for (int32_t k = 0; k < count; k++) {
        double *row = sys->matrix + k * columns;
        for (int32_t j = 0; k > 0 && j < columns; j++)
            row[j] = -a * (row - columns)[j];
        row[k] += a;
        if (k > 0)
            row[k - 1] += 1;
        else
            row[count] = sqrt(-cfpci_expm1(-2 * step_s / time_constant_s));
    }
    for (int32_t i = 0; i < count * columns; i++)
        sys->matrix[count * columns + i] = sys->matrix[i];
    return CFPC_OK;
}

// ---- traces ----------------------------------------------------------------------------------

// h[n] = a h[n-1] + (1 - a) x[n]; the state is h of the previous step.
cfpc_status cfpc_exponential_trace(cfpc_system *sys, double step_s, double time_constant_s)
{
    *sys = (cfpc_system){0};
    if (!signal_basis_is_time(step_s) || !signal_basis_is_time(time_constant_s))
        return CFPC_BAD_VALUE;
    const double a = cfpci_exp(-step_s / time_constant_s),
                 fresh = -cfpci_expm1(-step_s / time_constant_s);
    return cfpc_state_space(sys, step_s, 1, &a, &fresh, &a, fresh);
}

// f[n+1] = a f[n] + (1 - a) x[n] and h[n+1] = a h[n] + (1 - a) f[n+1].
cfpc_status cfpc_alpha_trace(cfpc_system *sys, double step_s, double time_constant_s)
{
    *sys = (cfpc_system){0};
    if (!signal_basis_is_time(step_s) || !signal_basis_is_time(time_constant_s))
        return CFPC_BAD_VALUE;
    const double a = cfpci_exp(-step_s / time_constant_s),
                 fresh = -cfpci_expm1(-step_s / time_constant_s);
    const double rates[] = {a, 0, fresh * a, a}, inputs[] = {fresh, fresh * fresh};
    const double outputs[] = {0, 1};
    return cfpc_state_space(sys, step_s, 2, rates, inputs, outputs, 0);
}
