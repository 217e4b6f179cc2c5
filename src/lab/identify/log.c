// SPDX-License-Identifier: Apache-2.0
#include "identify/log.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "identify/saturation.h"
#include "math/order.h"

void lab_log_free(lab_log *log)
{
    free(log->input);
    free(log->output);
    lab_csv_free(&log->csv);
    *log = (lab_log){0};
}

// ---- names and units of time -----------------------------------------------------------------

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static bool log_unit_of(const char *word, double *unit_ms)
{
    static const char *const seconds[] = {"s", "sec", "secs", "second", "seconds", NULL};
    static const char *const milli[] = {"ms",          "msec",         "millis",
                                        "millisecond", "milliseconds", NULL};
    static const char *const micro[] = {"us", "usec", "µs", "micros", "microseconds", NULL};
    static const char *const nano[] = {"ns", "nsec", "nanos", "nanoseconds", NULL};
    *unit_ms = is_one_of(word, seconds) ? 1e3
               : is_one_of(word, milli) ? 1
               : is_one_of(word, micro) ? 1e-3
               : is_one_of(word, nano)  ? 1e-6
                                        : 0;
    return *unit_ms > 0;
}

bool lab_time_unit(const char *name, double *unit_ms)
{
    static const char *const times[] = {"t", "time", "times", "timestamp", "clock", NULL};
    static const char between[] = "_-. ()[]/";
    char lower[64], *rest = NULL;
    double unit = 1e3;
    if (strlen(name) >= sizeof lower)
        return false;
    for (size_t i = 0; i <= strlen(name); i++)
        lower[i] = (char)tolower((unsigned char)name[i]);
    const char *first = strtok_r(lower, between, &rest);
    const char *second = first ? strtok_r(NULL, between, &rest) : NULL;
    const bool more = second && strtok_r(NULL, between, &rest);
    if (!first || more)
        return false;
    const bool is_time = is_one_of(first, times)
                             ? !second || log_unit_of(second, &unit)
                             : !second && strlen(first) > 1 && log_unit_of(first, &unit);
    if (is_time && unit_ms)
        *unit_ms = unit;
    return is_time;
}

// ---- columns ---------------------------------------------------------------------------------

// A column by its name or number, and what it is called. If none is wanted, those that there are
// are named, or how many.
static lab_outcome log_find_column(const lab_log *log, const char *option, const char *what,
                                   const char *wanted, int *index, char name[64], lab_why *why)
{
    const lab_csv *csv = &log->csv;
    if (!wanted || !*wanted) {
        lab_hint hint = lab_hint_for("no name that a column has");
        for (int i = 0; i < csv->columns; i++)
            if (*csv->names[i])
                lab_hint_add(&hint, csv->names[i]);
        return lab_refuse(
            why, "%s: which column is %s? Say %s COLUMN, by name or number from 1 to %d%s%s",
            log->file, what, option, csv->columns, *csv->names[0] ? "; " : "",
            *csv->names[0] ? hint.text : "");
    }
    const lab_outcome outcome = lab_csv_column(csv, log->file, wanted, index, why);
    if (outcome == LAB_DONE && *csv->names[*index])
        snprintf(name, 64, "%s", csv->names[*index]);
    else if (outcome == LAB_DONE)
        snprintf(name, 64, "column %d", *index + 1);
    return outcome;
}

static lab_outcome log_find_columns(lab_log *log, const lab_log_choice *choice, lab_why *why)
{
    const bool no_time = choice->time && strcmp(choice->time, "none") == 0;
    lab_outcome outcome =
        log_find_column(log, "--input", "the input", choice->input, &log->in, log->input_name, why);
    if (outcome == LAB_DONE)
        outcome = log_find_column(log, "--output", "the output", choice->output, &log->out,
                                  log->output_name, why);
    if (outcome == LAB_DONE && log->in == log->out)
        outcome = lab_refuse(why, "%s: '%s' cannot be both --input and --output", log->file,
                             log->input_name);
    if (outcome != LAB_DONE || no_time)
        return outcome;
    if (choice->time)
        outcome = log_find_column(log, "--time", "the time", choice->time, &log->time,
                                  log->time_name, why);
    for (int i = 0; !choice->time && i < log->csv.columns && log->time < 0; i++)
        if (i != log->in && i != log->out && lab_time_unit(log->csv.names[i], NULL)) {
            log->time = i;
            snprintf(log->time_name, sizeof log->time_name, "%s", log->csv.names[i]);
        }
    if (outcome == LAB_DONE && (log->time == log->in || log->time == log->out))
        outcome = lab_refuse(why,
                             "%s: '%s' cannot be both --time and a signal; --time none: there is "
                             "no time column",
                             log->file, log->time_name);
    return outcome;
}

// ---- the step --------------------------------------------------------------------------------

// Up to here a step may differ from the usual one: clocks jitter, and stamps are rounded.
#define JITTER 0.1

