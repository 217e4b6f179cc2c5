// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "load.h"
#include "say.h"
#include "verbs.h"

static const app_option options[] = {
    {"--seconds", "S", "length; default 20, or what the band needs", false},
    {"--rms", "RMS", "rms of what it does to the output; default 2 % of the task's output", false},
    {"--noise", "SIGMA", "standard deviation of the measured value at rest; default loop.noise",
     false},
    {"--low-hz", "HZ", "lowest frequency; default where the basis signals have power", false},
    {"--high-hz", "HZ", "highest frequency; likewise", false},
    {"--seed", "N", "start from random phases of this seed; default Schroeder's phases", false},
    {"--out", "DIR", "output folder; default out/NAME-probe, replaced at every call", false},
    {"--set", "KEY=VALUE", "set a key, e.g. loop.delay_ms=80; repeatable", true},
    {"--rule", "NAME", "the rule whose basis and loop are meant; default the first", false},
    {"--force", NULL, "replace an existing result in --out", false},
    {"--no-figures", NULL, "draw no figures", false},
    {0}};

static cfpc_outcome excite(const app_line *line, cfpc_why *why)
{
    const char *chosen = app_value(line, "--out");
    cfpc_write_options writing = app_write_options(line);
    cfpc_excite_options how = {0};
    const struct {
        const char *name;
        double *value;
    } numbers[] = {{"--seconds", &how.seconds},
                   {"--rms", &how.rms},
                   {"--noise", &how.noise},
                   {"--low-hz", &how.low_hz},
                   {"--high-hz", &how.high_hz}};
    cfpc_experiment *experiment = NULL;
    cfpc_report *report = NULL;
    char standard[256];
    // The default folder is replaced at every call, as that of a certificate is.
    writing.replace |= !chosen;
    cfpc_outcome outcome = app_whole(line, "--seed", 0, &how.seed, why);
    for (size_t i = 0; outcome == CFPC_DONE && i < sizeof numbers / sizeof numbers[0]; i++)
        outcome = app_number(line, numbers[i].name, numbers[i].value, why);
    if (outcome == CFPC_DONE)
        outcome = app_load(&experiment, line, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_excite(&report, experiment, &how, why);
    if (outcome == CFPC_DONE) {
        snprintf(standard, sizeof standard, "out/%s-probe", cfpc_experiment_name(experiment));
        outcome = app_leave_report(report, chosen ? chosen : standard, &writing, false, why);
    }
    cfpc_report_free(report);
    cfpc_experiment_free(experiment);
    return outcome;
}

const app_verb app_verb_excite = {
    .name = "excite",
    .arguments = "SPEC",
    .summary = "design a probe to identify the loop with, and predict how accurate that will be",
    .text = "SPEC is a name from 'cfpc list' or a path to a spec file. The probe is added to the "
            "reference\n"
            "(to the command if o enters at the plant's input) while the loop is logged for 'cfpc "
            "identify'.\n"
            "It is periodic; its power is where it makes the relative error smallest for what it "
            "does to the\n"
            "output; docs/excite.md derives it. Exit code: 0 done, 1 failed, 2 bad usage or bad "
            "input.\n",
    .options = options,
    .positionals = 1,
    .run = excite};
