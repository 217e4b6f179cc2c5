// SPDX-License-Identifier: Apache-2.0
// excitation_figure: a probe, its spectrum, and how accurately the path will be known from it.
#ifndef CFPC_LAB_EXCITATION_FIGURE_H
#define CFPC_LAB_EXCITATION_FIGURE_H

#include "analyse/excite.h"
#include "base/folder.h"

// fig-probe, beside probe.csv.
lab_outcome lab_draw_excitation(lab_folder *folder, const lab_excitation *excitation, bool can_draw,
                                lab_why *why);

#endif
