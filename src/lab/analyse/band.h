// SPDX-License-Identifier: Apache-2.0
// band: what the band of the believed model means for learning: a bound that holds for every model
// inside, how some of them learn, and settings for the worst of these.
#ifndef CFPC_LAB_BAND_H
#define CFPC_LAB_BAND_H

#include "analyse/analysis.h"
#include "run/setup.h"

// Does nothing for a spec without a band.
lab_outcome lab_analyse_band(lab_band_analysis *band, lab_arena *arena, const lab_plan *plan,
                             const lab_setup *setup, lab_why *why);

#endif
