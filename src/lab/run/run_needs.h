// SPDX-License-Identifier: Apache-2.0
// run_needs: what a run will need; from the sizes of its specs, nothing is run.
#ifndef CFPC_LAB_RUN_NEEDS_H
#define CFPC_LAB_RUN_NEEDS_H

#include "base/needs.h"
#include "spec/plan.h"

// Of the run, and of what comes before its first trial. Refuses files that a spec names and cannot
// be read.
lab_outcome lab_run_needs(lab_needs *needs, lab_needs *before, const lab_plan *plan, lab_why *why);

#endif
