// SPDX-License-Identifier: Apache-2.0
// The measures of a synapse's kernel: what its trace does after a pulse.
#include "run/measure_rows.h"

#include <math.h>

#include "math/order.h"

static bool has_kernel(const lab_measured_at *at)
{
    return lab_measured_rule(at)->kernel != NULL;
}

// Where the kernel is largest, or with -1 lowest.
static int extreme_step(const lab_measured_at *at, int sign)
{
    const double *kernel = lab_measured_rule(at)->kernel;
    int peak = 0;
    for (int n = 1; n < at->record->steps; n++)
        peak = sign * kernel[n] > sign * kernel[peak] ? n : peak;
    return peak;
}

// How long after the pulse it is; null if there is no kernel.
static double kernel_measures_after_ms(const lab_measured_at *at, double steps)
{
    return lab_measured_rule(at)->kernel[extreme_step(at, 1)] > 0 ? steps * at->record->step_s * 1e3
                                                                  : NAN;
}

static double peak_ms(const lab_measured_at *at)
{
    return kernel_measures_after_ms(at, extreme_step(at, 1));
}

// The first step before the peak, or the last after it, up to which half of the peak is reached.
static double half_of_peak(const lab_measured_at *at, int direction)
{
    const double *kernel = lab_measured_rule(at)->kernel;
    const int peak = extreme_step(at, 1);
    int n = peak;
    while (n + direction >= 0 && n + direction < at->record->steps &&
           kernel[n + direction] >= kernel[peak] / 2)
        n += direction;
    return kernel_measures_after_ms(at, n);
}

static double half_from_ms(const lab_measured_at *at)
{
    return half_of_peak(at, -1);
}

static double half_to_ms(const lab_measured_at *at)
{
    return half_of_peak(at, 1);
}

static double lobe(const lab_measured_at *at)
{
    const double *kernel = lab_measured_rule(at)->kernel, peak = kernel[extreme_step(at, 1)];
    return peak > 0 ? cfpci_max(0, -kernel[extreme_step(at, -1)] / peak) : NAN;
}

static double lobe_ms(const lab_measured_at *at)
{
    return lab_measured_rule(at)->kernel[extreme_step(at, -1)] < 0
               ? kernel_measures_after_ms(at, extreme_step(at, -1))
               : NAN;
}

const lab_measure_row lab_kernel_measures[] = {
    {LAB_OF_RULE, "kernel_peak_ms", LAB_VALUE(peak_ms), has_kernel,
     "how long after a pulse at a synapse its trace is largest"},
    {LAB_OF_RULE, "kernel_half_from_ms", LAB_VALUE(half_from_ms), has_kernel,
     "from when on it is at least half of that"},
    {LAB_OF_RULE, "kernel_half_to_ms", LAB_VALUE(half_to_ms), has_kernel,
     "until when it is at least half of that"},
    {LAB_OF_RULE, "kernel_lobe", LAB_VALUE(lobe), has_kernel,
     "how far below 0 the trace goes, as a fraction of its peak"},
    {LAB_OF_RULE, "kernel_lobe_ms", LAB_VALUE(lobe_ms), has_kernel,
     "when it is lowest; null if never "
     "below 0"},
    {0}};
