// SPDX-License-Identifier: Apache-2.0
// scale_report: the results of learning with different numbers of synapses.
#ifndef CFPC_LAB_SCALE_REPORT_H
#define CFPC_LAB_SCALE_REPORT_H

#include "write/results.h"

// scale.csv, and speed.csv with the figures that vary from run to run.
lab_outcome lab_write_scale(lab_folder *folder, const lab_result *result, lab_why *why);

// fig-scale: error, curves and rate.
lab_outcome lab_draw_scale(lab_folder *folder, const lab_result *result, bool can_draw,
                           lab_why *why);

#endif
