// SPDX-License-Identifier: Apache-2.0
// settings: rule and guard of a definition, their defaults and their checks.
#ifndef CFPC_CORE_SETTINGS_H
#define CFPC_CORE_SETTINGS_H

#include "cfpc/guard.h"
#include "cfpc/rule.h"
#include "cfpc/status.h"

// CFPC_OK if the rule is valid for this number of synapses.
cfpc_status cfpci_rule_check(const cfpc_rule *rule, int32_t synapses);

// CFPC_OK if the guard is valid.
cfpc_status cfpci_guard_check(const cfpc_guard *guard);

#endif