static lab_outcome log_check_step(const lab_log *log, int row, double usual, double unit_ms,
                                  lab_why *why)
{
    const int line = log->csv.lines[row];
    const double before = lab_log_value(log, row - 1, log->time);
    const double now = lab_log_value(log, row, log->time), step = now - before;
    if (step < 0)
        return lab_refuse(
            why, "%s:%d: time runs backwards, from %.9g to %.9g in '%s': cut the log there",
            log->file, line, before, now, log->time_name);
    if (step == 0)
        return lab_refuse(why,
                          "%s:%d: '%s' is %.9g as in the row before: remove rows that are there "
                          "twice, or write time with more digits",
                          log->file, line, log->time_name, now);
    const double steps = step / usual;
    if (steps > 1.5 && fabs(steps - round(steps)) <= 0.25)
        return lab_refuse(why,
                          "%s:%d: %.0f row%s missing before this line (a step of %g ms instead of "
                          "%g); take a stretch without gaps",
                          log->file, line, round(steps) - 1, round(steps) == 2 ? " is" : "s are",
                          step * unit_ms, usual * unit_ms);
    if (fabs(steps - 1) > JITTER)
        return lab_refuse(why,
                          "%s:%d: the time stamps are irregular: this step is %g ms, the usual one "
                          "%g ms; log at a fixed step, or resample",
                          log->file, line, step * unit_ms, usual * unit_ms);
    return LAB_DONE;
}

static lab_outcome stamped_step(const lab_log *log, double *step_ms, lab_why *why)
{
    const int rows = log->csv.rows, time = log->time;
    double unit_ms = 1e3;
    lab_time_unit(log->time_name, &unit_ms);
    for (int i = 0; i < rows; i++)
        if (!isfinite(lab_log_value(log, i, time)))
            return lab_refuse(why,
                              "%s:%d: '%s' is empty or not a number; use --time COLUMN, or --time "
                              "none and --step-ms",
                              log->file, log->csv.lines[i], log->time_name);
    if (rows < 2)
        return lab_refuse(why, "%s: one row is too few", log->file);
    // The usual step: the median, which gaps and a few odd stamps do not change.
    double *each = calloc((size_t)rows - 1, sizeof *each);
    if (!each)
        return lab_no_memory(why, log->file);
    for (int i = 1; i < rows; i++)
        each[i - 1] = lab_log_value(log, i, time) - lab_log_value(log, i - 1, time);
    cfpci_sort(each, (size_t)rows - 1);
    const double usual = each[(rows - 1) / 2];
    free(each);
    lab_outcome outcome = LAB_DONE;
    for (int i = 1; outcome == LAB_DONE && i < rows; i++)
        outcome = log_check_step(log, i, usual, unit_ms, why);
    // The mean step, in as few digits as it surely has: stamps are rounded, and clocks are not
    // exact.
    const double whole = lab_log_value(log, rows - 1, time) - lab_log_value(log, 0, time);
    const double mean = whole * unit_ms / (rows - 1);
    char text[32];
    snprintf(text, sizeof text, "%.4g", mean);
    const double rounded = strtod(text, NULL);
    *step_ms = fabs(rounded - mean) <= 1e-4 * mean ? rounded : mean;
    return outcome;
}

static lab_outcome find_step(lab_log *log, double given_ms, lab_why *why)
{
    const bool given = !isnan(given_ms);
    double stamped_ms = 1;
    log->step_ms = given ? given_ms : 1;
    log->step_from = given ? LAB_STEP_GIVEN : LAB_STEP_ASSUMED;
    if (log->time < 0)
        return LAB_DONE;
    const lab_outcome outcome = stamped_step(log, &stamped_ms, why);
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
    const struct {
        int column;
        const char *name, *advice;
        double **values;
    } signals[2] = {{log->in, log->input_name,
                     "a model needs an input that moves: `cfpc excite` designs one", &log->input},
                    {log->out, log->output_name,
                     "the input does not reach it, or it is the wrong column", &log->output}};
    lab_outcome outcome = LAB_DONE;
    log->rows = log->csv.rows;
    for (int i = 0; outcome == LAB_DONE && i < 2; i++)
        outcome = take_column(log, signals[i].column, signals[i].name, signals[i].values, why);
    for (int i = 0; outcome == LAB_DONE && i < 2; i++)
        outcome = log_check_moves(log, *signals[i].values, signals[i].name, signals[i].advice, why);
    for (int i = 0; outcome == LAB_DONE && i < 2; i++)
        outcome = check_saturation(log, *signals[i].values, signals[i].name, why);
    return outcome;
}

// ---- the whole -------------------------------------------------------------------------------

static lab_outcome log_check(lab_log *log, const lab_log_choice *choice, lab_why *why)
{
    int units = 0; // a row of them below the names
    while (units < log->csv.columns && isnan(lab_log_value(log, 0, units)))
        units++;
    if (units == log->csv.columns)
        return lab_refuse(why,
                          "%s:%d: no field of this row is a number; if it holds units, remove it, "
                          "or begin it with #",
                          log->file, log->csv.lines[0]);
    lab_outcome outcome = log_find_columns(log, choice, why);
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
