// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "experiments.h"
#include "spec.h"
#include "verbs.h"

static lab_outcome print_spec(const app_line *line, lab_why *why)
{
    char *file = NULL, *text = NULL;
    if (line->count == 0)
        return lab_refuse(why, "show needs the name of an experiment (cfpc list) or a spec file");
    lab_outcome outcome = app_find_experiment(&file, line->positionals[0], why);
    if (outcome == LAB_DONE)
        outcome = lab_read_text(&text, file, why);
    if (outcome == LAB_DONE)
        fputs(text, stdout);
    free(text);
    free(file);
    return outcome;
}

static int show(const app_line *line)
{
    lab_why why;
    lab_outcome outcome = print_spec(line, &why);
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
    return outcome;
}

static const app_option options[] = {{0}};

const app_verb app_verb_show = {
    .name = "show",
    .arguments = "SPEC",
    .summary = "print an experiment's spec, to start one's own from",
    .text = "For example: cfpc show pursuit > mine.yaml, change it, then cfpc run mine.yaml\n",
    .options = options,
    .positionals = 1,
    .run = show};
