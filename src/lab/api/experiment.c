// SPDX-License-Identifier: Apache-2.0
#include "api/experiment.h"

#include <stdlib.h>

#include "api/call.h"
#include "api/given.h"
#include "api/options.h"

// ---- for the lab -----------------------------------------------------------------------------

lab_outcome lab_experiment_read(cfpc_experiment *experiment, const char *file,
                                const cfpc_tree *tree, const lab_changes *changes, lab_why *why)
{
    *experiment = (cfpc_experiment){0};
    lab_outcome outcome = lab_changes_collect(&experiment->settings, changes, why);
    if (outcome == LAB_DONE)
        outcome = file ? lab_source_load(&experiment->source, file, why)
                       : lab_source_of_tree(&experiment->source, tree, why);
    if (outcome == LAB_DONE)
        outcome = lab_changes_make(&experiment->spec, &experiment->settings, &experiment->source,
                                   changes, why);
    return outcome;
}

// The model files that were read are known from here on: a spec made again reads none.
static lab_outcome keep_models(cfpc_experiment *experiment, lab_why *why)
{
    const lab_model_files *models = &experiment->spec.models;
    for (int i = 0; i < models->count; i++)
        if (!lab_model_files_add(&experiment->source.known, models->items[i].path, models))
            return lab_no_memory(why, experiment->spec.file);
    return LAB_DONE;
}

lab_outcome lab_experiment_plan(cfpc_experiment *experiment, lab_why *why)
{
    lab_outcome outcome = keep_models(experiment, why);
    if (outcome == LAB_DONE)
        outcome = lab_plan_make(&experiment->plan, &experiment->spec, &experiment->source,
                                &experiment->settings, why);
    return outcome;
}

void lab_experiment_clear(cfpc_experiment *experiment)
{
    lab_plan_free(&experiment->plan);
    lab_spec_free(&experiment->spec);
    lab_settings_free(&experiment->settings);
    lab_source_free(&experiment->source);
}

lab_outcome lab_experiment_respec(const cfpc_experiment *experiment, lab_spec *spec, lab_why *why)
{
    const lab_outcome outcome =
        lab_spec_make(spec, &experiment->source, &experiment->settings, why);
    spec->runs = experiment->spec.runs;
    spec->seed = experiment->spec.seed;
    return outcome;
}

// ---- for a program ---------------------------------------------------------------------------

static lab_outcome experiment_make(cfpc_experiment **experiment, const char *file,
                                   const cfpc_tree *tree, const cfpc_experiment_options *options,
                                   lab_why *why)
{
    lab_optional optional;
    lab_outcome outcome = lab_options_read(&optional, options, why);
    cfpc_experiment *made = outcome == LAB_DONE ? calloc(1, sizeof *made) : NULL;
    if (!made)
        return outcome == LAB_DONE ? lab_no_memory(why, file) : outcome;
    outcome = lab_experiment_read(made, file, tree, &optional.changes, why);
    if (outcome == LAB_DONE)
        outcome = lab_experiment_plan(made, why);
    if (outcome == LAB_DONE)
        *experiment = made;
    else
        cfpc_experiment_free(made);
    return outcome;
}

// The spec, a file or a tree, is what a call cannot do without.
static lab_outcome check_needed(cfpc_experiment **experiment, const void *spec, const char *what,
                                lab_why *why)
{
    if (experiment)
        *experiment = NULL;
    return lab_check_both(experiment, "place for the experiment", spec, what, why);
}

cfpc_outcome cfpc_experiment_load(cfpc_experiment **experiment, const char *file,
                                  const cfpc_experiment_options *options, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_outcome outcome = check_needed(experiment, file, "file", &call.why);
    if (outcome == LAB_DONE)
        outcome = experiment_make(experiment, file, NULL, options, &call.why);
    return lab_call_end(&call, outcome, why);
}

cfpc_outcome cfpc_experiment_make(cfpc_experiment **experiment, const cfpc_tree *tree,
                                  const cfpc_experiment_options *options, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_outcome outcome = check_needed(experiment, tree, "tree", &call.why);
    if (outcome == LAB_DONE)
        outcome = experiment_make(experiment, NULL, tree, options, &call.why);
    return lab_call_end(&call, outcome, why);
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
