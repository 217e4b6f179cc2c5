// SPDX-License-Identifier: Apache-2.0
#include "load.h"
#include "verbs.h"

static cfpc_outcome show(const app_line *line, cfpc_why *why)
{
    return app_print_of(line, cfpc_experiment_text, why);
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
