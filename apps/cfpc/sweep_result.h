// SPDX-License-Identifier: Apache-2.0
// sweep_result: the objects of a sweep on the command line, and the result of one whose points are
// all known, from whatever journals.
#ifndef CFPC_APP_SWEEP_RESULT_H
#define CFPC_APP_SWEEP_RESULT_H

#include "api/sweep.h"
#include "options.h"
#include "spec/origin.h"

// Freed together.
typedef struct app_sweep {
    cfpc_sweep of;
    lab_swept swept; // with the measure that is drawn
    lab_origin origin;
    char measure[LAB_MEASURE_NAME]; // to plot
    int threads;
} app_sweep;

void app_sweep_free(app_sweep *sweep);

// What became of a result.
typedef enum app_left {
    APP_LEFT_NOTHING, // there is none, and nothing that could be resumed: no point was done
    APP_LEFT_PARTLY,  // there is none, or points in it failed: the journals are needed
    APP_LEFT_ALL      // it is there, and the journals are not needed any more
} app_left;

// Writes the result and prints the report. `again` says how points that failed are tried again.
lab_outcome app_sweep_leave(app_sweep *sweep, const app_line *line, const char *path, bool force,
                            const char *again, app_left *left, lab_why *why);

#endif
