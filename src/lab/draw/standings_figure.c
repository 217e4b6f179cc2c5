// SPDX-License-Identifier: Apache-2.0
// fig-standings: one panel per column, one row per rule, one mark per case. A value outside a
// panel, or never reached, is drawn as a triangle at its edge; a rule that has no such measure has
// no mark.
#include "draw/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/gnuplot.h"
#include "math/elementary.h"
#include "math/order.h"
#include "spec/rows.h"
#include "write/standings.h"

enum {
    ROW_POINTS = 24,
    PANEL_POINTS = 140,
    GAP_POINTS = 44,
    NAMES_POINTS = 130,
    HEAD_POINTS = 68,
    FOOT_POINTS = 42
};

static int row_count(const lab_spec *spec)
{
    int rows = 0;
    for (int i = 0; i < spec->rules.count; i++)
        rows = lab_row_of(spec, i) + 1 > rows ? lab_row_of(spec, i) + 1 : rows;
    return rows;
}

static double standings_figure_height_of(const lab_spec *spec)
{
    return HEAD_POINTS + FOOT_POINTS + ROW_POINTS * (double)row_count(spec);
}

typedef struct range {
    double low, high;
} range;

// The axis of a column: as in the spec, or a decade around the values.
static range range_of(const lab_result *result, int column)
{
    const lab_column_spec *spec = &lab_columns(result->spec)[column];
    range r = {INFINITY, 0};
    for (int i = 0; i < result->record->rules; i++)
        lab_gnuplot_widen(&r.low, &r.high, lab_standing_of(result, i, column).value);
    if (!(r.low <= r.high))
        r = (range){0.1, 1};
    r = (range){cfpci_pow(10, floor(cfpci_log10(r.low))),
                cfpci_pow(10, ceil(cfpci_log10(r.high * 1.001)))};
    return (range){isnan(spec->low) ? r.low : spec->low, isnan(spec->high) ? r.high : spec->high};
}

// Value within its panel, nan if there is none, and whether it is outside (1 or 0). A number of
// trials that is missing is one that was never reached, and as bad as any.
static void put_value(FILE *file, const lab_result *result, int rule, int column)
{
    const double value = lab_standing_of(result, rule, column).value;
    const range r = range_of(result, column);
    const bool none = isnan(value) && !strstr(lab_columns(result->spec)[column].measure, "trial");
    const bool beyond = !none && !(value <= r.high);
    lab_put_number(file, none ? NAN : beyond ? r.high : cfpci_max(value, r.low));
    fprintf(file, ",%d", beyond);
}

// row, case, then the value of each column.
static void standings_figure_data(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_spec *spec = result->spec;
    fputs("row,case,rule", file);
    for (int c = 0; c < spec->table.count; c++)
        fprintf(file, ",%s,beyond", lab_columns(spec)[c].measure);
    fputc('\n', file);
    for (int i = 0; i < result->record->rules; i++) {
        fprintf(file, "%d,%d,%s", lab_row_of(spec, i), lab_case_of(spec, i),
                lab_bare_name(&lab_rules(spec)[i]));
        for (int c = 0; c < spec->table.count; c++)
            put_value(file, result, i, c);
        fputc('\n', file);
    }
}

// Names of the rows, or only their tics.
static void standings_figure_put_names(FILE *file, const lab_spec *spec, bool named)
{
    fputs("set ytics scale 0 noenhanced (", file);
    for (int i = 0, next = 0; i < spec->rules.count; i++)
        if (lab_row_of(spec, i) == next) {
            fputs(next ? ", " : "", file);
            lab_gnuplot_text(file, named ? lab_bare_name(&lab_rules(spec)[i]) : "");
            fprintf(file, " %d", next++);
        }
    fputs(")\n", file);
}

// Powers of ten, at most three of them, short enough not to touch each other. The first is a trace
// above its power: gnuplot leaves out a tic that rounding puts before the axis.
static void put_tics(FILE *file, range r)
{
    const int first = (int)ceil(cfpci_log10(r.low) - 1e-9),
              last = (int)floor(cfpci_log10(r.high) + 1e-9);
    const int apart = 1 + (last - first) / 3;
    fputs("set xtics (", file);
    for (int power = first; power <= last; power += apart) {
        const char *position = power > first ? "1" : "1.000001";
        if (power < -2 || power > 3)
            fprintf(file, "\"10^{%d}\" %se%d", power, position, power);
        else
            fprintf(file, "\"%g\" %se%d", cfpci_pow(10, power), position, power);
        fputs(power + apart <= last ? ", " : "", file);
    }
    fputs(")\n", file);
}

