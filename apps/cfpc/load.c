// SPDX-License-Identifier: Apache-2.0
#include "load.h"

#include <stdio.h>
#include <stdlib.h>

#include "experiments.h"
#include "spec/origin.h"

// Adds the setting of an option.
static lab_outcome add_option(lab_settings *settings, const char *key, const char *value,
                              lab_why *why)
{
    char text[256];
    if (!value)
        return LAB_DONE;
    snprintf(text, sizeof text, "%s=%s", key, value);
    return lab_settings_add(settings, NULL, text, why);
}

// The rule whose signals are kept; its name may have any characters.
static lab_outcome add_rule(lab_settings *settings, const char *name, lab_why *why)
{
    char text[256];
    if (!name)
        return LAB_DONE;
    snprintf(text, sizeof text, "%s", name);
    const lab_node node = {.kind = LAB_SCALAR, .text = text};
    return lab_settings_add_node(settings, "rule", &node, why);
}

static lab_outcome collect(lab_settings *settings, const app_line *line, lab_why *why)
{
    int trials = 0;
    double rate = 0;
    lab_outcome outcome = app_count(line, "--trials", &trials, why);
    if (outcome == LAB_DONE)
        outcome = app_number(line, "--learning-rate", &rate, why);
    for (int i = 0; outcome == LAB_DONE && i < line->many_count; i++)
        outcome = lab_settings_add(settings, NULL, line->many[i], why);
    if (outcome == LAB_DONE)
        outcome = add_option(settings, "learning.trials", app_value(line, "--trials"), why);
    if (outcome == LAB_DONE)
        outcome = add_option(settings, "learning.mode",
                             app_value(line, "--online") ? "online" : NULL, why);
    if (outcome == LAB_DONE)
        outcome = add_rule(settings, app_value(line, "--rule"), why);
    return outcome;
}

// Sets the same rate for every rule, overriding the file.
static lab_outcome set_rates(app_experiment *it, const char *rate, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < it->spec.rules.count; i++) {
        char key[48];
        snprintf(key, sizeof key, "rules.%d.rate", i);
        outcome = add_option(&it->settings, key, rate, why);
    }
    if (outcome != LAB_DONE)
        return outcome;
    lab_spec_free(&it->spec);
    return lab_spec_make(&it->spec, &it->source, &it->settings, why);
}

void app_print_notes(const lab_texts *notes)
{
    for (int i = 0; i < notes->count; i++)
        fprintf(stderr, "note: %s\n", notes->items[i]);
}

// The spec of what was read, with what the words change in it.
static lab_outcome make_spec(app_experiment *it, const app_line *line, lab_why *why)
{
    const char *rule = app_value(line, "--rule"), *rate = app_value(line, "--learning-rate");
    lab_outcome outcome = rule ? lab_leave_out(&it->settings, &it->source, rule, why) : LAB_DONE;
    if (outcome == LAB_DONE)
        outcome = lab_spec_make(&it->spec, &it->source, &it->settings, why);
    if (outcome == LAB_DONE && app_value(line, "--trials") && it->spec.phases.count > 0)
        outcome = lab_refuse(why,
                             "%s has phases: --trials cannot change them; set "
                             "phases.%s.trials",
                             it->spec.name, lab_phases(&it->spec)[0].name);
    if (outcome == LAB_DONE && rate)
        outcome = set_rates(it, rate, why);
    if (outcome == LAB_DONE)
        outcome = app_count(line, "--repeat", &it->spec.runs, why);
    if (outcome == LAB_DONE)
        outcome = app_seed(line, "--seed", &it->spec.seed, why);
    return outcome;
}

lab_outcome app_load(app_experiment *it, const app_line *line, lab_why *why)
{
    char *file = NULL;
    *it = (app_experiment){0};
    if (line->count == 0)
        return lab_refuse(why, "this needs the name of an experiment (cfpc list) or a spec file");
    lab_outcome outcome = app_find_experiment(&file, line->positionals[0], why);
    if (outcome == LAB_DONE)
        outcome = collect(&it->settings, line, why);
    if (outcome == LAB_DONE)
        outcome = lab_source_load(&it->source, NULL, file, why);
    if (outcome == LAB_DONE)
        outcome = make_spec(it, line, why);
    app_print_notes(&it->spec.notes);
    free(file);
    return outcome;
}

lab_outcome app_load_plan(app_experiment *it, const app_line *line, lab_why *why)
{
    lab_outcome outcome = app_load(it, line, why);
    if (outcome == LAB_DONE)
        outcome = lab_plan_make(&it->plan, &it->spec, &it->source, &it->settings, why);
    lab_settings_free(&it->settings); // no text is read after this
    lab_source_free(&it->source);
    return outcome;
}

void app_experiment_free(app_experiment *it)
{
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
    lab_settings_free(&it->settings);
    lab_source_free(&it->source);
}

lab_outcome app_begin_result(lab_folder *folder, const app_experiment *it, const char *path,
                             bool force, lab_why *why)
{
    lab_origin origin;
    lab_outcome outcome = lab_folder_begin(folder, path, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_origin_make(&origin, &it->spec, why);
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
