// SPDX-License-Identifier: Apache-2.0
// run: the trial runner. Every rule over all trials, batch or on line, into a record.
#ifndef CFPC_LAB_RUN_H
#define CFPC_LAB_RUN_H

#include "record.h"

// Told how far a run is; returns false to stop it.
typedef struct lab_progress {
    bool (*tick)(void *context, const char *what, int done, int total);
    void *context;
} lab_progress;

// Batch learning is computed in the coordinates of the least-squares problem; the first and the
// last trial of every rule are then run on the loop itself, and must agree. On-line learning runs
// on the loop throughout.
lab_outcome lab_run(lab_record *record, const lab_setup *setup, const lab_spec *spec,
                    const lab_progress *progress, lab_why *why);

#endif
