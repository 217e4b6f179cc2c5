// SPDX-License-Identifier: Apache-2.0
#include "cfpc/response.h"

#include <math.h>
#include <stdlib.h>

#include "system/filter.h"
#include "system/given.h"
#include "system/reshape.h"

// Runs the system over a signal, forward or backward in time.
static cfpc_status run_over(const cfpc_system *sys, int32_t steps, int32_t columns, bool backward,
                            const double *x, double *y)
{
    if (!cfpci_given(sys))
        return CFPC_MISSING;
    if (sys->inputs != 1 || sys->outputs != 1 || sys->step_s == 0)
        return CFPC_BAD_SHAPE;
    if (steps < 0 || columns < 1)
        return CFPC_BAD_SIZE;
    cfpci_filter filter;
    cfpc_status status = cfpci_filter_make(&filter, sys, columns);
    for (int32_t n = 0; status == CFPC_OK && n < steps; n++) {
        const size_t at = (size_t)(backward ? steps - 1 - n : n) * filter.columns;
        cfpci_filter_step(&filter, x + at, y + at);
    }
    cfpci_filter_free(&filter);
    return status;
}

cfpc_status cfpc_apply(const cfpc_system *transfer, int32_t steps, int32_t columns, const double *x,
                       double *y)
{
    return run_over(transfer, steps, columns, false, x, y);
}

cfpc_status cfpc_apply_transpose(const cfpc_system *transfer, int32_t steps, int32_t columns,
                                 const double *y, double *x)
{
    cfpc_system transposed;
    cfpc_status status = cfpci_transpose(&transposed, transfer);
    if (status == CFPC_OK)
        status = run_over(&transposed, steps, columns, true, y, x);
    cfpc_system_free(&transposed);
    return status;
}

cfpc_status cfpc_impulse_response(const cfpc_system *transfer, int32_t steps, double *response)
{
    if (steps < 1)
        return CFPC_BAD_SIZE;
    double *pulse = calloc((size_t)steps, sizeof *pulse);
    if (!pulse)
        return CFPC_NO_MEMORY;
    pulse[0] = 1;
    cfpc_status status = cfpc_apply(transfer, steps, 1, pulse, response);
    free(pulse);
    return status;
}

void cfpc_convolve(int32_t steps, const double *response, const double *x, double *y)
{
    for (int32_t n = 0; n < steps; n++) {
        double sum = 0;
        for (int32_t k = 0; k <= n; k++)
            sum += response[k] * x[n - k];
        y[n] = sum;
    }
}

cfpc_status cfpc_measure_response(cfpc_running_loop step, void *context, int32_t steps,
                                  double pulse, double *response)
{
    if (!step)
        return CFPC_MISSING;
    if (!isfinite(pulse) || pulse == 0)
        return CFPC_BAD_VALUE;
    for (int32_t n = 0; n < steps; n++) {
        response[n] = step(context, n == 0 ? pulse : 0) / pulse;
        if (!isfinite(response[n]))
            return CFPC_BAD_VALUE;
    }
    return CFPC_OK;
}
