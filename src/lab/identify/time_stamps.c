// SPDX-License-Identifier: Apache-2.0
#include "identify/time_stamps.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "math/order.h"

// ---- names and units -------------------------------------------------------------------------

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static bool time_stamps_unit_of(const char *word, double *unit_ms)
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
                             ? !second || time_stamps_unit_of(second, &unit)
                             : !second && strlen(first) > 1 && time_stamps_unit_of(first, &unit);
    if (is_time && unit_ms)
        *unit_ms = unit;
    return is_time;
}

// ---- steps -----------------------------------------------------------------------------------

static double time_stamps_at(const lab_stamps *stamps, int row)
{
    const lab_csv *csv = stamps->csv;
    return csv->values[(size_t)row * (size_t)csv->columns + (size_t)stamps->column];
}

// The usual step: the median, which gaps and a few odd stamps do not change.
static lab_outcome usual_step(const lab_stamps *stamps, double *usual, lab_why *why)
{
    const int steps = stamps->csv->rows - 1;
    double *each = calloc((size_t)steps, sizeof *each);
    if (!each)
        return lab_no_memory(why, stamps->file);
    for (int i = 0; i < steps; i++)
        each[i] = time_stamps_at(stamps, i + 1) - time_stamps_at(stamps, i);
    cfpci_sort(each, (size_t)steps);
    *usual = each[steps / 2];
    free(each);
    return LAB_DONE;
}

// Up to here a step may differ from the usual one: clocks jitter, and stamps are rounded.
#define JITTER 0.1

static lab_outcome time_stamps_check_step(const lab_stamps *stamps, int row, double usual,
                                          double unit_ms, lab_why *why)
{
    const int line = stamps->csv->lines[row];
    const double before = time_stamps_at(stamps, row - 1);
    const double now = time_stamps_at(stamps, row), step = now - before;
    if (step < 0)
        return lab_refuse(
            why, "%s:%d: time runs backwards, from %.9g to %.9g in '%s': cut the log there",
            stamps->file, line, before, now, stamps->name);
    if (step == 0)
        return lab_refuse(why,
                          "%s:%d: '%s' is %.9g as in the row before: remove rows that are there "
                          "twice, or write time with more digits",
                          stamps->file, line, stamps->name, now);
    const double steps = step / usual;
    if (steps > 1.5 && fabs(steps - round(steps)) <= 0.25)
        return lab_refuse(why,
                          "%s:%d: %.0f row%s missing before this line (a step of %g ms instead of "
                          "%g); take a stretch without gaps",
                          stamps->file, line, round(steps) - 1, round(steps) == 2 ? " is" : "s are",
                          step * unit_ms, usual * unit_ms);
    if (fabs(steps - 1) > JITTER)
        return lab_refuse(why,
                          "%s:%d: the time stamps are irregular: this step is %g ms, the usual one "
                          "%g ms; log at a fixed step, or resample",
                          stamps->file, line, step * unit_ms, usual * unit_ms);
    return LAB_DONE;
}

// The mean step, in as few digits as it surely has: stamps are rounded, and clocks are not exact.
static double plain(double ms)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", ms);
    const double rounded = strtod(text, NULL);
    return fabs(rounded - ms) <= 1e-4 * ms ? rounded : ms;
}

lab_outcome lab_stamps_step(const lab_stamps *stamps, double *step_ms, lab_why *why)
{
    double unit_ms = 1e3, usual = 0;
    const int rows = stamps->csv->rows;
    lab_time_unit(stamps->name, &unit_ms);
    for (int i = 0; i < rows; i++)
        if (!isfinite(time_stamps_at(stamps, i)))
            return lab_refuse(why,
                              "%s:%d: '%s' is empty or not a number; use --time COLUMN, or --time "
                              "none and --step-ms",
                              stamps->file, stamps->csv->lines[i], stamps->name);
    if (rows < 2)
        return lab_refuse(why, "%s: one row is too few", stamps->file);
    lab_outcome outcome = usual_step(stamps, &usual, why);
    for (int i = 1; outcome == LAB_DONE && i < rows; i++)
        outcome = time_stamps_check_step(stamps, i, usual, unit_ms, why);
    *step_ms = plain((time_stamps_at(stamps, rows - 1) - time_stamps_at(stamps, 0)) * unit_ms /
                     (rows > 1 ? rows - 1 : 1));
    return outcome;
}
