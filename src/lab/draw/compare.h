// SPDX-License-Identifier: Apache-2.0
// compare: several finished runs side by side.
#ifndef CFPC_LAB_COMPARE_H
#define CFPC_LAB_COMPARE_H

#include "base/folder.h"
#include "write/finished.h"

enum { LAB_MAX_RUNS = 12 };

// A rule of a run that is shown.
typedef struct lab_shown {
    int run, rule;
} lab_shown;

typedef struct lab_comparison {
    int runs;                       //
    lab_finished run[LAB_MAX_RUNS]; //
    char *name[LAB_MAX_RUNS];       // of each run's folder, unique
    int count;                      // of shown rules
    lab_shown *shown;               // (count)
} lab_comparison;

// Reads the runs, 2 to LAB_MAX_RUNS. The main rule of each run is shown. Free it even if this
// fails.
lab_outcome lab_comparison_make(lab_comparison *comparison, int runs, const char *const *folders,
                                lab_why *why);
void lab_comparison_free(lab_comparison *comparison);

// Shows the rule of this name, or with NULL all rules, of every run.
lab_outcome lab_comparison_show(lab_comparison *comparison, const char *rule, lab_why *why);

// compare.csv has all rules of all runs, fig-compare the shown ones.
lab_outcome lab_write_comparison(lab_folder *folder, const lab_comparison *comparison,
                                 lab_why *why);
lab_outcome lab_draw_comparison(lab_folder *folder, const lab_comparison *comparison, bool can_draw,
                                lab_why *why);

#endif
