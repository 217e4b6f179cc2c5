// SPDX-License-Identifier: Apache-2.0
// lab_only: what a spec may have that no firmware can: it is simulated, or needs the next trial's
// weights before they are learned.
#ifndef CFPC_LAB_LAB_ONLY_H
#define CFPC_LAB_LAB_ONLY_H

#include "spec/plan.h"

// Refuses a rule that cannot run outside the lab, with the key that says so.
lab_outcome lab_check_exportable(const lab_plan *plan, int rule, lab_why *why);

#endif
