// SPDX-License-Identifier: Apache-2.0
// load: the experiment named on the command line, with the changes given there.
#ifndef CFPC_APP_LOAD_H
#define CFPC_APP_LOAD_H

#include "options.h"

// The file that the first positional names, and what --set, --rule, --trials, --learning-rate,
// --online, --repeat and --seed change in it, if the verb has them.
typedef struct app_given {
    char *file;
    cfpc_settings *settings;
    cfpc_experiment_options options; // with the settings
} app_given;

// Free it even if this fails.
cfpc_outcome app_read_given(app_given *given, const app_line *line, cfpc_why *why);
void app_given_free(app_given *given);

// Reads the experiment with all of it. The caller frees it; NULL unless it is done.
cfpc_outcome app_load(cfpc_experiment **experiment, const app_line *line, cfpc_why *why);

// Reads it and prints a text of it.
cfpc_outcome app_print_of(const app_line *line,
                          cfpc_outcome (*ask)(const cfpc_experiment *, char **, cfpc_why *),
                          cfpc_why *why);

// How a folder is written: --out names it, --force replaces one, --no-figures draws nothing.
cfpc_write_options app_write_options(const app_line *line);

#endif
