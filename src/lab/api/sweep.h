// SPDX-License-Identifier: Apache-2.0
// sweep: what a cfpc_sweep is: an experiment, its grid, and what became of the points.
#ifndef CFPC_LAB_API_SWEEP_H
#define CFPC_LAB_API_SWEEP_H

#include "api/experiment.h"
#include "sweep/swept.h"

struct cfpc_sweep {
    cfpc_experiment experiment; // its spec, without a plan
    lab_grid grid;
    lab_sweep sweep; // no points until it is ready
    lab_swept swept; // no columns until all points are finished
};

// The spec that every point begins with, of a file or a tree (the other is NULL); clear the sweep
// in either case; it must not move.
lab_outcome lab_sweep_begin(cfpc_sweep *sweep, const char *file, const cfpc_tree *tree,
                            const lab_changes *changes, lab_why *why);
void lab_sweep_clear(cfpc_sweep *sweep);

// A sweep of an experiment that was read already: what its changes say of seeds becomes a setting
// of every point.
lab_outcome lab_sweep_seeds(cfpc_sweep *sweep, const lab_changes *changes, lab_why *why);

// All axes are there: the points, all of them, can be run, and no more axes be added.
lab_outcome lab_sweep_ready(cfpc_sweep *sweep, lab_why *why);

// The same, and no point is finished: a journal takes no points but those that it has, or gets.
lab_outcome lab_sweep_begin_again(cfpc_sweep *sweep, lab_why *why);

// All points are finished: a program can ask for their measures.
lab_outcome lab_sweep_tabulate(cfpc_sweep *sweep, lab_why *why);

// 0: one per core.
lab_outcome lab_check_threads(int threads, lab_why *why);

// The measure that is drawn unless another is asked for: the first rule's rRMSE in the last trial.
typedef struct lab_usual_measure {
    char name[LAB_MEASURE_NAME];
} lab_usual_measure;
lab_usual_measure lab_sweep_usual_measure(const cfpc_sweep *sweep);

#endif
