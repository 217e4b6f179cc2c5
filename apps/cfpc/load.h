// SPDX-License-Identifier: Apache-2.0
// load: the experiment named on the command line, with the changes given there.
#ifndef CFPC_APP_LOAD_H
#define CFPC_APP_LOAD_H

#include "options.h"

// The file of the experiment that the first positional names; the caller frees it.
cfpc_outcome app_find_spec(char **file, const app_line *line, cfpc_why *why);

// What --rule, --trials, --learning-rate, --online, --repeat and --seed say, if the verb has them,
// and --set, for which the settings are.
cfpc_outcome app_read_changes(cfpc_experiment_options *to, cfpc_settings *settings,
                              const app_line *line, cfpc_why *why);

// Reads the experiment with all of these. The caller frees it; NULL unless it is done.
cfpc_outcome app_load(cfpc_experiment **experiment, const app_line *line, cfpc_why *why);

// How a folder is written: --out names it, --force replaces one, --no-figures draws nothing.
cfpc_write_options app_write_options(const app_line *line);

#endif
