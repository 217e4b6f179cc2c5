// SPDX-License-Identifier: Apache-2.0
// verbs: the verbs of the command, one file per verb.
#ifndef CFPC_APP_VERBS_H
#define CFPC_APP_VERBS_H

#include "options.h"

typedef struct app_verb {
    const char *name;
    const char *arguments;     // for the usage line
    const char *summary;       // one line
    const char *text;          // more, for help
    const app_option *options; // name NULL at the end
    int positionals;           // how many arguments without dashes it takes
    cfpc_outcome (*run)(const app_line *line, cfpc_why *why);
} app_verb;

// The verbs in the order of the work, as help lists them: app_verb_run is defined in run.c, and so
// on.
#define APP_VERBS(X)                                                                               \
    X(excite)                                                                                      \
    X(identify)                                                                                    \
    X(analyse)                                                                                     \
    X(run)                                                                                         \
    X(export)                                                                                      \
    X(inspect)                                                                                     \
    X(sweep)                                                                                       \
    X(compare)                                                                                     \
    X(list)                                                                                        \
    X(show)                                                                                        \
    X(check)                                                                                       \
    X(help)                                                                                        \
    X(version)

#define APP_DECLARE(verb) extern const app_verb app_verb_##verb;
APP_VERBS(APP_DECLARE)

// All verbs, NULL at the end.
extern const app_verb *const app_verbs[];

// The verb of this name; NULL, after printing a message, if there is none.
const app_verb *app_find_verb(const char *name);

// Prints a verb's usage, options and text.
void app_print_help(const app_verb *verb);

#endif
