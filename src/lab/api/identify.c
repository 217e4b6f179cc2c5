// SPDX-License-Identifier: Apache-2.0
// identify: the report of a model that was identified from a log.
#include <math.h>
#include <string.h>

#include "api/report.h"
#include "base/new_file.h"
#include "spec/model_file.h"

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

cfpc_outcome cfpc_identify_log(cfpc_report **report, const char *log,
                               const cfpc_identify_options *options, cfpc_why *why)
{
    const cfpc_identify_options from = options ? *options : (cfpc_identify_options){0};
    lab_identify_options how;
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_outcome outcome =
        lab_report_begin(report, LAB_REPORT_IDENTIFICATION, log, "log, a CSV file,", &call.why);
    if (outcome == LAB_DONE)
        outcome = read_identify_options(&how, &from, &call.why);
    if (outcome == LAB_DONE && from.model && !lab_is_model_name(from.model))
        outcome =
            lab_refuse(&call.why, "a model file must end in .yaml; this is '%.200s'", from.model);
    if (outcome == LAB_DONE && ((from.model && !((*report)->model = strdup(from.model))) ||
                                !((*report)->log = strdup(log))))
        outcome = lab_no_memory(&call.why, NULL);
    // The place of the model is checked before the work.
    if (outcome == LAB_DONE && from.model) {
        (*report)->replace_model = from.replace_model;
        outcome =
            lab_new_file_check(from.model, lab_model_file_title, from.replace_model, &call.why);
    }
    if (outcome == LAB_DONE)
        outcome = lab_identify(&(*report)->identification, (*report)->log, &how, &call.why);
    return lab_call_end(&call, lab_report_end(report, outcome), why);
}
