// SPDX-License-Identifier: Apache-2.0
// options: parses the arguments of a verb by the verb's table, which is also its help.
#ifndef CFPC_APP_OPTIONS_H
#define CFPC_APP_OPTIONS_H

#include <stdbool.h>

#include "cfpc/lab.h"

enum { APP_MAX_OPTIONS = 24, APP_MAX_POSITIONALS = 64, APP_MAX_MANY = 64 };

typedef struct app_option {
    const char *name;     // with its dashes
    const char *argument; // name of its value; NULL: a switch
    const char *meaning;  // one line
    bool many;            // may be repeated
} app_option;

// The parsed arguments of a verb.
typedef struct app_line {
    const app_option *options;
    const char
        *values[APP_MAX_OPTIONS];   // of each option; "" for a switch that is on, otherwise NULL
    const char *many[APP_MAX_MANY]; // all values of options that may be repeated
    const app_option *many_of[APP_MAX_MANY]; // and whose they are
    int many_count;                          //
    const char *positionals[APP_MAX_POSITIONALS];
    int count; // of positionals
} app_line;

// Parses the arguments. Unknown options, missing values and surplus arguments are refused.
cfpc_outcome app_parse(app_line *line, const app_option *options, int positionals, int count,
                       char *const *words, cfpc_why *why);

// The value of an option, NULL if it was not given.
const char *app_value(const app_line *line, const char *name);

// The i-th value of an option that may be repeated, NULL if there are no more.
const char *app_repeated(const app_line *line, const char *name, int i);

// A number above 0, or a whole one of at least `least`, if it is given as an option's value.
cfpc_outcome app_number(const app_line *line, const char *name, double *value, cfpc_why *why);
cfpc_outcome app_whole(const app_line *line, const char *name, int least, int *value,
                       cfpc_why *why);

#endif
