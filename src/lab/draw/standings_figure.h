// SPDX-License-Identifier: Apache-2.0
// standings_figure: the rules side by side, as a figure.
#ifndef CFPC_LAB_STANDINGS_FIGURE_H
#define CFPC_LAB_STANDINGS_FIGURE_H

#include "write/standings.h"

// fig-standings: one panel per column.
lab_outcome lab_draw_standings(lab_folder *folder, const lab_result *result, bool can_draw,
                               lab_why *why);

#endif
