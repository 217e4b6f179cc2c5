// SPDX-License-Identifier: Apache-2.0
// reshape: what a system passed to a set-up function is, and the same with other inputs and
// outputs.
#ifndef CFPC_DESIGN_RESHAPE_H
#define CFPC_DESIGN_RESHAPE_H

#include "cfpc/system.h"

// The transpose: inputs and outputs, states and their successors change places. Run backward in
// time it is the adjoint.
cfpc_status cfpci_transpose(cfpc_system *sys, const cfpc_system *original);

// The same system with more inputs, after its own, that do nothing.
cfpc_status cfpci_widen(cfpc_system *sys, const cfpc_system *original, int32_t inputs);

#endif
