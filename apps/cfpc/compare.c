// SPDX-License-Identifier: Apache-2.0
#include "load.h"
#include "say.h"
#include "verbs.h"

static const app_option options[] = {
    {"--out", "DIR", "output folder; default out/compare", false},
    {"--rule", "NAME", "show this rule of every run; default each run's own", false},
    {"--all", NULL, "show all rules of every run", false},
    {"--force", NULL, "replace an existing result", false},
    {"--quiet", NULL, "print only errors", false},
    {"--no-figures", NULL, "draw no figure", false},
    {0}};

static cfpc_outcome compare(const app_line *line, cfpc_why *why)
{
    const char *chosen = app_value(line, "--out");
    const cfpc_write_options how = app_write_options(line);
    const cfpc_compare_options shown = {.rule = app_value(line, "--rule"),
                                        .all = app_value(line, "--all")};
    cfpc_report *report = NULL;
    if (shown.rule && shown.all)
        return app_refuse(why, "--rule shows one rule, --all shows all of them; give only one");
    cfpc_outcome outcome =
        cfpc_compare(&report, line->positionals, (size_t)line->count, &shown, why);
    if (outcome == CFPC_DONE)
        outcome = app_leave_report(report, chosen ? chosen : "out/compare", &how,
                                   app_value(line, "--quiet"), why);
    cfpc_report_free(report);
    return outcome;
}

const app_verb app_verb_compare = {
    .name = "compare",
    .arguments = "RUN RUN...",
    .summary = "put the learning curves of several runs side by side",
    .text =
        "RUN is a result folder of 'cfpc run'; give 2 to 12 of them. Exit code: 0 done, 1 failed,\n"
        "2 bad usage or not a result folder.\n",
    .options = options,
    .positionals = APP_MAX_POSITIONALS,
    .run = compare};
