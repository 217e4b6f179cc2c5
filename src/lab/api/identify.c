// SPDX-License-Identifier: Apache-2.0
// identify: the report of a model that was identified from a log.
#include <math.h>
#include <string.h>

#include "api/report.h"
#include "base/new_file.h"
#include "draw/gnuplot.h"
#include "draw/identification_figure.h"
#include "spec/model_files.h"
#include "write/identification.h"

static void identification_text(FILE *to, const cfpc_report *report)
{
    lab_put_identification(to, &report->identification, report->model);
}

static void identification_json(FILE *to, const cfpc_report *report)
{
    lab_identification_json(to, &report->identification);
}

static void identification_files(FILE *to, const cfpc_report *report, const char *folder,
                                 bool figures)
{
    lab_put_identification_files(to, report->model, folder, figures);
}

static lab_outcome identification_fill(lab_folder *folder, const cfpc_report *report, bool figures,
                                       lab_why *why)
{
    lab_outcome outcome = lab_write_identification(folder, &report->identification, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_identification(folder, &report->identification, lab_has_gnuplot(), why);
    return outcome;
}

static void identification_clear(cfpc_report *report)
{
    lab_identification_free(&report->identification);
}

static const lab_report_kind kind_of_identification = {.what = "an identification",
                                                       .text = identification_text,
                                                       .json = identification_json,
                                                       .files = identification_files,
                                                       .fill = identification_fill,
                                                       .clear = identification_clear};

// ---- the call --------------------------------------------------------------------------------

enum { MAX_ORDER = 40 }; // that cfpc_identify takes

static lab_outcome read_identify_options(lab_identify_options *to,
                                         const cfpc_identify_options *from, lab_why *why)
{
    const double step_ms = from->step_ms, *delay_ms = from->dead_time_ms;
    *to = (lab_identify_options){.log = {.input = from->input,
                                         .output = from->output,
                                         .time = from->time,
                                         .step_ms = step_ms == 0 ? NAN : step_ms},
                                 .dead_time_ms = delay_ms ? *delay_ms : NAN,
                                 .order = from->order,
                                 .allow_feedback = from->allow_feedback};
    if (!isnan(to->log.step_ms) && !(isfinite(step_ms) && step_ms > 0))
        return lab_refuse(why, "the step must be a number of ms above 0; this is %g", step_ms);
    if (delay_ms && !(isfinite(*delay_ms) && *delay_ms >= 0))
        return lab_refuse(why, "the delay must be a number of ms, at least 0; this is %g",
                          *delay_ms);
    if (from->order < 0 || from->order > MAX_ORDER)
        return lab_refuse(why, "the order must be a whole number from 1 to %d; this is %d",
                          MAX_ORDER, from->order);
    return LAB_DONE;
}

// The place of the model is checked before the work.
static lab_outcome identify_take_model(cfpc_report *report, const cfpc_identify_options *options,
                                       lab_why *why)
{
    if (!options->model)
        return LAB_DONE;
    if (!lab_is_model_name(options->model))
        return lab_refuse(why, "a model file must end in .yaml; this is '%.200s'", options->model);
    report->replace_model = options->replace_model;
    report->model = strdup(options->model);
    return report->model
               ? lab_new_file_check(report->model, lab_model_file_title, report->replace_model, why)
               : lab_no_memory(why, NULL);
}

cfpc_outcome cfpc_identify_log(cfpc_report **report, const char *log,
                               const cfpc_identify_options *options, cfpc_why *why)
{
    const cfpc_identify_options standard = {0};
    lab_call call;
    lab_identify_options how;
    lab_call_begin(&call, NULL);
    lab_outcome outcome =
        lab_report_begin(report, &kind_of_identification, log, "log, a CSV file,", &call.why);
    if (outcome == LAB_DONE)
        outcome = read_identify_options(&how, options ? options : &standard, &call.why);
    if (outcome == LAB_DONE)
        outcome = identify_take_model(*report, options ? options : &standard, &call.why);
    if (outcome == LAB_DONE && !((*report)->log = strdup(log)))
        outcome = lab_no_memory(&call.why, NULL);
    if (outcome == LAB_DONE)
        outcome = lab_identify(&(*report)->identification, (*report)->log, &how, &call.why);
    return lab_call_end(&call, lab_report_end(report, outcome), why);
}
