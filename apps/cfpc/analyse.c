// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "load.h"
#include "say.h"
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

static cfpc_outcome analyse(const app_line *line, cfpc_why *why)
{
    const char *chosen = app_value(line, "--out"), *rule = app_value(line, "--rule");
    const bool is_json = app_value(line, "--json");
    const cfpc_analyse_options how = {.region =
                                          (chosen || !is_json) && !app_value(line, "--no-figures"),
                                      .weights = app_value(line, "--weights")};
    cfpc_write_options writing = app_write_options(line);
    cfpc_experiment *experiment = NULL;
    cfpc_report *report = NULL;
    char standard[256], *json = NULL;
    // The default folder is replaced at every call: a certificate is quickly computed again.
    writing.replace |= !chosen;
    cfpc_outcome outcome = app_load(&experiment, line, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_analyse(&report, experiment, &how, why);
    if (outcome == CFPC_DONE && is_json) { // only where a folder is named is one written
        outcome = cfpc_report_json(report, &json, why);
        if (outcome == CFPC_DONE && chosen)
            outcome = cfpc_report_write(report, chosen, &writing, why);
    } else if (outcome == CFPC_DONE) {
        snprintf(standard, sizeof standard, "out/%s-certificate%s%s",
                 cfpc_experiment_name(experiment), rule ? "-" : "", rule ? rule : "");
        outcome = app_leave_report(report, chosen ? chosen : standard, &writing, false, why);
    }
    if (outcome == CFPC_DONE)
        app_print_text(json);
    else
        cfpc_text_free(json);
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
