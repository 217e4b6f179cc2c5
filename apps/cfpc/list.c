// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "experiments.h"
#include "verbs.h"

static cfpc_outcome list(const app_line *line, cfpc_why *why)
{
    (void)line;
    char **names;
    int count;
    const cfpc_outcome outcome = app_experiment_names(&names, &count, why);
    if (outcome != CFPC_DONE)
        return outcome;
    for (int i = 0; i < count; i++) {
        char *file = NULL;
        cfpc_why said;
        cfpc_experiment *experiment = NULL;
        if (app_find_experiment(&file, names[i], &said) == CFPC_DONE &&
            cfpc_experiment_load(&experiment, file, NULL, &said) == CFPC_DONE)
            printf("%-16s %s\n", names[i], cfpc_experiment_title(experiment));
        else
            printf("%-16s %s\n", names[i], said.text);
        cfpc_experiment_free(experiment);
        free(file);
    }
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