// A title in two lines, split at the space closest to its middle.
static void standings_figure_put_title(FILE *file, const char *title, double at, double height)
{
    const size_t length = strlen(title);
    size_t best = 0;
    for (size_t i = 1; i < length; i++)
        if (title[i] == ' ' &&
            (best == 0 || labs((long)(2 * i - length)) < labs((long)(2 * best - length))))
            best = i;
    char first[128], *second = first + best + 1;
    snprintf(first, sizeof first, "%s", title);
    if (best > 0 && best < sizeof first)
        first[best] = '\0';
    fputs("set label 1 ", file);
    lab_gnuplot_text(file, best ? first : "");
    fprintf(file, " at screen %g, screen %g center noenhanced\nset label 2 ", at, 1 - 38 / height);
    lab_gnuplot_text(file, best ? second : title);
    fprintf(file, " at screen %g, screen %g center noenhanced\n", at, 1 - 57 / height);
}

// Cases are slightly above and below their row.
static void standings_figure_put_plot(FILE *file, const lab_spec *spec, int column)
{
    static const int shapes[] = {7, 5, 13, 9}; // filled circle, square, diamond, triangle
    const int cases = lab_case_count(spec), value = 4 + 2 * column;
    fputs("plot ", file);
    for (int k = 0; k < cases; k++) {
        const double apart = cases > 1 ? 0.3 * (k / (cases - 1.0) - 0.5) : 0;
        fprintf(file,
                "%s\"fig-standings.csv\" skip 1 using ($2 == %d && $%d == 0 ? $%d : NaN):($1 + "
                "%g) with points linetype %d pointtype %d pointsize 1 notitle, \\\n"
                "     \"\" skip 1 using ($2 == %d && $%d == 1 ? $%d : NaN):($1 + %g):(\"▶\") with "
                "labels font \",9\" textcolor linetype %d offset character -0.4, 0 notitle",
                k ? ", \\\n     " : "", k, value + 1, value, apart, k + 1, shapes[k % 4], k,
                value + 1, value, apart, k + 1);
    }
    fputs("\n", file);
}

// What the marks mean, once for all panels.
static void standings_figure_put_key(FILE *file, const lab_spec *spec, double width, double height)
{
    static const char *const shapes[] = {"●", "■", "◆", "▲"};
    double left = 12;
    for (int k = 0; k < spec->cases.count; k++) {
        fprintf(file, "set label %d \"%s ", 100 + k, shapes[k % 4]);
        fprintf(file, "%s\" at screen %g, screen %g textcolor linetype %d noenhanced\n",
                lab_cases(spec)[k].name, left / width, 1 - 12 / height, k + 1);
        left += 40 + 9 * (double)strlen(lab_cases(spec)[k].name);
    }
    fprintf(file, "set label 110 \"▶ off scale, or never\" at screen %g, screen %g right\n",
            1 - 12 / width, 1 - 12 / height);
}

static void standings_figure_script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_spec *spec = result->spec;
    const int columns = spec->table.count;
    const double width = NAMES_POINTS + PANEL_POINTS * (double)columns;
    const double height = standings_figure_height_of(spec);
    fprintf(file,
            "set multiplot\nunset key\nset tmargin at screen %g\nset bmargin at screen %g\n"
            "set logscale x\nset grid xtics ytics\nset yrange [%g:-0.5]\n",
            1 - HEAD_POINTS / height, FOOT_POINTS / height, row_count(spec) - 0.5);
    for (int c = 0; c < columns; c++) {
        const range r = range_of(result, c);
        const double left = NAMES_POINTS + PANEL_POINTS * (double)c,
                     right = left + PANEL_POINTS - GAP_POINTS;
        fprintf(file, "set lmargin at screen %g\nset rmargin at screen %g\n", left / width,
                right / width);
        standings_figure_put_names(file, spec, c == 0);
        fprintf(file, "set xrange [%g:%g]\n", r.low, r.high);
        put_tics(file, r);
        standings_figure_put_title(file, lab_columns(spec)[c].title, (left + right) / 2 / width,
                                   height);
        if (c == 0)
            standings_figure_put_key(file, spec, width, height);
        standings_figure_put_plot(file, spec, c);
        if (c == 0)
            fputs("unset label\n", file);
    }
    fputs("unset multiplot\n", file);
}

lab_outcome lab_draw_standings(lab_folder *folder, const lab_result *result, bool can_draw,
                               lab_why *why)
{
    const lab_spec *spec = result->spec;
    const lab_figure figure = {"fig-standings", NAMES_POINTS + PANEL_POINTS * spec->table.count,
                               (int)standings_figure_height_of(spec), standings_figure_data,
                               standings_figure_script};
    return lab_gnuplot_figure(folder, &figure, result, can_draw, why);
}
