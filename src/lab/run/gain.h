// SPDX-License-Identifier: Apache-2.0
// gain: by how much the output follows an input, trial by trial.
#ifndef CFPC_LAB_GAIN_H
#define CFPC_LAB_GAIN_H

#include "plant/world.h"

// Whether a spec asks for the gain.
bool lab_asks_gain(const lab_spec *spec);

// Least squares: Σ s y / Σ s² over a trial counted from 0; NAN where the input s is silent.
double lab_measure_gain(const lab_world *world, int trial, const double *y);

#endif
