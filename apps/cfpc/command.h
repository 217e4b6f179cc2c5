// SPDX-License-Identifier: Apache-2.0
// command: the command line as text that a shell reads back as the same words.
#ifndef CFPC_APP_COMMAND_H
#define CFPC_APP_COMMAND_H

#include <stdio.h>

#include "options.h"

// Writes "VERB WORDS OPTIONS LAST": without the options named in left_out (NULL at its end), and
// with one more at the end, as it is.
void app_put_command(FILE *to, const char *verb, const app_line *line, const char *const *left_out,
                     const char *last);

#endif
