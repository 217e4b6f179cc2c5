// SPDX-License-Identifier: Apache-2.0
#include "words.h"

#include <stddef.h>
#include <string.h>

static bool is_among(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static void add(app_words *to, const char *word)
{
    to->word[to->count++] = word;
}

static void add_option(app_words *to, const app_option *option, const char *value)
{
    add(to, option->name);
    if (option->argument)
        add(to, value);
}

static void add_options(app_words *to, const app_line *line, const char *const *left_out)
{
    for (int i = 0; line->options[i].name; i++) {
        const app_option *option = &line->options[i];
        if (!line->values[i] || is_among(option->name, left_out))
            continue;
        if (!option->many)
            add_option(to, option, line->values[i]);
        const char *value;
        for (int k = 0; option->many && (value = app_repeated(line, option->name, k)); k++)
            add_option(to, option, value);
    }
}

static bool has_dashes(const app_line *line)
{
    for (int i = 0; i < line->count; i++)
        if (line->positionals[i][0] == '-')
            return true;
    return false;
}

app_words app_words_of(const char *verb, const app_line *line, const char *const *left_out)
{
    const bool dashes = has_dashes(line);
    app_words to = {0};
    add(&to, "cfpc");
    add(&to, verb);
    for (int i = 0; !dashes && i < line->count; i++)
        add(&to, line->positionals[i]);
    add_options(&to, line, left_out);
    if (dashes)
        add(&to, "--");
    for (int i = 0; dashes && i < line->count; i++)
        add(&to, line->positionals[i]);
    return to;
}
