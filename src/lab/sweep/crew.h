// SPDX-License-Identifier: Apache-2.0
// crew: the threads that run the points of a sweep. What comes out does not depend on how many
// there are.
#ifndef CFPC_LAB_CREW_H
#define CFPC_LAB_CREW_H

#include "run/run.h"
#include "sweep/journal.h"

enum { LAB_MOST_THREADS = 64 }; // as many as OpenBLAS has room for

// Runs all points that are not finished. The caller's thread keeps the journal (or NULL) and tells
// the progress (or NULL); each thread runs one point after the other.
lab_outcome lab_crew_run(lab_sweep *sweep, int threads, lab_journal *journal,
                         const lab_progress *progress, lab_why *why);

#endif
