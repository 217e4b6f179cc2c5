// SPDX-License-Identifier: Apache-2.0
// tuning_figure: what was tried for each rule that was tuned, and what was chosen.
#ifndef CFPC_LAB_TUNING_FIGURE_H
#define CFPC_LAB_TUNING_FIGURE_H

#include "write/results.h"

// tuning.csv
lab_outcome lab_write_tuning(lab_folder *folder, const lab_result *result, lab_why *why);

// fig-tuning
lab_outcome lab_draw_tuning(lab_folder *folder, const lab_result *result, bool can_draw,
                            lab_why *why);

#endif
