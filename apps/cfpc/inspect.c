// SPDX-License-Identifier: Apache-2.0
#include "say.h"
#include "verbs.h"

static cfpc_outcome inspect(const app_line *line, cfpc_why *why)
{
    char *text = NULL;
    if (line->count == 0)
        return app_refuse(why, "this needs a model or data file, or a result folder");
    const cfpc_outcome outcome = cfpc_inspect(line->positionals[0], &text, why);
    app_print_text(text);
    return outcome;
}

static const app_option options[] = {{0}};

const app_verb app_verb_inspect = {
    .name = "inspect",
    .arguments = "FILE",
    .summary = "say what is in a model or data file, or what the hash of a result is of",
    .text =
        "FILE was written by 'cfpc export --as bin', cfpc_model_save or cfpc_data_save, in either\n"
        "precision. Or it is a result folder of 'cfpc run': this lists the datasets, each with "
        "its\n"
        "own hash, of which the hash of the result is made, and what is left out. Exit code: 0 it\n"
        "is whole, 2 it is not of this version of cfpc, or it was altered or damaged.\n",
    .options = options,
    .positionals = 1,
    .run = inspect};
