// SPDX-License-Identifier: Apache-2.0
// zone_report: the results of a zone, and of coupled joints.
#ifndef CFPC_LAB_ZONE_REPORT_H
#define CFPC_LAB_ZONE_REPORT_H

#include "write/results.h"

// zone.csv: one row per cell; joints.csv: one row per coupling.
lab_outcome lab_write_zone(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_write_joints(lab_folder *folder, const lab_result *result, lab_why *why);

// fig-zone: what is left of every cell's error with its own and with a common model, with noise,
// and with other numbers of cells and synapses; fig-joints: what coupling does to both rules, and
// what their eigenvalues predict.
lab_outcome lab_draw_zone(lab_folder *folder, const lab_result *result, bool can_draw,
                          lab_why *why);
lab_outcome lab_draw_joints(lab_folder *folder, const lab_result *result, bool can_draw,
                            lab_why *why);

#endif
