// SPDX-License-Identifier: Apache-2.0
// analyse: the report of an analysis.
#include "analyse/analyse.h"

#include <stdlib.h>

#include "api/report.h"
#include "base/csv.h"

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

cfpc_outcome cfpc_experiment_analyse(cfpc_report **report, const cfpc_experiment *experiment,
                                     const cfpc_analyse_options *options, cfpc_why *why)
{
    const cfpc_analyse_options from = options ? *options : (cfpc_analyse_options){0};
    lab_csv csv = {0};
    double *weights = NULL;
    lab_call call;
    lab_call_begin(&call, from.progress);
    lab_outcome outcome =
        lab_report_begin(report, LAB_REPORT_ANALYSIS, experiment, "experiment", &call.why);
    if (outcome == LAB_DONE && from.weights)
        outcome = read_weights(&weights, &csv, &experiment->spec, from.weights, &call.why);
    if (outcome == LAB_DONE) {
        const lab_analyse_options how = {.region = from.region,
                                         .weights_file = from.weights,
                                         .weights = weights,
                                         .weight_count = csv.rows,
                                         .progress = &call.progress};
        (*report)->spec = &experiment->spec;
        outcome = lab_analyse(&(*report)->analysis, &experiment->plan, &how, &call.why);
    }
    free(weights);
    lab_csv_free(&csv);
    return lab_call_end(&call, lab_report_end(report, outcome), why);
}

cfpc_outcome cfpc_experiment_certificate(const cfpc_experiment *experiment, char **json,
                                         const cfpc_progress *progress, cfpc_why *why)
{
    const cfpc_analyse_options how = {.progress = progress};
    cfpc_report *report = NULL;
    lab_call call;
    lab_call_begin(&call, NULL);
    const lab_outcome given =
        lab_check_both(experiment, "experiment", json, "place for the text", &call.why);
    if (json)
        *json = NULL;
    cfpc_outcome outcome = lab_call_end(&call, given, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_analyse(&report, experiment, &how, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_report_json(report, json, why);
    cfpc_report_free(report);
    return outcome;
}
