// SPDX-License-Identifier: Apache-2.0
// target_needs: what a target needs of flash, RAM and time, and whether it fits.
#ifndef CFPC_LAB_TARGET_NEEDS_H
#define CFPC_LAB_TARGET_NEEDS_H

#include "export/target.h"

// Packs the basis signals as the flash allows and counts what is needed. Refuses what does not fit.
lab_outcome lab_target_fit(lab_target *target, const lab_target_options *options, lab_why *why);

#endif
