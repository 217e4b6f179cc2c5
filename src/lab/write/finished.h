// SPDX-License-Identifier: Apache-2.0
// finished: a finished run, read from its result folder.
#ifndef CFPC_LAB_FINISHED_H
#define CFPC_LAB_FINISHED_H

#include "base/outcome.h"
#include "spec/node.h"

typedef struct lab_finished {
    char *folder;     // as given
    int trials;       //
    int rules;        //
    char **rule;      // their names                                   (rules)
    double *rrmse;    // of each rule and trial                        (rules x trials)
    int main_rule;    // of the run
    double *rate;     // η of each rule; NAN if unknown                    (rules)
    int *diverged_at; // trial at which each rule diverged; 0: it did not  (rules)
    double optimum;   // rRMSE of the optimum; NAN if there is none
    int claims, held; // how many apply, and how many of them hold
} lab_finished;

// Reads curves.csv and summary.json of a result folder of `cfpc run`. Free it even if this fails.
lab_outcome lab_finished_read(lab_finished *run, const char *folder, lab_why *why);
void lab_finished_free(lab_finished *run);

// The rRMSE of a trial counted from 1; NAN if the run has no such trial.
double lab_finished_rrmse(const lab_finished *run, int rule, int trial);

// The rule of this name.
lab_outcome lab_finished_find_rule(const lab_finished *run, const char *name, int *rule,
                                   lab_why *why);

// ---- what others read of a result ------------------------------------------------------------

// The text of a file of its folder, and the file's path for messages; or summary.json, parsed. Both
// are the caller's to free in either case. `takes` says who takes what: "compare takes folders".
lab_outcome lab_result_text(char **file, char **text, const char *folder, const char *name,
                            const char *takes, lab_why *why);
lab_outcome lab_result_summary(char **file, lab_node **root, const char *folder, const char *takes,
                               lab_why *why);

// What the summary says of a key; NULL: nothing.
const char *lab_summary_text(const lab_node *map, const char *key);

#endif
