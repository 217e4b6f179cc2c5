// SPDX-License-Identifier: Apache-2.0
// idle_bank: banks of which nothing happens within a trial: their weights learn nothing.
#ifndef CFPC_LAB_IDLE_BANK_H
#define CFPC_LAB_IDLE_BANK_H

#include "spec/spec.h"

// Whether all signals of a bank lie after the trial, the first such bank in one sentence; otherwise
// "". A bank whose cue is switched off is silent on purpose.
bool lab_has_idle_bank(const lab_spec *spec, lab_why *caution);

#endif
