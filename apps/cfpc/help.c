// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "run/measure_rows.h"
#include "spec/spec_print.h"
#include "verbs.h"

static void print_overview(void)
{
    puts("cfpc: anticipation for feedback loops (counterfactual predictive control)\n\n"
         "usage: cfpc VERB …\n");
    for (int i = 0; app_verbs[i]; i++)
        printf("  %-8s %-18s %s\n", app_verbs[i]->name, app_verbs[i]->arguments,
               app_verbs[i]->summary);
    puts("\n'cfpc help VERB' explains a verb, 'cfpc help spec' all keys of a spec file, 'cfpc help "
         "measures'\nall measures of a run. To start: cfpc run pursuit");
}

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
    lab_hint hint = lab_hint_for(name);
    for (int i = 0; app_verbs[i]; i++) {
        lab_hint_add(&hint, app_verbs[i]->name);
        if (strcmp(app_verbs[i]->name, name) == 0)
            return app_verbs[i];
    }
    const bool tunes = strcmp(name, "tune") == 0;
    fprintf(stderr, "cfpc: unknown verb '%.80s'; %s\n", name,
            tunes ? "a run tunes what the key `tune` of its spec and rules says: cfpc help spec"
                  : hint.text);
    return NULL;
}

static int help(const app_line *line)
{
    if (line->count == 0) {
        print_overview();
        return LAB_DONE;
    }
    if (strcmp(line->positionals[0], "spec") == 0) {
        lab_spec_reference(stdout);
        return LAB_DONE;
    }
    if (strcmp(line->positionals[0], "measures") == 0) {
        lab_measure_reference(stdout);
        return LAB_DONE;
    }
    const app_verb *verb = app_find_verb(line->positionals[0]);
    if (!verb)
        return LAB_REFUSED;
    app_print_help(verb);
    return LAB_DONE;
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
