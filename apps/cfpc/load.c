// SPDX-License-Identifier: Apache-2.0
#include "load.h"

#include <stdlib.h>

#include "experiments.h"
#include "say.h"

cfpc_outcome app_find_spec(char **file, const app_line *line, cfpc_why *why)
{
    *file = NULL;
    if (line->count == 0)
        return app_refuse(why, "this needs the name of an experiment (cfpc list) or a spec file");
    return app_find_experiment(file, line->positionals[0], why);
}

cfpc_outcome app_read_changes(cfpc_experiment_options *to, cfpc_settings *settings,
                              const app_line *line, cfpc_why *why)
{
    *to = cfpc_default_experiment_options();
    to->settings = settings;
    to->rule = app_value(line, "--rule");
    to->online = app_value(line, "--online");
    cfpc_outcome outcome = settings ? CFPC_DONE : app_no_memory(why);
    if (outcome == CFPC_DONE)
        outcome = app_count(line, "--trials", &to->trials, why);
    if (outcome == CFPC_DONE)
        outcome = app_number(line, "--learning-rate", &to->rate, why);
    if (outcome == CFPC_DONE)
        outcome = app_count(line, "--repeat", &to->repeat, why);
    if (outcome == CFPC_DONE)
        outcome = app_seed(line, "--seed", &to->seed, why);
    const char *setting;
    for (int i = 0; outcome == CFPC_DONE && (setting = app_repeated(line, "--set", i)); i++)
        outcome = cfpc_settings_add(settings, setting, why);
    return outcome;
}

cfpc_outcome app_load(cfpc_experiment **experiment, const app_line *line, cfpc_why *why)
{
    char *file = NULL;
    cfpc_settings *settings = cfpc_settings_create();
    cfpc_experiment_options options;
    *experiment = NULL;
    cfpc_outcome outcome = app_find_spec(&file, line, why);
    if (outcome == CFPC_DONE)
        outcome = app_read_changes(&options, settings, line, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_load(experiment, file, &options, why);
    cfpc_settings_free(settings);
    free(file);
    return outcome;
}

cfpc_write_options app_write_options(const app_line *line)
{
    return (cfpc_write_options){.replace = app_value(line, "--force"),
                                .figures = !app_value(line, "--no-figures"),
                                .option = "--out"};
}
