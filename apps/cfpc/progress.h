// SPDX-License-Identifier: Apache-2.0
// progress: a line on the terminal during a long run, and the way to stop it.
#ifndef CFPC_APP_PROGRESS_H
#define CFPC_APP_PROGRESS_H

#include <stdbool.h>

#include "cfpc/lab.h"

// Shows nothing if quiet, or if stderr is not a terminal. Ctrl-C then stops the run cleanly, a
// second one immediately.
cfpc_progress app_progress_begin(bool quiet);

// Clears the line.
void app_progress_end(void);

// Whether Ctrl-C or a signal asked to stop.
bool app_stopped(void);

#endif
