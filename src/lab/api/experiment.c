// SPDX-License-Identifier: Apache-2.0
#include "api/experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/call.h"
#include "base/number.h"
#include "spec/table_print.h"
#include "spec/tree.h"

enum { MAX_COUNT = 1000000 }; // of trials, repeats and seeds

// ---- settings --------------------------------------------------------------------------------

struct cfpc_settings {
    lab_settings all;
};

cfpc_settings *cfpc_settings_create(void)
{
    return calloc(1, sizeof(cfpc_settings));
}

void cfpc_settings_free(cfpc_settings *settings)
{
    if (settings)
        lab_settings_free(&settings->all);
    free(settings);
}

const lab_settings *lab_settings_of(const cfpc_settings *settings)
{
    return settings ? &settings->all : NULL;
}

// Where a call has left one out; a settings that could not be made is NULL too.
static lab_outcome check_arguments(const cfpc_settings *settings, const char *text, lab_why *why)
{
    if (!settings)
        return lab_no_memory(why, NULL);
    if (!text)
        return lab_refuse(why, "a setting needs a path, as loop.delay_ms");
    return LAB_DONE;
}

cfpc_outcome cfpc_settings_add(cfpc_settings *settings, const char *path_is_value, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_outcome outcome = check_arguments(settings, path_is_value, &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_settings_add(&settings->all, path_is_value, &call.why);
    return lab_call_end(&call, outcome, why);
}

cfpc_outcome cfpc_settings_add_tree(cfpc_settings *settings, const char *path,
                                    const cfpc_tree *value, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    // Of a text that is "", the lab says what it needs; here the path is all that there is.
    lab_outcome outcome = check_arguments(settings, path && *path ? path : NULL, &call.why);
    if (outcome == LAB_DONE && value && lab_tree_is_empty(value))
        outcome = lab_refuse(&call.why, "setting '%.80s' has no value", path);
    if (outcome == LAB_DONE)
        outcome = cfpc_tree_check(value, &call.why);
    // Messages call a copy of it by the text that a command line would have for it.
    lab_node *copy = outcome == LAB_DONE ? lab_node_copy(lab_tree_root(value)) : NULL;
    const lab_setting named = {.path = (char *)path, .value = copy};
    char *assignment = copy ? lab_setting_text(&named) : NULL;
    if (assignment)
        outcome = lab_settings_add_given(&settings->all, path, copy, assignment, &call.why);
    else if (outcome == LAB_DONE)
        outcome = lab_no_memory(&call.why, NULL);
    free(assignment);
    lab_node_free(copy);
    return lab_call_end(&call, outcome, why);
}

// ---- options ---------------------------------------------------------------------------------

cfpc_experiment_options cfpc_default_experiment_options(void)
{
    return (cfpc_experiment_options){.rate = NAN, .seed = -1};
}

// No rate is given.
static bool is_usual(double rate)
{
    return isnan(rate) || rate == 0;
}

// Each must be a whole number, unless it is what stands for the spec's own.
static lab_outcome check_options(const cfpc_experiment_options *options, lab_why *why)
{
    const struct {
        const char *name;
        int value, least, none;
    } whole[] = {{"trials", options->trials, 1, 0},
                 {"repeat", options->repeat, 1, 0},
                 {"seed", options->seed, 0, -1}};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (whole[i].value != whole[i].none &&
            (whole[i].value < whole[i].least || whole[i].value > MAX_COUNT))
            return lab_refuse(why, "%s must be a whole number from %d to %d; this is %d",
                              whole[i].name, whole[i].least, MAX_COUNT, whole[i].value);
    const double rate = options->rate;
    return is_usual(rate) || (isfinite(rate) && rate > 0)
               ? LAB_DONE
               : lab_refuse(why, "the learning rate must be a number above 0; this is %g", rate);
}

static lab_outcome set_scalar(lab_settings *to, const char *path, const char *value, lab_why *why)
{
    char text[256];
    snprintf(text, sizeof text, "%s=%s", path, value);
    return lab_settings_add(to, text, why);
}

lab_outcome lab_set_number(lab_settings *to, const char *path, int number, lab_why *why)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    return set_scalar(to, path, text, why);
}

// The settings of the options, and after them what else becomes a setting.
static lab_outcome collect_changes(lab_settings *to, const cfpc_experiment_options *options,
                                   lab_why *why)
{
    lab_outcome outcome = options->settings
                              ? lab_settings_add_all(to, lab_settings_of(options->settings), why)
                              : LAB_DONE;
    if (outcome == LAB_DONE && options->trials)
        outcome = lab_set_number(to, "learning.trials", options->trials, why);
    if (outcome == LAB_DONE && options->online)
        outcome = set_scalar(to, "learning.mode", "online", why);
    if (outcome == LAB_DONE && options->rule) { // whose name may have any characters
        char name[256];
        snprintf(name, sizeof name, "%s", options->rule);
        const lab_node node = {.kind = LAB_SCALAR, .text = name};
        outcome = lab_settings_add_node(to, "rule", &node, why);
    }
    return outcome;
}

