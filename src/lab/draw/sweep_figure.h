// SPDX-License-Identifier: Apache-2.0
// sweep_figure: a finished sweep as curves or as a map.
#ifndef CFPC_LAB_SWEEP_FIGURE_H
#define CFPC_LAB_SWEEP_FIGURE_H

#include "base/folder.h"
#include "sweep/swept.h"

// Why there is nothing to draw: a figure has one or two axes of numbers. NULL if there is.
const char *lab_sweep_undrawn(const lab_swept *swept);

// fig-sweep: curves over one axis of numbers, or a map over two.
lab_outcome lab_draw_sweep(lab_folder *folder, const lab_swept *swept, bool can_draw, lab_why *why);

#endif
