// SPDX-License-Identifier: Apache-2.0
// analyse: all that can be said of an experiment before it is run.
#ifndef CFPC_LAB_ANALYSE_H
#define CFPC_LAB_ANALYSE_H

#include "analyse/analysis.h"
#include "base/pace.h"
#include "spec/plan.h"

typedef struct lab_analyse_options {
    bool region;              // fill the plane of delay and gain
    const char *weights_file; // where they are from
    const double *weights;    // that the cell has now; NULL: those at the end of a run, where bases
    int weight_count;         // are driven by the loop
    const lab_progress *progress; // called piece by piece, may stop it; NULL: none
} lab_analyse_options;

// Analyses the main rule in the first phase. Free the analysis in either case.
lab_outcome lab_analyse(lab_analysis *analysis, const lab_plan *plan,
                        const lab_analyse_options *options, lab_why *why);

#endif
