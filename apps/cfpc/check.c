// SPDX-License-Identifier: Apache-2.0
#include "load.h"
#include "verbs.h"

static cfpc_outcome check(const app_line *line, cfpc_why *why)
{
    return app_print_of(line, cfpc_experiment_check, why);
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
