// SPDX-License-Identifier: Apache-2.0
// band_json: what is said of the band of the believed model, as JSON.
#ifndef CFPC_LAB_BAND_JSON_H
#define CFPC_LAB_BAND_JSON_H

#include <stdio.h>

#include "analyse/analysis.h"

// The entry "band" of an analysis, with a comma after it; null if the spec has none.
// Nothing is certified of a model that is doubtful.
void lab_band_json(FILE *file, const lab_band_analysis *band, double rate, bool doubtful);

#endif
