// SPDX-License-Identifier: Apache-2.0
#include "draw/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "draw/population_report.h"
#include "draw/scale_report.h"
#include "draw/standings_figure.h"
#include "draw/story.h"
#include "draw/tuning_figure.h"
#include "draw/zone_report.h"
#include "math/elementary.h"
#include "math/order.h"
#include "spec/rows.h"
#include "write/standings.h"

enum {
    LEARNING_AXIS = 470, // width of the axis of trials, in points
    RESPONSES_AXIS = 460,
    OVERHANG = 40,    // of a name beyond its end
    MARKS = 12,       // on a curve, about
    MAX_PLOTTED = 64, // rules
    MAX_BESIDE = 10 // maximum number of rules with the key beside the curves; for more it is below
};

#define LOWEST_SHOWN 1e-6   // rRMSE
#define HIGHEST_OF_MANY 1e2 // rRMSE, if there are many curves

#define LETTER 8.5 // width of a letter of a phase's name, in points

static void figures_put_row(FILE *file, int count, const double *values)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%c", lab_number(values[i]).text, i + 1 < count ? ',' : '\n');
}

static const char *main_rule(const lab_result *result)
{
    return result->record->rule[result->record->main_rule].name;
}

// ---- fig-behaviour: what the loop does before and after learning ------------------------------

static void behaviour_script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const int last = result->record->trials;
    const lab_diverged suffix = lab_diverged_text(result->record, result->record->main_rule);
    const char *diverged = suffix.text;
    fprintf(file,
            "set multiplot layout 1,2\n"
            "set key outside top center horizontal reverse Left samplen 1.5\n"
            "set xlabel \"time (s)\"\n"
            "set xrange [0:%g]\n"
            "set offsets 0, 0, graph 0.03, graph 0.03\n"
            "set ylabel \"output\"\n"
            "plot \"signals.csv\" using 1:2 with lines linetype 9 dashtype 1 title \"r\", \\\n"
            "     \"\" using 1:3 with lines linetype 2 title \"y[1]\", \\\n"
            "     \"\" using 1:4 with lines linetype 1 title \"y[%d]%s\"\n"
            "set ylabel \"error r - y\"\n"
            "plot \"signals.csv\" using 1:5 with lines linetype 2 title \"e[1]\", \\\n"
            "     \"\" using 1:6 with lines linetype 1 title \"e[%d]%s\", \\\n"
            "     \"\" using 1:7 with lines linetype 3 title \"o[%d]%s\"\n"
            "unset multiplot\n",
            result->spec->task.trial_s, last, diverged, last, diverged, last, diverged);
}

// ---- fig-learning: the learning curves --------------------------------------------------------

// Minimum and maximum finite value of all curves.
static void figures_curve_range(const lab_result *result, double *low, double *high)
{
    const lab_record *record = result->record;
    *low = 1;
    *high = 1;
    for (int k = 0; k < record->trials; k++) {
        *low = cfpci_min(*low, record->optimum[k] > 0 ? record->optimum[k] : *low);
        for (int i = 0; i < record->rules; i++) {
            const double value = record->rule[i].rrmse[k];
            if (isfinite(value) && value > 0) {
                *low = cfpci_min(*low, value);
                *high = cfpci_max(*high, value);
            }
        }
    }
}

// The first trial after the phase that begins with this one, both from 0.
static int phase_end(const lab_record *record, int first)
{
    int end = first + 1;
    while (end < record->trials && record->phase[end] == record->phase[first])
        end++;
    return end;
}

// row: from below; -1: no name.
static void mark_phase(FILE *file, const char *name, double at, int row)
{
    if (row >= 0)
        fprintf(file,
                "set label \"%s\" at %g, graph 1 left offset 0, character %g noenhanced textcolor "
                "rgb \"#555555\"\n",
                name, at, 0.6 + row);
    if (at > 1)
        fprintf(file,
                "set arrow from %g, graph 0 to %g, graph 1 nohead linetype 9 linecolor rgb "
                "\"#bbbbbb\"\n",
                at, at);
}

// A line at the start of each phase, with its name above the axis, of this width in points: in the
// lower of two rows if it is no longer than the phase, in the upper one if that is free there, or
// not at all.
static void mark_phases(FILE *file, const lab_result *result, double axis)
{
    const lab_record *record = result->record;
    const double trial = axis / record->trials;
    double upper_end = 0;
    if (result->spec->phases.count == 0)
        return;
    fputs("set tmargin 3.2\n", file);
    for (int k = 0; k < record->trials; k = phase_end(record, k)) {
        const char *name = lab_phases(result->spec)[record->phase[k]].name;
        const double width = LETTER * (double)(strlen(name) + 1), end = k * trial + width;
        int row = width <= (phase_end(record, k) - k) * trial ? 0 : -1;
        if (row < 0 && k * trial >= upper_end && end <= axis + OVERHANG) {
            row = 1;
            upper_end = end;
        }
        mark_phase(file, name, k == 0 ? 1 : k + 0.5, row);
    }
}

