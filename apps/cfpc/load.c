// SPDX-License-Identifier: Apache-2.0
#include "load.h"

#include <stdlib.h>

#include "experiments.h"
#include "report.h"
#include "say.h"

static cfpc_outcome read_changes(app_given *given, const app_line *line, cfpc_why *why)
{
    cfpc_experiment_options *to = &given->options;
    *to = cfpc_default_experiment_options();
    to->settings = given->settings = cfpc_settings_create();
    to->rule = app_value(line, "--rule");
    to->online = app_value(line, "--online");
    cfpc_outcome outcome = given->settings ? CFPC_DONE : app_no_memory(why);
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
        outcome = cfpc_settings_add(given->settings, setting, why);
    return outcome;
}

cfpc_outcome app_read_given(app_given *given, const app_line *line, cfpc_why *why)
{
    *given = (app_given){0};
    if (line->count == 0)
        return app_refuse(why, "this needs the name of an experiment (cfpc list) or a spec file");
    const cfpc_outcome outcome = app_find_experiment(&given->file, line->positionals[0], why);
    return outcome == CFPC_DONE ? read_changes(given, line, why) : outcome;
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
