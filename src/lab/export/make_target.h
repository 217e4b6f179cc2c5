// SPDX-License-Identifier: Apache-2.0
// make_target: what is exported of a rule of a spec.
#ifndef CFPC_LAB_MAKE_TARGET_H
#define CFPC_LAB_MAKE_TARGET_H

#include "export/target.h"

// Makes what is exported of the plan's main rule. Free it in either case, before the plan; it must
// not move.
lab_outcome lab_target_make(lab_target *target, const lab_plan *plan,
                            const lab_target_options *options, lab_why *why);

#endif
