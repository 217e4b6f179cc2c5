// SPDX-License-Identifier: Apache-2.0
// load: the spec named on the command line, with the changes given there.
#ifndef CFPC_APP_LOAD_H
#define CFPC_APP_LOAD_H

#include "options.h"
#include "spec/spec.h"

// Reads the experiment named by the first positional, with --set, --rule, --trials, --learning-rate
// and --online if the verb has them. Free the spec even if this fails.
lab_outcome app_load_spec(lab_spec *spec, const app_line *line, lab_why *why);

#endif
