// SPDX-License-Identifier: Apache-2.0
// load: the experiment named on the command line, with the changes given there.
#ifndef CFPC_APP_LOAD_H
#define CFPC_APP_LOAD_H

#include "base/folder.h"
#include "options.h"
#include "spec/load.h"
#include "spec/plan.h"

typedef struct app_experiment {
    lab_source source;     // the spec file as it was read; empty once there is a plan
    lab_settings settings; // what the words put into it; likewise
    lab_spec spec;         // both together
    lab_plan plan;         // every rule in every phase, where it was asked for
} app_experiment;

// Reads the experiment named by the first positional, with --set, --rule, --trials, --learning-rate
// and --online if the verb has them: its spec, or its plan as well. Free it even if this fails; it
// must not move.
lab_outcome app_load(app_experiment *it, const app_line *line, lab_why *why);
lab_outcome app_load_plan(app_experiment *it, const app_line *line, lab_why *why);
void app_experiment_free(app_experiment *it);

// A result folder that begins with the spec and copies of the files it names. It is complete, or
// not there at all: end it with the outcome of what was written into it.
lab_outcome app_begin_result(lab_folder *folder, const app_experiment *it, const char *path,
                             bool force, lab_why *why);
lab_outcome app_end_result(lab_folder *folder, lab_outcome outcome, lab_why *why);

// Prints one line on stderr per note.
void app_print_notes(const lab_texts *notes);

#endif
