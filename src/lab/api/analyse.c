// SPDX-License-Identifier: Apache-2.0
// analyse: the report of an analysis.
#include "analyse/analyse.h"

#include <stdlib.h>

#include "api/report.h"
#include "base/csv.h"
#include "draw/certificate_figures.h"
#include "draw/gnuplot.h"
#include "write/certificate_json.h"

static void analysis_text(FILE *to, const cfpc_report *report)
{
    lab_put_analysis(to, &report->analysis);
}

static void analysis_json(FILE *to, const cfpc_report *report)
{
    lab_certificate_json(to, &report->analysis);
}

static void analysis_files(FILE *to, const cfpc_report *report, const char *folder, bool figures)
{
    lab_put_analysis_files(to, &report->analysis, folder, figures);
}

static lab_outcome analysis_fill(lab_folder *folder, const cfpc_report *report, bool figures,
                                 lab_why *why)
{
    lab_outcome outcome = lab_write_certificate(folder, &report->analysis, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_certificate(folder, &report->analysis, lab_has_gnuplot(), why);
    return outcome;
}

static void analysis_clear(cfpc_report *report)
{
    lab_analysis_free(&report->analysis);
}

static const lab_report_kind kind_of_analysis = {.what = "an analysis",
                                                 .text = analysis_text,
                                                 .json = analysis_json,
                                                 .files = analysis_files,
                                                 .fill = analysis_fill,
                                                 .clear = analysis_clear};

// ---- the call --------------------------------------------------------------------------------

// The column of the rule in question, or the only one.
static lab_outcome read_weights(double **weights, lab_csv *csv, const lab_spec *spec,
                                const char *path, lab_why *why)
{
    int column = 0;
    lab_outcome outcome = lab_csv_read(csv, path, why);
    if (outcome == LAB_DONE && csv->columns > 1)
        outcome = lab_csv_column(csv, path, lab_rules(spec)[spec->main_rule].name, &column, why);
    if (outcome == LAB_DONE && !(*weights = calloc((size_t)csv->rows + 1, sizeof **weights)))
        outcome = lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < csv->rows; i++)
        (*weights)[i] = csv->values[(size_t)i * (size_t)csv->columns + (size_t)column];
    return outcome;
}

static lab_outcome analyse_experiment(cfpc_report *report, const cfpc_experiment *experiment,
                                      const cfpc_analyse_options *options,
                                      const lab_progress *progress, lab_why *why)
{
    lab_csv csv = {0};
    double *weights = NULL;
    const char *file = options->weights;
    lab_outcome outcome =
        file ? read_weights(&weights, &csv, &experiment->spec, file, why) : LAB_DONE;
    const lab_analyse_options how = {.region = options->region,
                                     .weights_file = file,
                                     .weights = weights,
                                     .weight_count = csv.rows,
                                     .progress = progress};
    report->spec = &experiment->spec;
    if (outcome == LAB_DONE)
        outcome = lab_analyse(&report->analysis, &experiment->plan, &how, why);
    free(weights);
    lab_csv_free(&csv);
    return outcome;
}

cfpc_outcome cfpc_experiment_analyse(cfpc_report **report, const cfpc_experiment *experiment,
                                     const cfpc_analyse_options *options, cfpc_why *why)
{
    const cfpc_analyse_options how = options ? *options : (cfpc_analyse_options){0};
    lab_call call;
    lab_call_begin(&call, how.progress);
    lab_outcome outcome =
        lab_report_begin(report, &kind_of_analysis, experiment, "experiment", &call.why);
    if (outcome == LAB_DONE)
        outcome = analyse_experiment(*report, experiment, &how, &call.progress, &call.why);
    return lab_call_end(&call, lab_report_end(report, outcome), why);
}
