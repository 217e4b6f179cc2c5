// SPDX-License-Identifier: Apache-2.0
// settings: rule and guard as a definition holds them, their defaults and whether they are valid.
#ifndef CFPC_CORE_SETTINGS_H
#define CFPC_CORE_SETTINGS_H

#include "cfpc/guard.h"
#include "cfpc/rule.h"
#include "cfpc/status.h"

// CFPC_OK, or what is wrong with the rule of so many synapses.
cfpc_status cfpci_rule_check(const cfpc_rule *rule, int32_t synapses);

// CFPC_OK, or what is wrong with the guard.
cfpc_status cfpci_guard_check(const cfpc_guard *guard);

#endif
