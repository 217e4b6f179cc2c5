// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "say.h"
#include "verbs.h"

enum { MAX_ORDER = 40 }; // that an identification takes

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

// What an option says, unless it is left to be found.
static const char *not_auto(const app_line *line, const char *name)
{
    const char *text = app_value(line, name);
    return text && strcmp(text, "auto") != 0 ? text : NULL;
}

static cfpc_outcome identify_read_options(cfpc_identify_options *to, double *delay_ms,
                                          const app_line *line, cfpc_why *why)
{
    const char *delay = not_auto(line, "--delay-ms"), *order = not_auto(line, "--order");
    char *end;
    *to = (cfpc_identify_options){.input = app_value(line, "--input"),
                                  .output = app_value(line, "--output"),
                                  .time = app_value(line, "--time"),
                                  .dead_time_ms = delay ? delay_ms : NULL,
                                  .allow_feedback = app_value(line, "--allow-feedback"),
                                  .model = app_value(line, "--out"),
                                  .replace_model = app_value(line, "--force")};
    if (line->count == 0)
        return app_refuse(why, "this needs a log, a CSV file: cfpc identify LOG.csv --input r "
                               "--output y --out model.yaml");
    if (!to->model)
        return app_refuse(why, "this needs --out FILE, where to write the model: e.g. --out "
                               "model.yaml");
    const cfpc_outcome outcome = app_number(line, "--step-ms", &to->step_ms, why);
    if (outcome != CFPC_DONE)
        return outcome;
    *delay_ms = delay ? strtod(delay, &end) : 0; // which it may be
    if (delay && (end == delay || *end || !isfinite(*delay_ms) || *delay_ms < 0))
        return app_refuse(why, "--delay-ms must be auto or a number, at least 0; this is '%.80s'",
                          delay);
    const long number = order ? strtol(order, &end, 10) : 0;
    if (order && (end == order || *end || number < 1 || number > MAX_ORDER))
        return app_refuse(why,
                          "--order must be auto or a whole number from 1 to %d; this is '%.80s'",
                          MAX_ORDER, order);
    to->order = (int)number;
    return CFPC_DONE;
}

static cfpc_outcome verb_identify(const app_line *line, cfpc_why *why)
{
    cfpc_identify_options how;
    cfpc_report *report = NULL;
    double delay_ms;
    char standard[320];
    const char *chosen = app_value(line, "--figures"), *log = line->positionals[0];
    cfpc_outcome outcome = identify_read_options(&how, &delay_ms, line, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_identify_log(&report, log, &how, why);
    if (outcome == CFPC_DONE) {
        // The default folder is replaced at every call: out/LOG-identified, for a log of any path
        // and ending.
        const cfpc_write_options writing = {
            .replace = how.replace_model || !chosen, .figures = true, .option = "--figures"};
        const char *slash = strrchr(log, '/'), *name = slash ? slash + 1 : log;
        const char *dot = strrchr(name, '.');
        snprintf(standard, sizeof standard, "out/%.*s-identified",
                 dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
        const char *folder = app_value(line, "--no-figures") ? NULL : chosen ? chosen : standard;
        outcome = app_leave_report(report, folder, &writing, false, why);
    }
    cfpc_report_free(report);
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
    .run = verb_identify};
