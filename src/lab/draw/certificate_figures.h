// SPDX-License-Identifier: Apache-2.0
// certificate_figures: what an analysis predicts and what its loop tolerates, as figures.
#ifndef CFPC_LAB_CERTIFICATE_FIGURES_H
#define CFPC_LAB_CERTIFICATE_FIGURES_H

#include "analyse/analysis.h"
#include "base/folder.h"

// fig-prediction, if learning could be analysed, and fig-tolerance, if delays were varied.
lab_outcome lab_draw_certificate(lab_folder *folder, const lab_analysis *analysis, bool can_draw,
                                 lab_why *why);

#endif
