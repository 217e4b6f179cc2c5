// SPDX-License-Identifier: Apache-2.0
#include "load.h"
#include "report.h"
#include "verbs.h"

static cfpc_outcome show(const app_line *line, cfpc_why *why)
{
    cfpc_experiment *experiment;
    char *text = NULL;
    cfpc_outcome outcome = app_load(&experiment, line, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_text(experiment, &text, why);
    app_print_text(text);
    cfpc_experiment_free(experiment);
    return outcome;
}

static const app_option options[] = {
    {"--set", "KEY=VALUE", "set a key, e.g. loop.delay_ms=80; repeatable", true}, {0}};

const app_verb app_verb_show = {
    .name = "show",
    .arguments = "SPEC",
    .summary = "print a spec with every default, as a starting point for your own",
    .text =
        "For example: cfpc show pursuit > mine.yaml; edit it, its name first; cfpc run mine.yaml\n",
    .options = options,
    .positionals = 1,
    .run = show};
