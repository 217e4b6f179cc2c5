// SPDX-License-Identifier: Apache-2.0
// peak_gain: how much a loop amplifies a disturbance at most, M = max 1/|1 + L|, and the gain of
// its controller with which that is M.
#ifndef CFPC_LAB_PEAK_GAIN_H
#define CFPC_LAB_PEAK_GAIN_H

#include "cfpc/system.h"

// The frequency response of an open loop.
enum { LAB_PEAK_FREQUENCIES = 400 };
typedef struct lab_open_response {
    double re[LAB_PEAK_FREQUENCIES];
    double im[LAB_PEAK_FREQUENCIES];
} lab_open_response;

// That of parts in series, from a thousandth of half the sampling rate up to it.
cfpc_status lab_open_response_of(lab_open_response *response, int32_t count,
                                 const cfpc_system *parts, double step_s);

// M of the closed loop.
double lab_peak(const lab_open_response *open);

// The smallest g > 0 with |1 + g L| = 1/M at one of these frequencies: up to it no disturbance is
// amplified more than M times, and as g L then never reaches -1, the loop is stable. INFINITY: none
// is, at any gain.
double lab_gain_for_peak(const lab_open_response *open, double most);

#endif
