// SPDX-License-Identifier: Apache-2.0
// load: the spec that a verb's words name, with what they change in it.
#ifndef CFPC_APP_LOAD_H
#define CFPC_APP_LOAD_H

#include "options.h"
#include "spec/load.h"

// Reads the experiment that is the first positional, with --set, --rule, --trials, --learning-rate
// and --online as far as the verb has them. Free the spec in either case.
lab_outcome app_load_spec(lab_spec *spec, const app_line *line, lab_why *why);

// One line on stderr for each note.
void app_print_notes(const lab_texts *notes);

#endif
