// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "say.h"
#include "verbs.h"

void app_print_help(const app_verb *verb)
{
    printf("usage: cfpc %s%s%s%s\n%s\n", verb->name, *verb->arguments ? " " : "", verb->arguments,
           verb->options[0].name ? " [OPTION …]" : "", verb->summary);
    for (int i = 0; verb->options[i].name; i++) {
        char usage[64];
        const app_option *option = &verb->options[i];
        snprintf(usage, sizeof usage, "%s%s%s", option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        printf("%s  %-22s %s\n", i == 0 ? "\n" : "", usage, option->meaning);
    }
    if (*verb->text)
        printf("\n%s", verb->text);
}

const app_verb *app_find_verb(const char *name)
{
    const char *names[64];
    size_t count = 0;
    for (; app_verbs[count]; count++) {
        if (strcmp(app_verbs[count]->name, name) == 0)
            return app_verbs[count];
        names[count] = app_verbs[count]->name;
    }
    const bool tunes = strcmp(name, "tune") == 0;
    fprintf(stderr, "cfpc: unknown verb '%.80s'; %s\n", name,
            tunes ? "a run tunes what the key `tune` of its spec and rules says: cfpc help spec"
                  : cfpc_hint_among(name, names, count).text);
    return NULL;
}

static cfpc_outcome help(const app_line *line, cfpc_why *why)
{
    if (line->count == 0) {
        puts("cfpc: anticipation for feedback loops (counterfactual predictive control)\n\n"
             "usage: cfpc VERB …\n");
        for (int i = 0; app_verbs[i]; i++)
            printf("  %-8s %-18s %s\n", app_verbs[i]->name, app_verbs[i]->arguments,
                   app_verbs[i]->summary);
        puts("\n'cfpc help VERB' explains a verb, 'cfpc help spec' all keys of a spec file, 'cfpc "
             "help measures'\nall measures of a run. To start: cfpc run pursuit");
        return CFPC_DONE;
    }
    const char *about = line->positionals[0];
    const bool is_spec = strcmp(about, "spec") == 0;
    if (is_spec || strcmp(about, "measures") == 0) {
        char *text = NULL;
        const cfpc_outcome outcome =
            is_spec ? cfpc_spec_reference(&text, why) : cfpc_measure_reference(&text, why);
        app_print_text(text);
        return outcome;
    }
    const app_verb *verb = app_find_verb(about);
    if (!verb)
        return CFPC_REFUSED;
    app_print_help(verb);
    return CFPC_DONE;
}

static const app_option options[] = {{0}};

const app_verb app_verb_help = {.name = "help",
                                .arguments = "[VERB]",
                                .summary = "explain a verb and its options",
                                .text = "'cfpc help spec' prints the reference of the spec file, "
                                        "'cfpc help measures' that of what a run measures.\n",
                                .options = options,
                                .positionals = 1,
                                .run = help};
