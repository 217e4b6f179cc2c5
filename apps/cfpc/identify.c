// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/new_file.h"
#include "draw/gnuplot.h"
#include "draw/identification_figure.h"
#include "identify_report.h"
#include "spec/model_files.h"
#include "verbs.h"
#include "write/identification.h"

enum { MAX_ORDER = 40 }; // that cfpc_identify takes

static const app_option options[] = {
    {"--input", "COLUMN", "the input, e.g. the reference r: name or number from 1", false},
    {"--output", "COLUMN", "the output, as measured: likewise", false},
    {"--time", "COLUMN", "the time; default found by its name (t, time_s, ...); none: no column",
     false},
    {"--step-ms", "MS", "sampling step; default from the time stamps, or 1", false},
    {"--delay-ms", "MS", "dead time; default auto: found", false},
    {"--order", "N", "number of states; default auto: found", false},
    {"--out", "FILE", "the model file, e.g. model.yaml", false},
    {"--figures", "DIR", "folder for figure and data; default out/LOG-identified", false},
    {"--no-figures", NULL, "write the model file only", false},
    {"--allow-feedback", NULL, "accept an input that reacts to the output", false},
    {"--force", NULL, "replace an existing model file, and a result in --figures", false},
    {0}};

// ---- words -----------------------------------------------------------------------------------

static bool is_auto(const char *text)
{
    return !text || strcmp(text, "auto") == 0;
}

// A dead time may be 0.
static lab_outcome read_delay(const app_line *line, double *ms, lab_why *why)
{
    const char *text = app_value(line, "--delay-ms");
    char *end;
    *ms = NAN;
    if (is_auto(text))
        return LAB_DONE;
    *ms = strtod(text, &end);
    if (end == text || *end || !isfinite(*ms) || *ms < 0)
        return lab_refuse(why, "--delay-ms must be auto or a number, at least 0; this is '%.80s'",
                          text);
    return LAB_DONE;
}

static lab_outcome read_order(const app_line *line, int *order, lab_why *why)
{
    const char *text = app_value(line, "--order");
    char *end;
    *order = 0;
    if (is_auto(text))
        return LAB_DONE;
    const long number = strtol(text, &end, 10);
    if (end == text || *end || number < 1 || number > MAX_ORDER)
        return lab_refuse(why,
                          "--order must be auto or a whole number from 1 to %d; this is '%.80s'",
                          MAX_ORDER, text);
    *order = (int)number;
    return LAB_DONE;
}

static lab_outcome identify_read_options(lab_identify_options *to, const app_line *line,
                                         lab_why *why)
{
    *to = (lab_identify_options){.log = {.input = app_value(line, "--input"),
                                         .output = app_value(line, "--output"),
                                         .time = app_value(line, "--time"),
                                         .step_ms = NAN},
                                 .allow_feedback = app_value(line, "--allow-feedback")};
    if (line->count == 0)
        return lab_refuse(why, "this needs a log, a CSV file: cfpc identify LOG.csv --input r "
                               "--output y --out model.yaml");
    if (!app_value(line, "--out"))
        return lab_refuse(why, "this needs --out FILE, where to write the model: e.g. --out "
                               "model.yaml");
    if (!lab_is_model_name(app_value(line, "--out")))
        return lab_refuse(why, "--out must name a file that ends in .yaml; this is '%.200s'",
                          app_value(line, "--out"));
    lab_outcome outcome = app_number(line, "--step-ms", &to->log.step_ms, why);
    if (outcome == LAB_DONE)
        outcome = read_delay(line, &to->dead_time_ms, why);
    return outcome == LAB_DONE ? read_order(line, &to->order, why) : outcome;
}

// ---- results ---------------------------------------------------------------------------------

