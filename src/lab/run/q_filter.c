// SPDX-License-Identifier: Apache-2.0
#include "run/q_filter.h"

#include <math.h>
#include <string.h>

#include "cfpc/response.h"
#include "math/elementary.h"

// ω²/(s² + √2 ω s + ω²) by the bilinear rule, with ω moved so that the cut-off is exact.
cfpc_status lab_q_filter_make(cfpc_system *filter, double hz, double step_s)
{
    cfpc_system continuous = {0};
    const double omega = 2 / step_s * cfpci_tan(CFPCI_PI * hz * step_s);
    const double num[] = {omega * omega}, den[] = {1, sqrt(2) * omega, omega * omega};
    *filter = (cfpc_system){0};
    cfpc_status status = cfpc_transfer_function(&continuous, 1, num, 3, den);
    if (status == CFPC_OK)
        status = cfpc_discretise(filter, &continuous, step_s, CFPC_TUSTIN);
    cfpc_system_free(&continuous);
    return status;
}

cfpc_status lab_q_filter_apply(const cfpc_system *filter, int32_t steps, double *signal,
                               double *room)
{
    cfpc_status status = cfpc_apply(filter, steps, 1, signal, room);
    if (status == CFPC_OK)
        status = cfpc_apply_transpose(filter, steps, 1, room, room + steps);
    if (status == CFPC_OK)
        memcpy(signal, room + steps, (size_t)steps * sizeof *signal);
    return status;
}
