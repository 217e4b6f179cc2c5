// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

static cfpc_outcome refuse_option(const app_option *options, const char *word, cfpc_why *why)
{
    const char *names[APP_MAX_OPTIONS];
    size_t count = 0;
    bool takes_settings = false;
    for (; options[count].name; count++) {
        names[count] = options[count].name;
        takes_settings = takes_settings || strcmp(names[count], "--set") == 0;
    }
    if (takes_settings && strncmp(word, "--seed", 6) == 0)
        return app_refuse(why, "unknown option '%.80s'; use --set seed=N", word);
    return count > 0 ? app_refuse(why, "unknown option '%.80s'; %s", word,
                                  cfpc_hint_among(word, names, count).text)
                     : app_refuse(why, "unknown option '%.80s'; this verb has none", word);
}

// Reads the option at words[*at], with its value after '=' or as the next word.
static cfpc_outcome take_option(app_line *line, int count, char *const *words, int *at,
                                cfpc_why *why)
{
    const char *word = words[*at];
    const size_t length = strcspn(word, "=");
    for (int i = 0; line->options[i].name; i++) {
        const app_option *option = &line->options[i];
        if (strlen(option->name) != length || strncmp(option->name, word, length) != 0)
            continue;
        if (!option->argument && word[length] == '=')
            return app_refuse(why, "%s takes no value", option->name);
        if (!option->argument)
            line->values[i] = "";
        else if (word[length] == '=')
            line->values[i] = word + length + 1;
        else if (*at + 1 < count)
            line->values[i] = words[++*at];
        else
            return app_refuse(why, "%s needs a value: %s", option->name, option->argument);
        if (option->many && line->many_count == APP_MAX_MANY)
            return app_refuse(why, "%s is given more than %d times", option->name, APP_MAX_MANY);
        if (option->many) {
            line->many_of[line->many_count] = option;
            line->many[line->many_count++] = line->values[i];
        }
        return CFPC_DONE;
    }
    return refuse_option(line->options, word, why);
}

cfpc_outcome app_parse(app_line *line, const app_option *options, int positionals, int count,
                       char *const *words, cfpc_why *why)
{
    *line = (app_line){.options = options};
    bool only_words = false;
    for (int at = 0; at < count; at++) {
        const char *word = words[at];
        if (!only_words && strcmp(word, "--") == 0)
            only_words = true;
        else if (!only_words && word[0] == '-' && word[1] != '\0') {
            cfpc_outcome outcome = take_option(line, count, words, &at, why);
            if (outcome != CFPC_DONE)
                return outcome;
        } else if (line->count == positionals)
            return app_refuse(why, "unexpected argument '%.80s'", word);
        else
            line->positionals[line->count++] = word;
    }
    return CFPC_DONE;
}

const char *app_value(const app_line *line, const char *name)
{
    for (int i = 0; line->options[i].name; i++)
        if (strcmp(line->options[i].name, name) == 0)
            return line->values[i];
    return NULL;
}

const char *app_repeated(const app_line *line, const char *name, int i)
{
    for (int k = 0; k < line->many_count; k++)
        if (strcmp(line->many_of[k]->name, name) == 0 && i-- == 0)
            return line->many[k];
    return NULL;
}

cfpc_outcome app_number(const app_line *line, const char *name, double *value, cfpc_why *why)
{
    const char *text = app_value(line, name);
    if (!text)
        return CFPC_DONE;
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*value) || *value <= 0)
        return app_refuse(why, "%s must be a number above 0; this is '%.80s'", name, text);
    return CFPC_DONE;
}

cfpc_outcome app_whole(const app_line *line, const char *name, int least, int *value, cfpc_why *why)
{
    const char *text = app_value(line, name);
    if (!text)
        return CFPC_DONE;
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < least || number > 1000000)
        return app_refuse(why, "%s must be a whole number from %d to 1000000; this is '%.80s'",
                          name, least, text);
    *value = (int)number;
    return CFPC_DONE;
}
