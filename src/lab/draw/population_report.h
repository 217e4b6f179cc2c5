// SPDX-License-Identifier: Apache-2.0
// population_report: the results of traces on random loops.
#ifndef CFPC_LAB_POPULATION_REPORT_H
#define CFPC_LAB_POPULATION_REPORT_H

#include "write/results.h"

// population.csv: one row per loop, basis and trace.
lab_outcome lab_write_population(lab_folder *folder, const lab_result *result, lab_why *why);

// fig-population: which share of the loops is learned after how many trials; fig-wrong: what is
// left of that where the loop is not what was believed.
lab_outcome lab_draw_population(lab_folder *folder, const lab_result *result, bool can_draw,
                                lab_why *why);

#endif
