// SPDX-License-Identifier: Apache-2.0
#include "experiment.h"

#include "tell.h"
#include "why.h"

// ---- what is called back ---------------------------------------------------------------------

static bool tick(void *context, const char *what, int done, int total)
{
    (void)context;
    return web_tick(what, done, total);
}

static const cfpc_progress progress = {.tick = tick};

// ---- an experiment ---------------------------------------------------------------------------

cfpc_outcome web_settings_add(cfpc_settings *settings, const char *path, const cfpc_tree *value)
{
    return web_ended(cfpc_settings_add_tree(settings, path, value, &web_why));
}

cfpc_experiment *web_experiment_make(const cfpc_tree *tree, const cfpc_settings *settings,
                                     const char *rule, int trials, double rate, int online,
                                     int repeat, int seed)
{
    const cfpc_experiment_options options = {.settings = settings,
                                             .rule = rule,
                                             .trials = trials,
                                             .rate = rate,
                                             .online = online,
                                             .repeat = repeat,
                                             .seed = seed};
    cfpc_experiment *experiment = NULL;
    web_ended(cfpc_experiment_make(&experiment, tree, &options, &web_why));
    return experiment;
}

char *web_experiment_check(const cfpc_experiment *experiment)
{
    char *text = NULL;
    return web_ended(cfpc_experiment_check(experiment, &text, &web_why)) ? NULL : text;
}

char *web_experiment_text(const cfpc_experiment *experiment)
{
    char *text = NULL;
    return web_ended(cfpc_experiment_text(experiment, &text, &web_why)) ? NULL : text;
}

char *web_experiment_certificate(const cfpc_experiment *experiment)
{
    char *json = NULL;
    const cfpc_outcome outcome =
        cfpc_experiment_certificate(experiment, &json, &progress, &web_why);
    return web_ended(outcome) ? NULL : json;
}

cfpc_result *web_experiment_run(const cfpc_experiment *experiment)
{
    cfpc_result *result = NULL;
    web_ended(cfpc_experiment_run(&result, experiment, &progress, &web_why));
    return result;
}
