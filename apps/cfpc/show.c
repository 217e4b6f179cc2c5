// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "load.h"
#include "spec/spec_print.h"
#include "verbs.h"

static int show(const app_line *line)
{
    lab_why why;
    app_experiment it;
    lab_outcome outcome = app_load(&it, line, &why);
    if (outcome == LAB_DONE)
        lab_spec_print(stdout, &it.spec);
    else
        fprintf(stderr, "cfpc: %s\n", why.text);
    app_experiment_free(&it);
    return outcome;
}

static const app_option options[] = {
    {"--set", "KEY=VALUE", "another value for a key, as loop.delay_ms=80; may be given often",
     true},
    {0}};

const app_verb app_verb_show = {
    .name = "show",
    .arguments = "SPEC",
    .summary = "print an experiment's spec with every default, to start one's own from",
    .text = "For example: cfpc show pursuit > mine.yaml, change it, then cfpc run mine.yaml\n",
    .options = options,
    .positionals = 1,
    .run = show};
