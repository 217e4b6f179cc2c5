// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "load.h"
#include "verbs.h"

static int check(const app_line *line)
{
    lab_why why;
    cfpc_experiment experiment;
    char *text = NULL;
    lab_outcome outcome = app_load_plan(&experiment, line, &why);
    if (outcome == LAB_DONE)
        outcome = cfpc_experiment_check(&experiment, &text, &why);
    if (outcome == LAB_DONE)
        fputs(text, stdout);
    else
        fprintf(stderr, "cfpc: %s\n", why.text);
    cfpc_text_free(text);
    lab_experiment_clear(&experiment);
    return outcome;
}

static const app_option options[] = {
    {"--set", "KEY=VALUE", "set a key, e.g. loop.delay_ms=80; repeatable", true}, {0}};

const app_verb app_verb_check = {.name = "check",
                                 .arguments = "SPEC",
                                 .summary = "check whether a spec is valid, without running it",
                                 .text = "It also prints how a measured response is realised, "
                                         "and, of a rule in adjoint form, the\nhorizon and lead of "
                                         "its teaching filter, and of a zone its size and its "
                                         "blocks.\n",
                                 .options = options,
                                 .positionals = 1,
                                 .run = check};
