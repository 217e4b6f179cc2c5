// SPDX-License-Identifier: Apache-2.0
// given: whether the system passed to a set-up function is valid: not NULL, zeroed or freed. The
// contract is in cfpc/status.h.
#ifndef CFPC_DESIGN_GIVEN_H
#define CFPC_DESIGN_GIVEN_H

#include "cfpc/system.h"

static inline bool cfpci_given(const cfpc_system *sys)
{
    return sys && sys->matrix && (sys->lines == 0 || sys->delay_steps);
}

#endif
