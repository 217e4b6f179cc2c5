// SPDX-License-Identifier: Apache-2.0
#include "run/windows.h"

#include <math.h>

#include "math/order.h"

int lab_windows_of(const lab_spec *spec)
{
    return lab_asks_windows(spec) ? (int)lround(spec->task.trial_s / spec->windows.length_s) : 0;
}

static double windows_norm_of(const double *e, int steps)
{
    double sum = 0;
    for (int n = 0; n < steps; n++)
        sum += e[n] * e[n];
    return sqrt(sum);
}

void lab_window_norms(int windows, int steps, const double *e, double *norms)
{
    for (int w = 0; w < windows; w++)
        norms[w] = windows_norm_of(e + w * (steps / windows), steps / windows);
}

double lab_worst_window(int windows, int steps, const double *e, const double *reactive)
{
    double worst = 0;
    for (int w = 0; w < windows; w++)
        if (reactive[w] > 0)
            worst = cfpci_max(worst, windows_norm_of(e + w * (steps / windows), steps / windows) /
                                         reactive[w]);
    return worst;
}