// Cases differ in their marks, or all curves do. Marks are few, so that dashes can be seen.
static void put_curve(FILE *file, const lab_result *result, int rule)
{
    const lab_record *record = result->record;
    const lab_spec *spec = result->spec;
    const int mark = spec->cases.count > 0 ? lab_case_of(spec, rule) : rule;
    fprintf(
        file,
        "     \"curves.csv\" using 1:%d with linespoints linetype %d pointtype %d pointsize 0.5 "
        "pointinterval %d title \"%s%s\" noenhanced",
        rule + 2, lab_gnuplot_linetype(lab_row_of(spec, rule)), mark % 4 * 2 + 5,
        1 + record->trials / MARKS, record->rule[rule].name, lab_diverged_text(record, rule).text);
}

static void learning_script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_record *record = result->record;
    double low, high;
    figures_curve_range(result, &low, &high);
    const bool many = record->rules > MAX_BESIDE;
    lab_gnuplot_learning(file, cfpci_max(low, LOWEST_SHOWN),
                         many ? cfpci_min(high, HIGHEST_OF_MANY) : high);
    if (many)
        fputs("set key below center horizontal maxcols 4 font \",14\"\n", file);
    mark_phases(file, result, LEARNING_AXIS);
    fprintf(file, "plot 1 with lines linetype 9 linecolor rgb \"#999999\" dashtype 3 title "
                  "\"reactive\", \\\n");
    for (int i = 0; record->repeats > 1 && i < record->rules; i++)
        fprintf(file,
                "     \"curves.csv\" using 1:($%d-$%d):($%d+$%d) with filledcurves linetype %d "
                "fillstyle transparent solid 0.25 noborder notitle, \\\n",
                i + 2, record->rules + 3 + i, i + 2, record->rules + 3 + i,
                lab_gnuplot_linetype(lab_row_of(result->spec, i)));
    for (int i = 0; i < record->rules; i++) {
        fputs(i > 0 ? ", \\\n" : "", file);
        put_curve(file, result, i);
    }
    if (!record->nonlinear && !lab_any_varied(record)) // otherwise each rule has its own
        fprintf(file,
                ", \\\n     \"curves.csv\" using 1:%d with lines linetype 9 title \"optimum\"",
                record->rules + 2);
    fputc('\n', file);
}

// ---- fig-traces: a basis signal, the loop's answer, the trace ---------------------------------

// The basis signal to show: the one closest to the middle that is not zero.
static int figures_middle_basis(const lab_result *result)
{
    const lab_record *record = result->record;
    const int bases = record->bases, middle = bases / 2;
    for (int away = 0; away <= bases; away++)
        for (int side = -1; side <= 1; side += 2) {
            const int j = middle + side * away;
            for (int n = 0; j >= 0 && j < bases && n < record->steps; n++)
                if (record->x[(size_t)n * (size_t)bases + (size_t)j] != 0)
                    return j;
        }
    return middle;
}

static double figures_peak_of(const double *values, int count, int stride)
{
    double most = 0;
    for (int n = 0; n < count; n++)
        most = cfpci_max(most, fabs(values[(size_t)n * (size_t)stride]));
    return most > 0 ? most : 1;
}

// Each relative to its own peak: only the timing matters here.
static void traces_data(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_record *record = result->record;
    const int j = figures_middle_basis(result), bases = record->bases, steps = record->steps;
    const double *x = record->x + j, *h = record->traces + j;
    const double x_peak = figures_peak_of(x, steps, bases),
                 h_peak = figures_peak_of(h, steps, bases),
                 response_peak = figures_peak_of(record->signals.response, steps, 1);
    fprintf(file, "time_s,response,x_%d,h_%d\n", j + 1, j + 1);
    for (int n = 0; n < steps; n++) {
        const size_t at = (size_t)n * (size_t)bases;
        const double row[] = {n * record->step_s, record->signals.response[n] / response_peak,
                              x[at] / x_peak, h[at] / h_peak};
        figures_put_row(file, 4, row);
    }
}

// The first and last step at which the basis signal or its trace is above 2 % of its peak.
static void visible_range(const lab_result *result, double *from_s, double *to_s)
{
    const lab_record *record = result->record;
    const int j = figures_middle_basis(result), bases = record->bases, steps = record->steps;
    const double x_peak = figures_peak_of(record->x + j, steps, bases);
    const double h_peak = figures_peak_of(record->traces + j, steps, bases);
    int first = steps - 1, last = 0;
    for (int n = 0; n < steps; n++) {
        const size_t at = (size_t)n * (size_t)bases + (size_t)j;
        if (fabs(record->x[at]) > 0.02 * x_peak || fabs(record->traces[at]) > 0.02 * h_peak) {
            first = n < first ? n : first;
            last = n;
        }
    }
    *from_s = first * record->step_s;
    *to_s = (last > first ? last : first + 1) * record->step_s;
}

