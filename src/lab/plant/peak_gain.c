// SPDX-License-Identifier: Apache-2.0
#include "plant/peak_gain.h"

#include <math.h>

#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"

cfpc_status lab_open_response_of(lab_open_response *response, int32_t count,
                                 const cfpc_system *parts, double step_s)
{
    double hz[LAB_PEAK_FREQUENCIES];
    const double high_hz = 0.5 / step_s;
    cfpc_system open = {0};
    for (int k = 0; k < LAB_PEAK_FREQUENCIES; k++)
        hz[k] = high_hz * cfpci_pow(1e-3, 1 - (k + 1.0) / LAB_PEAK_FREQUENCIES);
    cfpc_status status = cfpc_series(&open, count, parts);
    if (status == CFPC_OK)
        status =
            cfpc_frequency_response(&open, LAB_PEAK_FREQUENCIES, hz, response->re, response->im);
    cfpc_system_free(&open);
    return status;
}

double lab_peak(const lab_open_response *open)
{
    double least = INFINITY; // of |1 + L|
    for (int k = 0; k < LAB_PEAK_FREQUENCIES; k++)
        least = cfpci_min(least, cfpci_hypot(1 + open->re[k], open->im[k]));
    return 1 / least;
}

double lab_gain_for_peak(const lab_open_response *open, double most)
{
    double gain = INFINITY;
    for (int k = 0; k < LAB_PEAK_FREQUENCIES; k++) { // g² |L|² + 2 g Re L + 1 - 1/M² = 0
        const double re = open->re[k], square = re * re + open->im[k] * open->im[k];
        const double rest = 1 - 1 / (most * most), under = re * re - square * rest;
        if (re < 0 && under >= 0)
            gain = cfpci_min(gain, rest / (-re + sqrt(under)));
    }
    return gain;
}
