// SPDX-License-Identifier: Apache-2.0
// given: what a system that was passed to a set-up function is.
#ifndef CFPC_DESIGN_GIVEN_H
#define CFPC_DESIGN_GIVEN_H

#include "cfpc/system.h"

// Whether it is valid: not NULL, zeroed or freed. The contract is in cfpc/status.h.
static inline bool cfpci_given(const cfpc_system *sys)
{
    return sys && sys->matrix && (sys->lines == 0 || sys->delay_steps);
}

bool cfpci_same_system(const cfpc_system *a, const cfpc_system *b);

// The delay of a pure delay, -1 for any other system.
int32_t cfpci_pure_delay(const cfpc_system *sys);

#endif
