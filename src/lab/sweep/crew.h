// SPDX-License-Identifier: Apache-2.0
// crew: the threads that run the points of a sweep. The result does not depend on their number.
#ifndef CFPC_LAB_CREW_H
#define CFPC_LAB_CREW_H

#include "run/run.h"
#include "sweep/journal.h"

enum { LAB_MAX_THREADS = 64 };

// One per core.
int lab_usual_threads(void);

// Runs all unfinished points of the sweep's part. The caller's thread writes the journal (or NULL)
// and reports the progress (or NULL); each thread runs one point after another.
lab_outcome lab_crew_run(lab_sweep *sweep, int threads, lab_journal *journal,
                         const lab_progress *progress, lab_why *why);

#endif
