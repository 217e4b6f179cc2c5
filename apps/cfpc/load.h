// SPDX-License-Identifier: Apache-2.0
// load: the experiment that a verb's words name, with what they change in it.
#ifndef CFPC_APP_LOAD_H
#define CFPC_APP_LOAD_H

#include "options.h"
#include "spec/load.h"
#include "spec/plan.h"

typedef struct app_experiment {
    lab_source source;     // the spec file as it was read; empty once there is a plan
    lab_settings settings; // what the words put into it; likewise
    lab_spec spec;         // both together
    lab_plan plan;         // every rule in every phase, where it was asked for
} app_experiment;

// Reads the experiment that is the first positional, with --set, --rule, --trials, --learning-rate
// and --online as far as the verb has them: its spec, or its plan as well. Free it in either case;
// it must not move.
lab_outcome app_load(app_experiment *it, const app_line *line, lab_why *why);
lab_outcome app_load_plan(app_experiment *it, const app_line *line, lab_why *why);
void app_experiment_free(app_experiment *it);

// One line on stderr for each note.
void app_print_notes(const lab_texts *notes);

#endif
