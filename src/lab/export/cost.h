// SPDX-License-Identifier: Apache-2.0
// cost: what a target needs of flash, RAM and time, and whether it fits. The bytes of models and
// data are exact; code, stack and instructions are what a Cortex-M4F needs, by formulas whose
// constants were measured (cost.c).
#ifndef CFPC_LAB_COST_H
#define CFPC_LAB_COST_H

#include "export/target.h"

// Packs the basis signals as the flash allows and counts what is needed. Refuses what does not fit.
lab_outcome lab_target_fit(lab_target *target, const lab_target_options *options, lab_why *why);

#endif