// Sets the same rate for every rule, overriding the file.
static lab_outcome set_rates(cfpc_experiment *experiment, double rate, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < experiment->spec.rules.count; i++) {
        char path[48];
        snprintf(path, sizeof path, "rules.%d.rate", i);
        outcome = set_scalar(&experiment->settings, path, lab_number(rate).text, why);
    }
    if (outcome != LAB_DONE)
        return outcome;
    lab_spec_free(&experiment->spec);
    return lab_spec_make(&experiment->spec, &experiment->source, &experiment->settings, why);
}

// ---- the spec --------------------------------------------------------------------------------

lab_outcome lab_experiment_read(cfpc_experiment *experiment, const char *file,
                                const cfpc_tree *tree, const cfpc_experiment_options *options,
                                lab_why *why)
{
    const cfpc_experiment_options how = options ? *options : cfpc_default_experiment_options();
    lab_settings *settings = &experiment->settings;
    lab_source *source = &experiment->source;
    lab_spec *spec = &experiment->spec;
    *experiment = (cfpc_experiment){0};
    lab_outcome outcome = check_options(&how, why);
    if (outcome == LAB_DONE)
        outcome = collect_changes(settings, &how, why);
    if (outcome == LAB_DONE)
        outcome = file ? lab_source_load(source, file, why) : lab_source_of_tree(source, tree, why);
    if (outcome == LAB_DONE && how.rule)
        outcome = lab_leave_out(settings, source, how.rule, why);
    if (outcome == LAB_DONE)
        outcome = lab_spec_make(spec, source, settings, why);
    if (outcome == LAB_DONE && how.trials && spec->phases.count > 0)
        outcome = lab_refuse(why, "%s has phases: trials cannot change them; set phases.%s.trials",
                             spec->name, lab_phases(spec)[0].name);
    if (outcome == LAB_DONE && !is_usual(how.rate))
        outcome = set_rates(experiment, how.rate, why);
    if (outcome == LAB_DONE && how.repeat > 0)
        spec->runs = how.repeat;
    if (outcome == LAB_DONE && how.seed >= 0)
        spec->seed = how.seed;
    return outcome;
}

void lab_experiment_clear(cfpc_experiment *experiment)
{
    lab_plan_free(&experiment->plan);
    lab_spec_free(&experiment->spec);
    lab_settings_free(&experiment->settings);
    lab_source_free(&experiment->source);
}

// ---- for a program ---------------------------------------------------------------------------

// Of a file or a tree: `what` is the one that must be given.
static cfpc_outcome experiment_make(cfpc_experiment **experiment, const char *file,
                                    const cfpc_tree *tree, const char *what,
                                    const cfpc_experiment_options *options, cfpc_why *why)
{
    const void *spec = file ? (const void *)file : tree;
    lab_call call;
    lab_call_begin(&call, NULL);
    if (experiment)
        *experiment = NULL;
    lab_outcome outcome =
        lab_check_both(experiment, "place for the experiment", spec, what, &call.why);
    if (outcome != LAB_DONE)
        return lab_call_end(&call, outcome, why);
    cfpc_experiment *made = calloc(1, sizeof *made);
    outcome = made ? lab_experiment_read(made, file, tree, options, &call.why)
                   : lab_no_memory(&call.why, file);
    // The model files that were read are known from here on: a spec made again reads none.
    const lab_model_files *models = made ? &made->spec.models : NULL;
    for (int i = 0; outcome == LAB_DONE && i < models->count; i++)
        if (!lab_model_files_add(&made->source.known, models->items[i].path, models))
            outcome = lab_no_memory(&call.why, made->spec.file);
    if (outcome == LAB_DONE)
        outcome =
            lab_plan_make(&made->plan, &made->spec, &made->source, &made->settings, &call.why);
    if (outcome == LAB_DONE)
        *experiment = made;
    else
        cfpc_experiment_free(made);
    return lab_call_end(&call, outcome, why);
}

cfpc_outcome cfpc_experiment_load(cfpc_experiment **experiment, const char *file,
                                  const cfpc_experiment_options *options, cfpc_why *why)
{
    return experiment_make(experiment, file, NULL, "file", options, why);
}

cfpc_outcome cfpc_experiment_make(cfpc_experiment **experiment, const cfpc_tree *tree,
                                  const cfpc_experiment_options *options, cfpc_why *why)
{
    return experiment_make(experiment, NULL, tree, "tree", options, why);
}

void cfpc_experiment_free(cfpc_experiment *experiment)
{
    if (experiment)
        lab_experiment_clear(experiment);
    free(experiment);
}

const char *cfpc_experiment_name(const cfpc_experiment *experiment)
{
    return experiment ? experiment->spec.name : NULL;
}

const char *cfpc_experiment_title(const cfpc_experiment *experiment)
{
    return experiment ? experiment->spec.title : NULL;
}

const char *cfpc_experiment_rule(const cfpc_experiment *experiment, int i)
{
    const lab_spec *spec = experiment ? &experiment->spec : NULL;
    return spec && i >= 0 && i < spec->rules.count ? lab_rules(spec)[i].name : NULL;
}
