// SPDX-License-Identifier: Apache-2.0
#include "identify/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "identify/saturation.h"
#include "identify/time_stamps.h"

void lab_log_free(lab_log *log)
{
    free(log->input);
    free(log->output);
    lab_csv_free(&log->csv);
    *log = (lab_log){0};
}

// ---- columns ---------------------------------------------------------------------------------

// The columns that there are, or how many.
static lab_outcome refuse_none(const lab_log *log, const char *option, const char *what,
                               lab_why *why)
{
    lab_hint hint = lab_hint_for("no name that a column has");
    for (int i = 0; i < log->csv.columns; i++)
        if (*log->csv.names[i])
            lab_hint_add(&hint, log->csv.names[i]);
    return lab_refuse(why,
                      "%s: which column is %s? Say %s COLUMN, by name or number from 1 to %d%s%s",
                      log->file, what, option, log->csv.columns, *log->csv.names[0] ? "; " : "",
                      *log->csv.names[0] ? hint.text : "");
}

static lab_outcome log_find_column(const lab_log *log, const char *option, const char *what,
                                   const char *wanted, int *index, char name[64], lab_why *why)
{
    if (!wanted || !*wanted)
        return refuse_none(log, option, what, why);
    const lab_outcome outcome = lab_csv_column(&log->csv, log->file, wanted, index, why);
    if (outcome == LAB_DONE && *log->csv.names[*index])
        snprintf(name, 64, "%s", log->csv.names[*index]);
    else if (outcome == LAB_DONE)
        snprintf(name, 64, "column %d", *index + 1);
    return outcome;
}

static lab_outcome find_time(lab_log *log, const lab_log_choice *choice, lab_why *why)
{
    log->time = -1;
    if (choice->time && strcmp(choice->time, "none") == 0)
        return LAB_DONE;
    if (choice->time)
        return log_find_column(log, "--time", "the time", choice->time, &log->time, log->time_name,
                               why);
    for (int i = 0; i < log->csv.columns && log->time < 0; i++)
        if (i != log->in && i != log->out && lab_time_unit(log->csv.names[i], NULL)) {
            log->time = i;
            snprintf(log->time_name, sizeof log->time_name, "%s", log->csv.names[i]);
        }
    return LAB_DONE;
}

static lab_outcome log_find_columns(lab_log *log, const lab_log_choice *choice, lab_why *why)
{
    lab_outcome outcome =
        log_find_column(log, "--input", "the input", choice->input, &log->in, log->input_name, why);
    if (outcome == LAB_DONE)
        outcome = log_find_column(log, "--output", "the output", choice->output, &log->out,
                                  log->output_name, why);
    if (outcome == LAB_DONE && log->in == log->out)
        outcome = lab_refuse(why, "%s: '%s' cannot be both --input and --output", log->file,
                             log->input_name);
    if (outcome == LAB_DONE)
        outcome = find_time(log, choice, why);
    if (outcome == LAB_DONE && (log->time == log->in || log->time == log->out))
        outcome = lab_refuse(why,
                             "%s: '%s' cannot be both --time and a signal; --time none: there is "
                             "no time column",
                             log->file, log->time_name);
    return outcome;
}

// ---- the step --------------------------------------------------------------------------------

static lab_outcome find_step(lab_log *log, double given_ms, lab_why *why)
{
    const lab_stamps stamps = {
        .csv = &log->csv, .file = log->file, .name = log->time_name, .column = log->time};
    const bool given = !isnan(given_ms);
    double stamped_ms = 1;
    log->step_ms = given ? given_ms : 1;
    log->step_from = given ? LAB_STEP_GIVEN : LAB_STEP_ASSUMED;
    if (log->time < 0)
        return LAB_DONE;
    const lab_outcome outcome = lab_stamps_step(&stamps, &stamped_ms, why);
    if (outcome != LAB_DONE)
        return outcome;
    if (given && fabs(stamped_ms - given_ms) > 1e-3 * given_ms)
        return lab_refuse(
            why,
            "%s: the steps of '%s' are %g ms, --step-ms says %g; leave --step-ms out, "
            "or choose another column (--time COLUMN, --time none)",
            log->file, log->time_name, stamped_ms, given_ms);
    log->step_from = LAB_STEP_LOGGED;
    log->step_ms = given ? given_ms : stamped_ms;
    return LAB_DONE;
}

