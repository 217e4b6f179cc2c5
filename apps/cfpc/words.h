// SPDX-License-Identifier: Apache-2.0
// words: the words of a command line again, for a command that repeats it.
#ifndef CFPC_APP_WORDS_H
#define CFPC_APP_WORDS_H

#include "options.h"

typedef struct app_words {
    const char *word[APP_MAX_POSITIONALS + 2 * (APP_MAX_OPTIONS + APP_MAX_MANY) + 4];
    int count; // NULL follows the last
} app_words;

// "cfpc VERB" and all words of the line, but for the options named in left_out (NULL at its end).
// Positionals that begin with a dash come last, after two dashes.
app_words app_words_of(const char *verb, const app_line *line, const char *const *left_out);

#endif
