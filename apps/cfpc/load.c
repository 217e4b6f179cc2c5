// SPDX-License-Identifier: Apache-2.0
#include "load.h"

#include <stdio.h>
#include <stdlib.h>

#include "experiments.h"
#include "spec/origin.h"

// What the words of the line change. The settings are freed by the caller.
static lab_outcome read_changes(lab_changes *to, lab_settings *settings, const app_line *line,
                                lab_why *why)
{
    int trials = 0, repeat = 0, seed = -1;
    double rate = 0;
    lab_outcome outcome = app_count(line, "--trials", &trials, why);
    if (outcome == LAB_DONE)
        outcome = app_number(line, "--learning-rate", &rate, why);
    if (outcome == LAB_DONE)
        outcome = app_count(line, "--repeat", &repeat, why);
    if (outcome == LAB_DONE)
        outcome = app_seed(line, "--seed", &seed, why);
    const char *setting;
    for (int i = 0; outcome == LAB_DONE && (setting = app_repeated(line, "--set", i)); i++)
        outcome = lab_settings_add(settings, setting, why);
    *to = (lab_changes){.settings = settings,
                        .rule = app_value(line, "--rule"),
                        .trials = app_value(line, "--trials"),
                        .rate = app_value(line, "--learning-rate"),
                        .online = app_value(line, "--online"),
                        .repeat = repeat,
                        .seed = seed,
                        .dashes = "--"};
    return outcome;
}

lab_outcome app_load(cfpc_experiment *experiment, const app_line *line, lab_why *why)
{
    char *file = NULL;
    lab_settings settings = {0};
    lab_changes changes;
    *experiment = (cfpc_experiment){0};
    if (line->count == 0)
        return lab_refuse(why, "this needs the name of an experiment (cfpc list) or a spec file");
    lab_outcome outcome = app_find_experiment(&file, line->positionals[0], why);
    if (outcome == LAB_DONE)
        outcome = read_changes(&changes, &settings, line, why);
    if (outcome == LAB_DONE)
        outcome = lab_experiment_read(experiment, file, NULL, &changes, why);
    lab_settings_free(&settings);
    free(file);
    return outcome;
}

lab_outcome app_load_plan(cfpc_experiment *experiment, const app_line *line, lab_why *why)
{
    const lab_outcome outcome = app_load(experiment, line, why);
    return outcome == LAB_DONE ? lab_experiment_plan(experiment, why) : outcome;
}

lab_outcome app_begin_result(lab_folder *folder, const lab_spec *spec, const char *path, bool force,
                             lab_why *why)
{
    lab_origin origin;
    lab_outcome outcome = lab_folder_begin(folder, path, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_origin_make(&origin, spec, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_origin(folder, &origin, why);
    lab_origin_free(&origin);
    if (outcome != LAB_DONE)
        lab_folder_abandon(folder);
    return outcome;
}

lab_outcome app_end_result(lab_folder *folder, lab_outcome outcome, lab_why *why)
{
    if (outcome == LAB_DONE)
        return lab_folder_commit(folder, why);
    lab_folder_abandon(folder);
    return outcome;
}
