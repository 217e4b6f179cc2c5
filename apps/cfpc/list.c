// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "experiments.h"
#include "verbs.h"

static void print_experiment(const char *name)
{
    char *file = NULL;
    cfpc_why why;
    cfpc_experiment *experiment = NULL;
    cfpc_outcome outcome = app_find_experiment(&file, name, &why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_load(&experiment, file, NULL, &why);
    printf("%-16s %s\n", name, outcome == CFPC_DONE ? cfpc_experiment_title(experiment) : why.text);
    cfpc_experiment_free(experiment);
    free(file);
}

static cfpc_outcome list(const app_line *line, cfpc_why *why)
{
    (void)line;
    char **names;
    int count;
    const cfpc_outcome outcome = app_experiment_names(&names, &count, why);
    if (outcome != CFPC_DONE)
        return outcome;
    for (int i = 0; i < count; i++)
        print_experiment(names[i]);
    app_free_names(names, count);
    return CFPC_DONE;
}

static const app_option options[] = {{0}};

const app_verb app_verb_list = {.name = "list",
                                .arguments = "",
                                .summary = "list the experiments that come with cfpc",
                                .text = "",
                                .options = options,
                                .run = list};