// The last step at which the response is above 5 % of its peak.
static double response_end_s(const lab_result *result)
{
    const lab_record *record = result->record;
    const double peak = figures_peak_of(record->signals.response, record->steps, 1);
    int last = 1; // of a response that is over at once, too
    for (int n = 1; n < record->steps; n++)
        if (fabs(record->signals.response[n]) > 0.05 * peak)
            last = n;
    return last * record->step_s;
}

// Four to eight steps of 1, 2 or 5 times a power of ten.
static double figures_tic_step(double range)
{
    const double rough = range / 5, power = cfpci_pow(10, floor(cfpci_log10(rough)));
    const double share = rough / power;
    return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

static void traces_script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const int j = figures_middle_basis(result) + 1;
    double from_s, to_s;
    visible_range(result, &from_s, &to_s);
    fprintf(file,
            "set multiplot layout 1,2\n"
            "set key outside top center horizontal reverse Left samplen 1.5\n"
            "set ylabel \"relative to its peak\"\n"
            "set offsets 0, 0, graph 0.03, graph 0.03\n"
            "set xlabel \"time after a pulse (s)\"\n"
            "set xtics %g\n"
            "plot [0:%g] \"fig-traces.csv\" using 1:2 with lines linetype 2 title \"impulse "
            "response\"\n"
            "set xlabel \"time in the trial (s)\"\n"
            "set xtics %g\n"
            "plot [%g:%g] \"fig-traces.csv\" using 1:3 with lines linetype 9 dashtype 1 title "
            "\"basis x_{%d}\", \\\n"
            "     \"\" using 1:4 with lines linetype 1 title \"trace h_{%d}\"\n"
            "unset multiplot\n",
            figures_tic_step(response_end_s(result)), response_end_s(result),
            figures_tic_step(to_s - from_s), from_s, to_s, j, j);
}

// ---- fig-delays: which delta trace is best ----------------------------------------------------

static void delays_data(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_record *record = result->record;
    fputs("delay_ms,rrmse\n", file);
    for (int i = 0; i < record->scan_count; i++) {
        const double row[] = {record->scan_delay_ms[i], record->scan_rrmse[i]};
        figures_put_row(file, 2, row);
    }
}

// Above 1 a rule is worse than none; how much worse is not shown.
static double delays_top(const lab_record *record)
{
    double most = 0;
    for (int i = 0; i < record->scan_count; i++)
        if (isfinite(record->scan_rrmse[i]))
            most = cfpci_max(most, record->scan_rrmse[i]);
    return most > 0 ? cfpci_min(1.2 * most, 1.2) : 1.2;
}

static void delays_script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_record *record = result->record;
    const lab_loop_spec *loop = &result->spec->loop;
    const int trial = result->spec->delay_scan.trial;
    const double delay_ms = loop->delay_ms + loop->command_delay_ms + loop->measurement_delay_ms;
    fprintf(
        file,
        "set key outside top center horizontal reverse Left samplen 2\n"
        "set xlabel \"delay of the delta trace (ms)\"\n"
        "set ylabel \"rRMSE at trial %d\"\n"
        "set yrange [0:%g]\n"
        "set autoscale xfix\n"
        "set arrow from %g, graph 0 to %g, graph 1 nohead linetype 9 linecolor rgb \"#777777\"\n"
        "set label \"transport delay\" at %g, graph 0.95 left offset 0.7, 0 textcolor rgb "
        "\"#555555\"\n"
        "plot \"fig-delays.csv\" using 1:2 with linespoints linetype 2 pointtype 7 pointsize 0.6 "
        "title \"delta trace\"",
        trial, delays_top(record), delay_ms, delay_ms, delay_ms);
    if (trial <= record->trials && isfinite(record->rule[record->main_rule].rrmse[trial - 1]))
        fprintf(file, ", \\\n     %s with lines linetype 1 dashtype 4 title \"%s\"",
                lab_number(record->rule[record->main_rule].rrmse[trial - 1]).text,
                main_rule(result));
    fputc('\n', file);
}

// ---- fig-responses: how large the response is, and when ---------------------------------------

static void plot_responses(FILE *file, const lab_record *record, int column)
{
    for (int i = 0; i < record->rules; i++)
        fprintf(
            file,
            "%s\"responses.csv\" using 1:%d with linespoints linetype %d pointtype %d pointsize "
            "0.4 title \"%s\" noenhanced",
            i > 0 ? ", \\\n     " : "plot ", 2 + 3 * i + column, lab_gnuplot_linetype(i),
            i % 4 * 2 + 5, record->rule[i].name);
    fputc('\n', file);
}

