// SPDX-License-Identifier: Apache-2.0
// experiment: what a cfpc_experiment is: a spec file as it was read, with what a program's options
// change in it.
#ifndef CFPC_LAB_API_EXPERIMENT_H
#define CFPC_LAB_API_EXPERIMENT_H

#include "spec/load.h"
#include "spec/plan.h"

struct cfpc_experiment {
    lab_source source;     // the spec file as it was read
    lab_settings settings; // what is put into it
    lab_spec spec;         // both together
    lab_plan plan;         // every rule in every phase, where it was asked for
};

// The spec of a file, or of a tree (the other is NULL), without a plan. Options may be NULL; those
// that no spec can have are refused. Clear the experiment in either case; it must not move.
lab_outcome lab_experiment_read(cfpc_experiment *experiment, const char *file,
                                const cfpc_tree *tree, const cfpc_experiment_options *options,
                                lab_why *why);
void lab_experiment_clear(cfpc_experiment *experiment);

// What the settings of a program hold; NULL for NULL.
const lab_settings *lab_settings_of(const cfpc_settings *settings);

// Adds a setting whose value is one number, as `learning.trials=5` does.
lab_outcome lab_set_number(lab_settings *to, const char *path, int number, lab_why *why);

#endif
