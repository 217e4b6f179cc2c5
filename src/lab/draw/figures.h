// SPDX-License-Identifier: Apache-2.0
// figures: what a run shows. Each figure leaves its script and its data beside it.
#ifndef CFPC_LAB_FIGURES_H
#define CFPC_LAB_FIGURES_H

#include "write/results.h"

// Whether the first and the last trial ask for the same, so that fig-behaviour can compare them.
bool lab_shows_behaviour(const lab_record *record);

// Draws all figures into the folder. Without gnuplot, scripts and data are left to draw later.
lab_outcome lab_draw_figures(lab_folder *folder, const lab_result *result, lab_why *why);

#endif
