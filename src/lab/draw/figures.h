// SPDX-License-Identifier: Apache-2.0
// figures: the figures of a run, each with its script and its data.
#ifndef CFPC_LAB_FIGURES_H
#define CFPC_LAB_FIGURES_H

#include "write/results.h"

// Whether the first and the last trial have the same task, so that fig-behaviour can compare them.
bool lab_shows_behaviour(const lab_record *record);

// Draws all figures into the folder. Without gnuplot, only scripts and data are written.
lab_outcome lab_draw_figures(lab_folder *folder, const lab_result *result, lab_why *why);

#endif