// 1.5 times what most rules reach, so that a diverging one does not flatten the others.
static double usual_amplitude(const lab_record *record)
{
    double most[MAX_PLOTTED] = {0};
    const int rules = record->rules < MAX_PLOTTED ? record->rules : MAX_PLOTTED;
    for (int i = 0; i < rules; i++)
        for (int k = 0; k < record->trials; k++)
            most[i] = cfpci_max(most[i], fabs(record->rule[i].responses.amplitude[k]));
    cfpci_sort(most, (size_t)rules);
    return 1.5 * cfpci_max(most[rules / 2], 1e-9);
}

// Whether any rule has a response with a time; if none has, gnuplot finds no range.
static bool any_response(const lab_record *record)
{
    for (int i = 0; i < record->rules; i++)
        for (int k = 0; k < record->trials; k++)
            if (!isnan(record->rule[i].responses.peak_ms[k]))
                return true;
    return false;
}

static void responses_script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_record *record = result->record;
    const double usual = usual_amplitude(record);
    double low = 0, high = 0;
    for (int i = 0; i < record->rules; i++)
        for (int k = 0; k < record->trials; k++) {
            low = cfpci_min(low, record->rule[i].responses.amplitude[k]);
            high = cfpci_max(high, record->rule[i].responses.amplitude[k]);
        }
    fprintf(file,
            "set datafile separator comma\n"
            "set datafile missing \"\"\n"
            "set multiplot layout 1,2\n"
            "set xlabel \"trial\"\n"
            "set xrange [1:%d]\n"
            "set xtics %g\n"
            "unset key\n"
            "set ylabel \"amplitude of the response\"\n"
            "set yrange [%g:%g]\n",
            record->trials, cfpci_max(1, figures_tic_step(record->trials)),
            cfpci_max(1.1 * low, -usual), cfpci_min(1.1 * high + 1e-9, usual));
    mark_phases(file, result, RESPONSES_AXIS);
    plot_responses(file, record, 2);
    fputs("unset label\n" // once is enough, and this panel is narrower
          "set key outside right center vertical reverse Left samplen 1.5\n"
          "set ylabel \"time of its peak (ms)\"\n",
          file);
    fputs(any_response(record) ? "set autoscale y\n" : "set yrange [0:1]\n", file);
    plot_responses(file, record, 1);
    fputs("unset multiplot\n", file);
}

// ---- all of them ------------------------------------------------------------------------------

static const lab_figure figures[] = {
    {"fig-behaviour", 960, 400, NULL, behaviour_script},
    {"fig-learning", 720, 420, NULL, learning_script},
    {"fig-traces", 960, 400, traces_data, traces_script},
    {"fig-delays", 640, 420, delays_data, delays_script},
    {"fig-responses", 1200, 420, NULL, responses_script},
};

bool lab_shows_behaviour(const lab_record *record)
{
    const size_t bytes = (size_t)record->steps * sizeof(double);
    return memcmp(record->signals.r_first, record->signals.r_last, bytes) == 0;
}

// Whether a run has what a figure shows.
static bool can_show(const lab_figure *figure, const lab_result *result)
{
    if (figure->script == behaviour_script)
        return lab_shows_behaviour(result->record);
    if (figure->script == delays_script)
        return result->record->scan_count > 0;
    return figure->script != responses_script || lab_asks_responses(result->spec);
}

lab_outcome lab_draw_figures(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const bool can_draw = lab_has_gnuplot();
    lab_outcome outcome = LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof figures / sizeof figures[0]; i++)
        if (can_show(&figures[i], result))
            outcome = lab_gnuplot_figure(folder, &figures[i], result, can_draw, why);
    if (outcome == LAB_DONE && lab_panel_count(result->spec) > 0)
        outcome = lab_draw_story(folder, result, can_draw, why);
    if (outcome == LAB_DONE && lab_any_tuned(result->record))
        outcome = lab_draw_tuning(folder, result, can_draw, why);
    if (outcome == LAB_DONE && result->record->scale_sizes > 0)
        outcome = lab_draw_scale(folder, result, can_draw, why);
    if (outcome == LAB_DONE && result->record->population.count > 0)
        outcome = lab_draw_population(folder, result, can_draw, why);
    if (outcome == LAB_DONE && lab_has_cells(&result->record->zone))
        outcome = lab_draw_zone(folder, result, can_draw, why);
    if (outcome == LAB_DONE && result->record->zone.joints.count > 0)
        outcome = lab_draw_joints(folder, result, can_draw, why);
    if (outcome == LAB_DONE && lab_asks_standings(result->spec))
        outcome = lab_draw_standings(folder, result, can_draw, why);
    return outcome;
}
