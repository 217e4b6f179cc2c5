// SPDX-License-Identifier: Apache-2.0
#include "run/trial_figures.h"

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

void lab_window_norms(int windows, int steps, const double *e, double *norms)
{
    const int length = windows > 0 ? steps / windows : 0;
    for (int w = 0; w < windows; w++) {
        double sum = 0;
        for (int n = w * length; n < (w + 1) * length; n++)
            sum += e[n] * e[n];
        norms[w] = sqrt(sum);
    }
}

double lab_worst_window(int windows, int steps, const double *e, const double *reactive)
{
    double worst = 0, norm;
    for (int w = 0; w < windows; w++) {
        lab_window_norms(1, steps / windows, e + w * (steps / windows), &norm);
        if (reactive[w] > 0)
            worst = cfpci_max(worst, norm / reactive[w]);
    }
    return worst;
}
