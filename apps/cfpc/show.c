// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "load.h"
#include "spec/spec_print.h"
#include "verbs.h"

static int show(const app_line *line)
{
    lab_why why;
    cfpc_experiment experiment;
    lab_outcome outcome = app_load(&experiment, line, &why);
    if (outcome == LAB_DONE)
        lab_spec_print(stdout, &experiment.spec);
    else
        fprintf(stderr, "cfpc: %s\n", why.text);
    lab_experiment_clear(&experiment);
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
