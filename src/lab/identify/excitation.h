// SPDX-License-Identifier: Apache-2.0
// excitation: whether an input holds more than one or two frequencies.
#ifndef CFPC_LAB_EXCITATION_H
#define CFPC_LAB_EXCITATION_H

#include <stdbool.h>

#include "base/outcome.h"

// Whether an input (count), less its mean, is more than two sinusoids: those follow exactly from
// four earlier values a quarter of a period apart, and nothing that excites more does.
lab_outcome lab_is_persistent(bool *is, int count, const double *input, lab_why *why);

#endif
