// SPDX-License-Identifier: Apache-2.0
#include "load.h"

#include <stdlib.h>

#include "experiments.h"
#include "say.h"

cfpc_outcome app_read_given(app_given *given, const app_line *line, cfpc_why *why)
{
    *given = (app_given){.options = cfpc_default_experiment_options()};
    if (line->count == 0)
        return app_refuse(why, "this needs the name of an experiment (cfpc list) or a spec file");
    cfpc_experiment_options *to = &given->options;
    cfpc_outcome outcome = app_find_experiment(&given->file, line->positionals[0], why);
    if (outcome != CFPC_DONE)
        return outcome;
    to->settings = given->settings = cfpc_settings_create();
    to->rule = app_value(line, "--rule");
    to->online = app_value(line, "--online");
    if (!given->settings)
        outcome = app_no_memory(why);
    if (outcome == CFPC_DONE)
        outcome = app_whole(line, "--trials", 1, &to->trials, why);
    if (outcome == CFPC_DONE)
        outcome = app_number(line, "--learning-rate", &to->rate, why);
    if (outcome == CFPC_DONE)
        outcome = app_whole(line, "--repeat", 1, &to->repeat, why);
    if (outcome == CFPC_DONE)
        outcome = app_whole(line, "--seed", 0, &to->seed, why);
    const char *setting;
    for (int i = 0; outcome == CFPC_DONE && (setting = app_repeated(line, "--set", i)); i++)
        outcome = cfpc_settings_add(given->settings, setting, why);
    return outcome;
}

void app_given_free(app_given *given)
{
    cfpc_settings_free(given->settings);
    free(given->file);
}

cfpc_outcome app_load(cfpc_experiment **experiment, const app_line *line, cfpc_why *why)
{
    app_given given;
    *experiment = NULL;
    cfpc_outcome outcome = app_read_given(&given, line, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_load(experiment, given.file, &given.options, why);
    app_given_free(&given);
    return outcome;
}

cfpc_outcome app_print_of(const app_line *line,
                          cfpc_outcome (*ask)(const cfpc_experiment *, char **, cfpc_why *),
                          cfpc_why *why)
{
    cfpc_experiment *experiment;
    char *text = NULL;
    cfpc_outcome outcome = app_load(&experiment, line, why);
    if (outcome == CFPC_DONE)
        outcome = ask(experiment, &text, why);
    app_print_text(text);
    cfpc_experiment_free(experiment);
    return outcome;
}

cfpc_write_options app_write_options(const app_line *line)
{
    return (cfpc_write_options){.replace = app_value(line, "--force"),
                                .figures = !app_value(line, "--no-figures"),
                                .option = "--out"};
}
