// SPDX-License-Identifier: Apache-2.0
// given: whether a system that a set-up function reads is there: neither NULL, nor zeroed, nor
// freed. The contract is that of cfpc/status.h.
#ifndef CFPC_DESIGN_GIVEN_H
#define CFPC_DESIGN_GIVEN_H

#include "cfpc/system.h"

static inline bool cfpci_given(const cfpc_system *sys)
{
    return sys && sys->matrix && (sys->lines == 0 || sys->delay_steps);
}

#endif
