// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "load.h"
#include "report.h"
#include "verbs.h"

static const app_option options[] = {
    {"--json", NULL, "print only the certificate, as JSON; no folder without --out", false},
    {"--out", "DIR", "output folder; default out/NAME-certificate[-RULE]", false},
    {"--set", "KEY=VALUE", "set a key, e.g. believed.delay_ms=80; repeatable", true},
    {"--rule", "NAME", "the rule to certify; default the first rule of the spec", false},
    {"--trials", "N", "number of trials to predict", false},
    {"--learning-rate", "ETA", "learning rate of every rule", false},
    {"--online", NULL, "learn at every step instead of between trials", false},
    {"--weights", "FILE", "CSV file with the present weights, such as weights.csv of a run", false},
    {"--force", NULL, "replace an existing result in --out", false},
    {"--no-figures", NULL, "draw no figures and skip the tolerance region", false},
    {0}};

// Only where a folder is named is one written.
static cfpc_outcome leave_json(const cfpc_report *report, const char *folder,
                               const cfpc_write_options *how, cfpc_why *why)
{
    char *json = NULL;
    cfpc_outcome outcome = cfpc_report_json(report, &json, why);
    if (outcome == CFPC_DONE && folder)
        outcome = cfpc_report_write(report, folder, how, why);
    if (outcome == CFPC_DONE)
        app_print(json);
    cfpc_text_free(json);
    return outcome;
}

// The default folder is replaced at every call: a certificate is quickly computed again.
static cfpc_outcome analyse_leave(const cfpc_report *report, const app_line *line, const char *name,
                                  cfpc_why *why)
{
    const char *chosen = app_value(line, "--out"), *rule = app_value(line, "--rule");
    cfpc_write_options how = app_write_options(line);
    char standard[256];
    how.replace |= !chosen;
    snprintf(standard, sizeof standard, "out/%s-certificate%s%s", name, rule ? "-" : "",
             rule ? rule : "");
    return app_value(line, "--json")
               ? leave_json(report, chosen, &how, why)
               : app_leave_report(report, chosen ? chosen : standard, &how, false, why);
}

static cfpc_outcome analyse(const app_line *line, cfpc_why *why)
{
    const bool writes = app_value(line, "--out") || !app_value(line, "--json");
    const cfpc_analyse_options how = {.region = writes && !app_value(line, "--no-figures"),
                                      .weights = app_value(line, "--weights")};
    cfpc_experiment *experiment = NULL;
    cfpc_report *report = NULL;
    cfpc_outcome outcome = app_load(&experiment, line, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_analyse(&report, experiment, &how, why);
    if (outcome == CFPC_DONE)
        outcome = analyse_leave(report, line, cfpc_experiment_name(experiment), why);
    cfpc_report_free(report);
    cfpc_experiment_free(experiment);
    return outcome;
}

const app_verb app_verb_analyse = {
    .name = "analyse",
    .arguments = "SPEC",
    .summary = "predict whether learning will converge, to what error, and with what margins",
    .text = "SPEC is a name from 'cfpc list' or a path to a spec file. docs/certificate.md "
            "explains each\n"
            "figure. Exit code: 0 for any verdict, 1 if the analysis failed, 2 bad usage or bad "
            "input.\n",
    .options = options,
    .positionals = 1,
    .run = analyse};
