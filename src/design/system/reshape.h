// SPDX-License-Identifier: Apache-2.0
// reshape: a system with other inputs and outputs, or as a part of a larger one.
#ifndef CFPC_DESIGN_RESHAPE_H
#define CFPC_DESIGN_RESHAPE_H

#include "cfpc/system.h"

// Copies a part into a system that is zero there: after the states, inputs, outputs and lines that
// `at` counts.
void cfpci_place(cfpc_system *sys, const cfpc_system *part, const cfpc_system *at);

// The transpose: inputs and outputs, states and their successors change places. Run backward in
// time it is the adjoint.
cfpc_status cfpci_transpose(cfpc_system *sys, const cfpc_system *original);

// The same system with more inputs, after its own, that do nothing.
cfpc_status cfpci_widen(cfpc_system *sys, const cfpc_system *original, int32_t inputs);

#endif
