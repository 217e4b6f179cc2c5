// SPDX-License-Identifier: Apache-2.0
// identification_figure: what was identified, in four panels: simulation, impulse response,
// frequency response and residuals.
#ifndef CFPC_LAB_IDENTIFICATION_FIGURE_H
#define CFPC_LAB_IDENTIFICATION_FIGURE_H

#include "base/folder.h"
#include "identify/identification.h"

// fig-identify, from the tables that lab_write_identification wrote.
lab_outcome lab_draw_identification(lab_folder *folder, const lab_identification *identification,
                                    bool can_draw, lab_why *why);

#endif
