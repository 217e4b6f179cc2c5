// SPDX-License-Identifier: Apache-2.0
// tolerance: how far the loop may be from what the cell believes before the verdict is lost.
#ifndef CFPC_LAB_TOLERANCE_H
#define CFPC_LAB_TOLERANCE_H

#include "analyse/analysis.h"
#include "analyse/learner.h"

// Nothing of it is found where the verdict is "diverges" already, except the phase error. With
// `region` the plane of delay and gain is filled as well. Its arrays are the arena's.
lab_outcome lab_tolerate(lab_tolerance *tolerance, lab_arena *arena, const lab_learner *learner,
                         bool region, lab_why *why);

#endif