// ---- values ----------------------------------------------------------------------------------

static lab_outcome take_column(const lab_log *log, int column, const char *name, double **to,
                               lab_why *why)
{
    const int rows = log->csv.rows;
    *to = calloc((size_t)rows + 1, sizeof **to);
    if (!*to)
        return lab_no_memory(why, log->file);
    for (int i = 0; i < rows; i++) {
        (*to)[i] = lab_log_value(log, i, column);
        if (!isfinite((*to)[i]))
            return lab_refuse(why,
                              "%s:%d: '%s' is empty or not a finite number; take a stretch of the "
                              "log without such rows",
                              log->file, log->csv.lines[i], name);
    }
    return LAB_DONE;
}

static lab_outcome log_check_moves(const lab_log *log, const double *values, const char *name,
                                   const char *advice, lab_why *why)
{
    for (int i = 1; i < log->rows; i++)
        if (values[i] != values[0])
            return LAB_DONE;
    return lab_refuse(why, "%s: '%s' is constant (%g in all %d rows); %s", log->file, name,
                      values[0], log->rows, advice);
}

static lab_outcome check_saturation(const lab_log *log, const double *values, const char *name,
                                    lab_why *why)
{
    lab_saturated found;
    if (!lab_find_saturation(&found, log->rows, values))
        return LAB_DONE;
    char more[96] = "";
    if (found.stretches > 1)
        snprintf(more, sizeof more, " (%d such stretches, %d rows together)", found.stretches,
                 found.rows);
    return lab_refuse(
        why,
        "%s:%d: '%s' is saturated: it stays at its %s of %g for %d rows%s; log with a "
        "smaller input, or take a stretch without them",
        log->file, log->csv.lines[found.first], name, found.at_high ? "maximum" : "minimum",
        values[found.first], found.length, more);
}

static lab_outcome log_check_values(lab_log *log, lab_why *why)
{
    log->rows = log->csv.rows;
    lab_outcome outcome = take_column(log, log->in, log->input_name, &log->input, why);
    if (outcome == LAB_DONE)
        outcome = take_column(log, log->out, log->output_name, &log->output, why);
    if (outcome == LAB_DONE)
        outcome =
            log_check_moves(log, log->input, log->input_name,
                            "a model needs an input that moves: `cfpc excite` designs one", why);
    if (outcome == LAB_DONE)
        outcome = log_check_moves(log, log->output, log->output_name,
                                  "the input does not reach it, or it is the wrong column", why);
    if (outcome == LAB_DONE)
        outcome = check_saturation(log, log->input, log->input_name, why);
    if (outcome == LAB_DONE)
        outcome = check_saturation(log, log->output, log->output_name, why);
    return outcome;
}

// ---- the whole -------------------------------------------------------------------------------

// A row of units below the names.
static lab_outcome check_first_row(const lab_log *log, lab_why *why)
{
    for (int i = 0; i < log->csv.columns; i++)
        if (!isnan(lab_log_value(log, 0, i)))
            return LAB_DONE;
    return lab_refuse(why,
                      "%s:%d: no field of this row is a number; if it holds units, remove it, or "
                      "begin it with #",
                      log->file, log->csv.lines[0]);
}

static lab_outcome log_check(lab_log *log, const lab_log_choice *choice, lab_why *why)
{
    lab_outcome outcome = check_first_row(log, why);
    if (outcome == LAB_DONE)
        outcome = log_find_columns(log, choice, why);
    if (outcome == LAB_DONE)
        outcome = find_step(log, choice->step_ms, why);
    return outcome == LAB_DONE ? log_check_values(log, why) : outcome;
}

lab_outcome lab_log_parse(lab_log *log, const char *file, const char *text,
                          const lab_log_choice *choice, lab_why *why)
{
    *log = (lab_log){.file = file, .time = -1};
    const lab_outcome outcome = lab_csv_parse_log(&log->csv, file, text, why);
    return outcome == LAB_DONE ? log_check(log, choice, why) : outcome;
}

lab_outcome lab_log_read(lab_log *log, const char *file, const lab_log_choice *choice, lab_why *why)
{
    *log = (lab_log){.file = file, .time = -1};
    const lab_outcome outcome = lab_csv_read_log(&log->csv, file, why);
    return outcome == LAB_DONE ? log_check(log, choice, why) : outcome;
}
