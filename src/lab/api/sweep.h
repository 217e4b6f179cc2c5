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

// All axes are there: the points, all of them, can be run, and no more axes be added.
lab_outcome lab_sweep_ready(cfpc_sweep *sweep, lab_why *why);

// All points are finished: a program can ask for their measures.
lab_outcome lab_sweep_tabulate(cfpc_sweep *sweep, lab_why *why);

// How many threads these are; 0: one per core.
lab_outcome lab_sweep_threads(int *threads, int wanted, lab_why *why);

#endif
