// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>

#include "analyse/excite.h"
#include "draw/excitation_figure.h"
#include "draw/gnuplot.h"
#include "excite_report.h"
#include "load.h"
#include "verbs.h"
#include "write/excitation.h"

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

// The objects of a design, freed together.
typedef struct work {
    cfpc_experiment experiment;
    lab_excitation excitation;
} work;

static void excite_verb_work_free(work *work)
{
    lab_excitation_free(&work->excitation);
    lab_experiment_clear(&work->experiment);
}

static lab_outcome excite_read_options(lab_excite_options *to, const app_line *line, lab_why *why)
{
    const struct {
        const char *name;
        double *value;
    } numbers[] = {{"--seconds", &to->seconds},
                   {"--rms", &to->rms},
                   {"--noise", &to->noise},
                   {"--low-hz", &to->low_hz},
                   {"--high-hz", &to->high_hz}};
    *to = (lab_excite_options){NAN, NAN, NAN, NAN, NAN, 0};
    lab_outcome outcome = app_seed(line, "--seed", &to->seed, why);
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof numbers / sizeof numbers[0]; i++)
        outcome = app_number(line, numbers[i].name, numbers[i].value, why);
    return outcome;
}

static lab_outcome excite_write_into(const work *work, const char *path, bool force, bool figures,
                                     lab_why *why)
{
    lab_folder folder;
    lab_outcome outcome = app_begin_result(&folder, &work->experiment.spec, path, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_write_excitation(&folder, &work->excitation, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_excitation(&folder, &work->excitation, lab_has_gnuplot(), why);
    return app_end_result(&folder, outcome, why);
}

// The default folder is replaced at every call, as that of a certificate is.
static lab_outcome excite(work *work, const app_line *line, lab_why *why)
{
    const bool figures = !app_value(line, "--no-figures");
    const char *chosen = app_value(line, "--out");
    char standard[256];
    lab_excite_options how;
    lab_outcome outcome = excite_read_options(&how, line, why);
    if (outcome == LAB_DONE)
        outcome = app_load_plan(&work->experiment, line, why);
    if (outcome == LAB_DONE)
        outcome = lab_excite(&work->excitation, &work->experiment.plan, &how, why);
    if (outcome != LAB_DONE)
        return outcome;
    snprintf(standard, sizeof standard, "out/%s-probe", work->experiment.spec.name);
    const char *path = chosen ? chosen : standard;
    outcome = excite_write_into(work, path, !chosen || app_value(line, "--force"), figures, why);
    if (outcome == LAB_DONE)
        app_report_excitation(&work->excitation, path, figures);
    if (outcome == LAB_DONE && fflush(stdout) != 0)
        outcome = lab_fail(why, "the output cannot be written");
    return outcome;
}

static int excite_run(const app_line *line)
{
    work work = {0};
    lab_why why = {0};
    const lab_outcome outcome = excite(&work, line, &why);
    excite_verb_work_free(&work);
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
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
    .run = excite_run};
