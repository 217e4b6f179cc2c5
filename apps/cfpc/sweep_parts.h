// SPDX-License-Identifier: Apache-2.0
// sweep_parts: one part of a sweep, and the result of all parts.
#ifndef CFPC_APP_SWEEP_PARTS_H
#define CFPC_APP_SWEEP_PARTS_H

#include "sweep/journal.h"
#include "sweep_result.h"

// Options that a part's or the gathering command must not repeat, NULL at the end.
extern const char *const app_parts_options[];

// Runs a part of the sweep of the result at this path: --part.
lab_outcome app_sweep_part(app_sweep *sweep, const app_line *line, const char *wanted,
                           lab_why *why);

// Leaves the result of all parts: --gather.
lab_outcome app_sweep_gather(app_sweep *sweep, const app_line *line, const char *wanted,
                             lab_why *why);

// Runs the points of the sweep's part that are not finished, with a line of progress.
lab_outcome app_sweep_run(app_sweep *sweep, const app_line *line, lab_journal *journal,
                          lab_why *why);

#endif
