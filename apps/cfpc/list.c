// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "experiments.h"
#include "spec/load.h"
#include "verbs.h"

static void print_experiment(const char *name)
{
    char *file = NULL;
    lab_why why;
    lab_spec spec = {0};
    lab_outcome outcome = app_find_experiment(&file, name, &why);
    if (outcome == LAB_DONE)
        outcome = lab_spec_load(&spec, file, NULL, &why);
    printf("%-16s %s\n", name, outcome == LAB_DONE ? spec.title : why.text);
    lab_spec_free(&spec);
    free(file);
}

static int list(const app_line *line)
{
    (void)line;
    char **names;
    int count;
    lab_why why;
    lab_outcome outcome = app_experiment_names(&names, &count, &why);
    if (outcome != LAB_DONE) {
        fprintf(stderr, "cfpc: %s\n", why.text);
        return outcome;
    }
    for (int i = 0; i < count; i++)
        print_experiment(names[i]);
    app_free_names(names, count);
    return LAB_DONE;
}

static const app_option options[] = {{0}};

const app_verb app_verb_list = {.name = "list",
                                .arguments = "",
                                .summary = "list the experiments that come with cfpc",
                                .text = "",
                                .options = options,
                                .run = list};
