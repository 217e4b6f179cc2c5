// SPDX-License-Identifier: Apache-2.0
#include "api/report.h"

#include <stdlib.h>

#include "base/new_file.h"
#include "draw/figures.h"
#include "draw/gnuplot.h"
#include "spec/origin.h"
#include "write/certificate_json.h"
#include "write/excitation.h"
#include "write/identification.h"

lab_outcome lab_report_begin(cfpc_report **report, lab_report_kind kind, const void *needed,
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
    switch (report->kind) {
    case LAB_REPORT_ANALYSIS:
        lab_analysis_free(&report->analysis);
        break;
    case LAB_REPORT_PROBE:
        lab_excitation_free(&report->excitation);
        break;
    case LAB_REPORT_COMPARISON:
        lab_comparison_free(&report->comparison);
        break;
    case LAB_REPORT_IDENTIFICATION:
        lab_identification_free(&report->identification);
        break;
    }
    free(report->log);
    free(report->model);
    free(report);
}

// ---- said ------------------------------------------------------------------------------------

static lab_outcome report_put_text(FILE *to, const void *context, lab_why *why)
{
    const cfpc_report *report = context;
    (void)why;
    switch (report->kind) {
    case LAB_REPORT_ANALYSIS:
        lab_put_analysis(to, &report->analysis);
        break;
    case LAB_REPORT_PROBE:
        lab_put_excitation(to, &report->excitation);
        break;
    case LAB_REPORT_COMPARISON:
        lab_put_comparison(to, &report->comparison);
        break;
    case LAB_REPORT_IDENTIFICATION:
        lab_put_identification(to, &report->identification, report->model);
        break;
    }
    return LAB_DONE;
}

cfpc_outcome cfpc_report_text(const cfpc_report *report, char **text, cfpc_why *why)
{
    return lab_tell_program(text, report_put_text, report, "report", why);
}

static lab_outcome report_put_json(FILE *to, const void *context, lab_why *why)
{
    const cfpc_report *report = context;
    switch (report->kind) {
    case LAB_REPORT_ANALYSIS:
        lab_certificate_json(to, &report->analysis);
        break;
    case LAB_REPORT_PROBE:
        lab_excitation_json(to, &report->excitation);
        break;
    case LAB_REPORT_COMPARISON:
        return lab_refuse(why, "a comparison has no JSON");
    case LAB_REPORT_IDENTIFICATION:
        lab_identification_json(to, &report->identification);
        break;
    }
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

static lab_outcome report_put_files(FILE *to, const void *context, lab_why *why)
{
    const lab_told_place *it = context;
    const cfpc_report *report = it->of;
    const lab_outcome outcome = report_check_place(report, it->folder, why);
    if (outcome != LAB_DONE)
        return outcome;
    switch (report->kind) {
    case LAB_REPORT_ANALYSIS:
        lab_put_analysis_files(to, &report->analysis, it->folder, it->figures);
        break;
    case LAB_REPORT_PROBE:
        lab_put_excitation_files(to, it->folder, it->figures);
        break;
    case LAB_REPORT_COMPARISON:
        lab_put_comparison_files(to, it->folder, it->figures);
        break;
    case LAB_REPORT_IDENTIFICATION:
        lab_put_identification_files(to, report->model, it->folder, it->figures);
        break;
    }
    return LAB_DONE;
}

cfpc_outcome cfpc_report_files(const cfpc_report *report, const char *folder,
                               const cfpc_write_options *options, char **text, cfpc_why *why)
{
    const lab_told_place place = {report, folder, options && options->figures};
    return lab_tell_program(text, report_put_files, report ? &place : NULL, "report", why);
}

// ---- written ---------------------------------------------------------------------------------

static lab_outcome report_fill(lab_folder *folder, const void *context, bool figures, lab_why *why)
{
    const cfpc_report *report = context;
    const bool can_draw = figures && lab_has_gnuplot();
    lab_outcome outcome = LAB_DONE;
    if (report->spec) {
        lab_origin origin;
        outcome = lab_origin_make(&origin, report->spec, why);
        if (outcome == LAB_DONE)
            outcome = lab_write_origin(folder, &origin, why);
        lab_origin_free(&origin);
    }
    if (outcome != LAB_DONE)
        return outcome;
    // What was found, and after it the figures of it.
    switch (report->kind) {
    case LAB_REPORT_ANALYSIS:
        outcome = lab_write_certificate(folder, &report->analysis, why);
        if (outcome == LAB_DONE && figures)
            outcome = lab_draw_certificate(folder, &report->analysis, can_draw, why);
        break;
    case LAB_REPORT_PROBE:
        outcome = lab_write_excitation(folder, &report->excitation, why);
        if (outcome == LAB_DONE && figures)
            outcome = lab_draw_excitation(folder, &report->excitation, can_draw, why);
        break;
    case LAB_REPORT_COMPARISON:
        outcome = lab_write_comparison(folder, &report->comparison, why);
        if (outcome == LAB_DONE && figures)
            outcome = lab_draw_comparison(folder, &report->comparison, can_draw, why);
        break;
    case LAB_REPORT_IDENTIFICATION:
        outcome = lab_write_identification(folder, &report->identification, why);
        if (outcome == LAB_DONE && figures)
            outcome = lab_draw_identification(folder, &report->identification, can_draw, why);
        break;
    }
    return outcome;
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
cfpc_outcome cfpc_report_write(const cfpc_report *report, const char *folder,
                               const cfpc_write_options *options, cfpc_why *why)
{
    lab_call call;
    lab_new_file model = {0};
    lab_call_begin(&call, options ? options->progress : NULL);
    lab_outcome outcome = lab_check_given(report, "report", &call.why);
    if (outcome == LAB_DONE)
        outcome = report_check_place(report, folder, &call.why);
    if (outcome == LAB_DONE && report->model)
        outcome = report_begin_model(&model, report, &call.why);
    if (outcome == LAB_DONE && folder)
        outcome = lab_write_into(folder, options, &call.progress, report_fill, report, &call.why);
    if (outcome == LAB_DONE && report->model)
        outcome = lab_new_file_commit(&model, &call.why);
    else if (report && report->model)
        lab_new_file_abandon(&model);
    return lab_call_end(&call, outcome, why);
}
