// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "analyse/analyse.h"
#include "analyse_report.h"
#include "base/csv.h"
#include "draw/certificate_figures.h"
#include "draw/gnuplot.h"
#include "load.h"
#include "verbs.h"
#include "write/certificate_json.h"

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

// The objects of an analysis, freed together.
typedef struct work {
    cfpc_experiment experiment;
    lab_csv csv;
    double *weights;
    lab_analysis analysis;
} work;

static void analyse_work_free(work *work)
{
    lab_analysis_free(&work->analysis);
    free(work->weights);
    lab_csv_free(&work->csv);
    lab_experiment_clear(&work->experiment);
}

// The column of the rule in question, or the only one.
static lab_outcome read_weights(work *work, const char *path, lab_why *why)
{
    const char *rule = lab_rules(&work->experiment.spec)[work->experiment.spec.main_rule].name;
    int column = 0;
    lab_outcome outcome = lab_csv_read(&work->csv, path, why);
    if (outcome == LAB_DONE && work->csv.columns > 1)
        outcome = lab_csv_column(&work->csv, path, rule, &column, why);
    if (outcome == LAB_DONE &&
        !(work->weights = calloc((size_t)work->csv.rows + 1, sizeof(double))))
        outcome = lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < work->csv.rows; i++)
        work->weights[i] = work->csv.values[(size_t)i * (size_t)work->csv.columns + (size_t)column];
    return outcome;
}

static lab_outcome analyse_compute(work *work, const app_line *line, bool region, lab_why *why)
{
    const char *weights = app_value(line, "--weights");
    lab_outcome outcome = app_load_plan(&work->experiment, line, why);
    if (outcome == LAB_DONE && weights)
        outcome = read_weights(work, weights, why);
    if (outcome != LAB_DONE)
        return outcome;
    const lab_analyse_options how = {.region = region,
                                     .weights_file = weights,
                                     .weights = work->weights,
                                     .weight_count = work->csv.rows};
    return lab_analyse(&work->analysis, &work->experiment.plan, &how, why);
}

static lab_outcome analyse_write_into(const work *work, const char *path, bool force, bool figures,
                                      lab_why *why)
{
    lab_folder folder;
    lab_outcome outcome = app_begin_result(&folder, &work->experiment.spec, path, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_write_certificate(&folder, &work->analysis, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_certificate(&folder, &work->analysis, lab_has_gnuplot(), why);
    return app_end_result(&folder, outcome, why);
}

// The default folder is replaced at every call: a certificate is quickly computed again.
static lab_outcome analyse(work *work, const app_line *line, lab_why *why)
{
    const bool json = app_value(line, "--json"), figures = !app_value(line, "--no-figures");
    const char *chosen = app_value(line, "--out");
    const bool writes = chosen || !json;
    char standard[256];
    lab_outcome outcome = analyse_compute(work, line, figures && writes, why);
    if (outcome != LAB_DONE)
        return outcome;
    const char *rule = app_value(line, "--rule");
    snprintf(standard, sizeof standard, "out/%s-certificate%s%s", work->experiment.spec.name,
             rule ? "-" : "", rule ? rule : "");
    const char *path = chosen ? chosen : standard;
    if (writes)
        outcome =
            analyse_write_into(work, path, !chosen || app_value(line, "--force"), figures, why);
    if (outcome == LAB_DONE && json)
        lab_certificate_json(stdout, &work->analysis);
    if (outcome == LAB_DONE && !json)
        app_report_analysis(&work->analysis, path, figures);
    if (outcome == LAB_DONE && fflush(stdout) != 0)
        outcome = lab_fail(why, "the output cannot be written");
    return outcome;
}

static int analyse_run(const app_line *line)
{
    work work = {0};
    lab_why why = {0};
    const lab_outcome outcome = analyse(&work, line, &why);
    analyse_work_free(&work);
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
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
    .run = analyse_run};