// Writes the model beside its place.
static lab_outcome write_model(lab_new_file *file, const lab_identification *identification,
                               const char *path, bool force, lab_why *why)
{
    lab_model_file model;
    *file = (lab_new_file){0};
    lab_outcome outcome = lab_model_of(&model, identification, why);
    if (outcome == LAB_DONE)
        outcome = lab_new_file_begin(file, path, lab_model_file_title, force, why);
    if (outcome == LAB_DONE) {
        lab_model_file_print(file->file, &model);
        outcome = lab_new_file_close(file, why);
    }
    lab_model_file_free(&model);
    return outcome;
}

static lab_outcome identify_write_folder(const lab_identification *identification, const char *path,
                                         bool force, lab_why *why)
{
    lab_folder folder;
    lab_outcome outcome = lab_folder_begin_as(&folder, path, "--figures", force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_write_identification(&folder, identification, why);
    if (outcome == LAB_DONE)
        outcome = lab_draw_identification(&folder, identification, lab_has_gnuplot(), why);
    if (outcome == LAB_DONE)
        return lab_folder_commit(&folder, why);
    lab_folder_abandon(&folder);
    return outcome;
}

// The model takes its place last, so that there is none without its figures.
static lab_outcome write(const lab_identification *identification, const app_line *line,
                         const char *folder, lab_why *why)
{
    const bool force = app_value(line, "--force"), chosen = app_value(line, "--figures");
    lab_new_file model;
    lab_outcome outcome = write_model(&model, identification, app_value(line, "--out"), force, why);
    if (outcome == LAB_DONE && folder)
        outcome = identify_write_folder(identification, folder, force || !chosen, why);
    if (outcome == LAB_DONE)
        return lab_new_file_commit(&model, why);
    lab_new_file_abandon(&model);
    return outcome;
}

// out/LOG-identified, for a log of any path and ending.
static void standard_folder(char *to, size_t size, const char *log)
{
    const char *slash = strrchr(log, '/'), *name = slash ? slash + 1 : log;
    const char *dot = strrchr(name, '.');
    snprintf(to, size, "out/%.*s-identified",
             dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
}

static lab_outcome identify_identify(lab_identification *identification, const app_line *line,
                                     lab_why *why)
{
    lab_identify_options how;
    char standard[320];
    const char *chosen = app_value(line, "--figures");
    lab_outcome outcome = identify_read_options(&how, line, why);
    if (outcome == LAB_DONE)
        outcome = lab_new_file_check(app_value(line, "--out"), lab_model_file_title,
                                     app_value(line, "--force"), why);
    if (outcome == LAB_DONE)
        outcome = lab_identify(identification, line->positionals[0], &how, why);
    if (outcome != LAB_DONE)
        return outcome;
    standard_folder(standard, sizeof standard, line->positionals[0]);
    const char *folder = app_value(line, "--no-figures") ? NULL : chosen ? chosen : standard;
    outcome = write(identification, line, folder, why);
    if (outcome == LAB_DONE)
        app_report_identification(identification, app_value(line, "--out"), folder);
    if (outcome == LAB_DONE && fflush(stdout) != 0)
        outcome = lab_fail(why, "the output cannot be written");
    return outcome;
}

static int identify_run(const app_line *line)
{
    lab_identification identification = {0};
    lab_why why = {0};
    const lab_outcome outcome = identify_identify(&identification, line, &why);
    lab_identification_free(&identification);
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
    return outcome;
}

const app_verb app_verb_identify = {
    .name = "identify",
    .arguments = "LOG.csv",
    .summary = "make a model from a log of input and output, with its uncertainty",
    .text = "LOG.csv has one row per step; a line of names is optional. In closed loop log the "
            "reference r\n"
            "(or a probe that is added to it) and the measured output: that gives the model that "
            "a spec takes as\n"
            "'believed: {model: identified, file: model.yaml}'. docs/identify.md goes from a log "
            "to a certificate.\n"
            "Exit code: 0 done, 1 failed, 2 bad usage or bad input; nothing is written unless it "
            "is 0.\n",
    .options = options,
    .positionals = 1,
    .run = identify_run};
