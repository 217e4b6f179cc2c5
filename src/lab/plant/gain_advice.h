// SPDX-License-Identifier: Apache-2.0
// gain_advice: what to change in a loop that is unstable.
#ifndef CFPC_LAB_GAIN_ADVICE_H
#define CFPC_LAB_GAIN_ADVICE_H

#include "base/outcome.h"
#include "plant/parts.h"

// What to do about an unstable loop of these parts. A plant that is unstable by itself needs gains
// that are neither too low nor too high: other gains are tried, and the advice names those that are
// stable. The gain of the controller is changed.
void lab_gain_advice(lab_why *advice, lab_parts *parts);

#endif
