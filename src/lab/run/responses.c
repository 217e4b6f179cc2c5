// SPDX-License-Identifier: Apache-2.0
#include "run/responses.h"

#include <math.h>

#include "math/order.h"

void lab_measure_response(const lab_responses *responses, int trial, const lab_spec *spec,
                          int steps, const double *response)
{
    const lab_response_spec *how = &spec->response;
    const double step_ms = spec->step_ms;
    const int first = (int)cfpci_min(steps, round(how->from_s * 1e3 / step_ms));
    const int end =
        isnan(how->to_s) ? steps : (int)cfpci_min(steps, round(how->to_s * 1e3 / step_ms) + 1);
    int peak = first;
    for (int n = first; n < end; n++)
        if (fabs(response[n]) > fabs(response[peak]))
            peak = n;
    const double most = first < end ? response[peak] : 0;
    int onset = first;
    while (onset < end && !(fabs(response[onset]) > how->threshold * fabs(most)))
        onset++;
    const bool there = fabs(most) > how->min_amplitude;
    responses->amplitude[trial] = most;
    responses->peak_ms[trial] = there ? peak * step_ms : NAN;
    responses->onset_ms[trial] = there ? onset * step_ms : NAN;
}
