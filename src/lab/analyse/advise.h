// SPDX-License-Identifier: Apache-2.0
// advise: the one sentence at the end of an analysis. What it proposes was tried before.
#ifndef CFPC_LAB_ADVISE_H
#define CFPC_LAB_ADVISE_H

#include "analyse/analysis.h"
#include "run/setup.h"

// The sentence that says what to do; without a setup the loop is not stable.
lab_outcome lab_advise(lab_analysis *analysis, const lab_setup *setup, lab_why *why);

#endif
