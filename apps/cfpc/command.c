// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <string.h>

#include "base/quoted.h"

static bool is_among(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static void put_option(FILE *to, const app_option *option, const char *value)
{
    fprintf(to, " %s", option->name);
    if (option->argument) {
        fputc(' ', to);
        lab_put_shell_word(to, value);
    }
}

static void put_options(FILE *to, const app_line *line, const char *const *left_out)
{
    for (int i = 0; line->options[i].name; i++) {
        const app_option *option = &line->options[i];
        if (!line->values[i] || is_among(option->name, left_out))
            continue;
        if (!option->many)
            put_option(to, option, line->values[i]);
        const char *value;
        for (int k = 0; option->many && (value = app_repeated(line, option->name, k)); k++)
            put_option(to, option, value);
    }
}

static void put_words(FILE *to, const app_line *line)
{
    for (int i = 0; i < line->count; i++) {
        fputc(' ', to);
        lab_put_shell_word(to, line->positionals[i]);
    }
}

static bool has_dashes(const app_line *line)
{
    for (int i = 0; i < line->count; i++)
        if (line->positionals[i][0] == '-')
            return true;
    return false;
}

// Words that begin with a dash come last, after two dashes.
void app_put_command(FILE *to, const char *verb, const app_line *line, const char *const *left_out,
                     const char *last)
{
    const bool dashes = has_dashes(line);
    fputs(verb, to);
    if (!dashes)
        put_words(to, line);
    put_options(to, line, left_out);
    fprintf(to, " %s%s", last, dashes ? " --" : "");
    if (dashes)
        put_words(to, line);
}
