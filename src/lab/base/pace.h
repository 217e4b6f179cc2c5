// SPDX-License-Identifier: Apache-2.0
// pace: how far a run is, reported to the caller, who may stop it.
#ifndef CFPC_LAB_PACE_H
#define CFPC_LAB_PACE_H

#include <stdbool.h>

#include "base/outcome.h"

// That of cfpc/lab.h, under the lab's own name.
typedef cfpc_progress lab_progress;

typedef struct lab_pace {
    const lab_progress *progress; // NULL: no report
    int done, total;              // pieces of work
} lab_pace;

// One more piece is done.
static inline lab_outcome lab_tick(lab_pace *pace, const char *what, lab_why *why)
{
    const lab_progress *progress = pace->progress;
    pace->done++;
    if (progress && !progress->tick(progress->context, what, pace->done, pace->total))
        return lab_fail(why, "stopped");
    return LAB_DONE;
}

#endif
