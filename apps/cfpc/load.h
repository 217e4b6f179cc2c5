// SPDX-License-Identifier: Apache-2.0
// load: the experiment named on the command line, with the changes given there.
#ifndef CFPC_APP_LOAD_H
#define CFPC_APP_LOAD_H

#include "api/experiment.h"
#include "base/folder.h"
#include "options.h"

// Reads the experiment named by the first positional, with --set, --rule, --trials, --learning-rate
// and --online if the verb has them: its spec, or its plan as well. Clear it even if this fails; it
// must not move.
lab_outcome app_load(cfpc_experiment *experiment, const app_line *line, lab_why *why);
lab_outcome app_load_plan(cfpc_experiment *experiment, const app_line *line, lab_why *why);

// A result folder that begins with the spec and copies of the files it names. It is complete, or
// not there at all: end it with the outcome of what was written into it.
lab_outcome app_begin_result(lab_folder *folder, const lab_spec *spec, const char *path, bool force,
                             lab_why *why);
lab_outcome app_end_result(lab_folder *folder, lab_outcome outcome, lab_why *why);

#endif
