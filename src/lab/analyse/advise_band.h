// SPDX-License-Identifier: Apache-2.0
// advise_band: advice for the worst model of a band.
#ifndef CFPC_LAB_ADVISE_BAND_H
#define CFPC_LAB_ADVISE_BAND_H

#include "analyse/analysis.h"

// Writes the advice of an analysis whose band was analysed; false: there is no such.
bool lab_advise_band(lab_analysis *analysis);

#endif
