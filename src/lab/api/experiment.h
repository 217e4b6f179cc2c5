// SPDX-License-Identifier: Apache-2.0
// experiment: what a cfpc_experiment is: a spec file as it was read, with what is changed in it.
#ifndef CFPC_LAB_API_EXPERIMENT_H
#define CFPC_LAB_API_EXPERIMENT_H

#include "api/changes.h"
#include "spec/plan.h"

struct cfpc_experiment {
    lab_source source;     // the spec file as it was read
    lab_settings settings; // what is put into it
    lab_spec spec;         // both together
    lab_plan plan;         // every rule in every phase, where it was asked for
};

// The spec of a file, or of a tree (the other is NULL), without a plan; and the plan of it. Free
// the experiment in either case; it must not move.
lab_outcome lab_experiment_read(cfpc_experiment *experiment, const char *file,
                                const cfpc_tree *tree, const lab_changes *changes, lab_why *why);
lab_outcome lab_experiment_plan(cfpc_experiment *experiment, lab_why *why);
void lab_experiment_clear(cfpc_experiment *experiment);

// The spec again, for one who outlives the experiment. Free it in either case.
lab_outcome lab_experiment_respec(const cfpc_experiment *experiment, lab_spec *spec, lab_why *why);

#endif
