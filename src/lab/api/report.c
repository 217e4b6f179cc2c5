// SPDX-License-Identifier: Apache-2.0
#include "api/report.h"

#include <stdlib.h>

#include "api/given.h"
#include "api/into.h"
#include "api/told.h"
#include "base/new_file.h"
#include "spec/origin.h"

lab_outcome lab_report_begin(cfpc_report **report, const lab_report_kind *kind, const void *needed,
                             const char *what, lab_why *why)
{
    if (report)
        *report = NULL;
    const lab_outcome outcome = lab_check_both(report, "place for the report", needed, what, why);
    if (outcome != LAB_DONE)
        return outcome;
    if (!(*report = calloc(1, sizeof **report)))
        return lab_no_memory(why, NULL);
    (*report)->kind = kind;
    return LAB_DONE;
}

lab_outcome lab_report_end(cfpc_report **report, lab_outcome outcome)
{
    if (outcome != LAB_DONE && report) {
        cfpc_report_free(*report);
        *report = NULL;
    }
    return outcome;
}

void cfpc_report_free(cfpc_report *report)
{
    if (!report)
        return;
    report->kind->clear(report);
    free(report->log);
    free(report->model);
    free(report);
}

// ---- said ------------------------------------------------------------------------------------

static lab_outcome report_put_text(FILE *to, const void *context, lab_why *why)
{
    const cfpc_report *report = context;
    (void)why;
    report->kind->text(to, report);
    return LAB_DONE;
}

cfpc_outcome cfpc_report_text(const cfpc_report *report, char **text, cfpc_why *why)
{
    return lab_tell_program(text, report_put_text, report, "report", why);
}

static lab_outcome report_put_json(FILE *to, const void *context, lab_why *why)
{
    const cfpc_report *report = context;
    if (!report->kind->json)
        return lab_refuse(why, "%s has no JSON", report->kind->what);
    report->kind->json(to, report);
    return LAB_DONE;
}

cfpc_outcome cfpc_report_json(const cfpc_report *report, char **json, cfpc_why *why)
{
    return lab_tell_program(json, report_put_json, report, "report", why);
}

// Only a model file needs no folder.
static lab_outcome report_check_place(const cfpc_report *report, const char *folder, lab_why *why)
{
    return report->model ? LAB_DONE : lab_check_given(folder, "folder", why);
}

typedef struct places {
    const cfpc_report *report;
    const char *folder;
    bool figures;
} places;

static lab_outcome report_put_files(FILE *to, const void *context, lab_why *why)
{
    const places *places = context;
    const lab_outcome outcome = report_check_place(places->report, places->folder, why);
    if (outcome != LAB_DONE)
        return outcome;
    places->report->kind->files(to, places->report, places->folder, places->figures);
    return LAB_DONE;
}

cfpc_outcome cfpc_report_files(const cfpc_report *report, const char *folder,
                               const cfpc_write_options *options, char **text, cfpc_why *why)
{
    const places places = {report, folder, options && options->figures};
    return lab_tell_program(text, report_put_files, report ? &places : NULL, "report", why);
}

// ---- written ---------------------------------------------------------------------------------

static lab_outcome report_fill(lab_folder *folder, const void *context, bool figures, lab_why *why)
{
    const cfpc_report *report = context;
    lab_outcome outcome = LAB_DONE;
    if (report->spec) {
        lab_origin origin;
        outcome = lab_origin_make(&origin, report->spec, why);
        if (outcome == LAB_DONE)
            outcome = lab_write_origin(folder, &origin, why);
        lab_origin_free(&origin);
    }
    return outcome == LAB_DONE ? report->kind->fill(folder, report, figures, why) : outcome;
}

// Writes the model beside its place.
static lab_outcome report_begin_model(lab_new_file *file, const cfpc_report *report, lab_why *why)
{
    lab_model_file model;
    lab_outcome outcome = lab_model_of(&model, &report->identification, why);
    if (outcome == LAB_DONE)
        outcome = lab_new_file_begin(file, report->model, lab_model_file_title,
                                     report->replace_model, why);
    if (outcome == LAB_DONE) {
        lab_model_file_print(file->file, &model);
        outcome = lab_new_file_close(file, why);
    }
    lab_model_file_free(&model);
    return outcome;
}

// The model takes its place last, so that there is none without its figures.
static lab_outcome report_write(const cfpc_report *report, const char *folder,
                                const cfpc_write_options *options, const lab_progress *progress,
                                lab_why *why)
{
    lab_new_file model = {0};
    lab_outcome outcome = report_check_place(report, folder, why);
    if (outcome == LAB_DONE && report->model)
        outcome = report_begin_model(&model, report, why);
    if (outcome == LAB_DONE && folder)
        outcome = lab_write_into(folder, options, progress, report_fill, report, why);
    if (!report->model)
        return outcome;
    if (outcome == LAB_DONE)
        return lab_new_file_commit(&model, why);
    lab_new_file_abandon(&model);
    return outcome;
}

cfpc_outcome cfpc_report_write(const cfpc_report *report, const char *folder,
                               const cfpc_write_options *options, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, options ? options->progress : NULL);
    lab_outcome outcome = lab_check_given(report, "report", &call.why);
    if (outcome == LAB_DONE)
        outcome = report_write(report, folder, options, &call.progress, &call.why);
    return lab_call_end(&call, outcome, why);
}
