// SPDX-License-Identifier: Apache-2.0
// trace_kind: traces that need not be computed for all bases: the loop itself, whose traces are H,
// and a delay, whose traces are X delayed.
#ifndef CFPC_DESIGN_TRACE_KIND_H
#define CFPC_DESIGN_TRACE_KIND_H

#include "cfpc/system.h"

bool cfpci_same_system(const cfpc_system *a, const cfpc_system *b);

// The delay of a pure delay, -1 for any other system.
int32_t cfpci_pure_delay(const cfpc_system *sys);

#endif
