// SPDX-License-Identifier: Apache-2.0
#include "draw/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "draw/gnuplot.h"
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

#define LETTER 8.5  // width of a letter of a phase's name, in points
#define TIC_STEPS 5 // on an axis, about

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
    for (int k = 0, next; k < record->trials; k = next) {
        const char *name = lab_phases(result->spec)[record->phase[k]].name;
        const double width = LETTER * (double)(strlen(name) + 1), end = k * trial + width;
        const double at = k == 0 ? 1 : k + 0.5;
        for (next = k + 1; next < record->trials && record->phase[next] == record->phase[k];)
            next++;
        const bool fits = width <= (next - k) * trial;
        const bool is_upper = !fits && k * trial >= upper_end && end <= axis + OVERHANG;
        if (is_upper)
            upper_end = end;
        if (fits || is_upper)
            fprintf(file,
                    "set label \"%s\" at %g, graph 1 left offset 0, character %g noenhanced "
                    "textcolor rgb \"#555555\"\n",
                    name, at, 0.6 + is_upper);
        if (at > 1)
            fprintf(file,
                    "set arrow from %g, graph 0 to %g, graph 1 nohead linetype 9 linecolor rgb "
                    "\"#bbbbbb\"\n",
                    at, at);
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
    double low = 1, high = 1;
    for (int k = 0; k < record->trials; k++) {
        low = cfpci_min(low, record->optimum[k] > 0 ? record->optimum[k] : low);
        for (int i = 0; i < record->rules; i++)
            lab_gnuplot_widen(&low, &high, record->rule[i].rrmse[k]);
    }
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
        fputs(lab_number(n * record->step_s).text, file);
        lab_put_number(file, record->signals.response[n] / response_peak);
        lab_put_number(file, x[at] / x_peak);
        lab_put_number(file, h[at] / h_peak);
        fputc('\n', file);
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

static void traces_script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const int j = figures_middle_basis(result) + 1;
    const lab_record *record = result->record;
    const double peak = figures_peak_of(record->signals.response, record->steps, 1);
    double from_s, to_s;
    int last = 1; // step at which the response is above 5 % of its peak
    for (int n = 1; n < record->steps; n++)
        if (fabs(record->signals.response[n]) > 0.05 * peak)
            last = n;
    const double end_s = last * record->step_s;
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
            lab_gnuplot_tics(end_s, TIC_STEPS), end_s, lab_gnuplot_tics(to_s - from_s, TIC_STEPS),
            from_s, to_s, j, j);
}

// ---- fig-delays: which delta trace is best ----------------------------------------------------

static void delays_data(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_record *record = result->record;
    fputs("delay_ms,rrmse\n", file);
    for (int i = 0; i < record->scan_count; i++) {
        fputs(lab_number(record->scan_delay_ms[i]).text, file);
        lab_put_number(file, record->scan_rrmse[i]);
        fputc('\n', file);
    }
}

static void delays_script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_record *record = result->record;
    const lab_loop_spec *loop = &result->spec->loop;
    const int trial = result->spec->delay_scan.trial;
    const double delay_ms = loop->delay_ms + loop->command_delay_ms + loop->measurement_delay_ms;
    const lab_rule_record *rule = &record->rule[record->main_rule];
    double most = 0;
    for (int i = 0; i < record->scan_count; i++)
        if (isfinite(record->scan_rrmse[i]))
            most = cfpci_max(most, record->scan_rrmse[i]);
    // above 1 a rule is worse than none; how much worse is not shown
    const double top = most > 0 ? cfpci_min(1.2 * most, 1.2) : 1.2;
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
        trial, top, delay_ms, delay_ms, delay_ms);
    if (trial <= record->trials && isfinite(rule->rrmse[trial - 1]))
        fprintf(file, ", \\\n     %s with lines linetype 1 dashtype 4 title \"%s\"",
                lab_number(rule->rrmse[trial - 1]).text, rule->name);
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

static void responses_script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_record *record = result->record;
    const double usual = usual_amplitude(record);
    double low = 0, high = 0;
    bool any = false; // response with a time: if there is none, gnuplot finds no range
    for (int i = 0; i < record->rules; i++)
        for (int k = 0; k < record->trials; k++) {
            any |= !isnan(record->rule[i].responses.peak_ms[k]);
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
            record->trials, cfpci_max(1, lab_gnuplot_tics(record->trials, TIC_STEPS)),
            cfpci_max(1.1 * low, -usual), cfpci_min(1.1 * high + 1e-9, usual));
    mark_phases(file, result, RESPONSES_AXIS);
    plot_responses(file, record, 2);
    fputs("unset label\n" // once is enough, and this panel is narrower
          "set key outside right center vertical reverse Left samplen 1.5\n"
          "set ylabel \"time of its peak (ms)\"\n",
          file);
    fputs(any ? "set autoscale y\n" : "set yrange [0:1]\n", file);
    plot_responses(file, record, 1);
    fputs("unset multiplot\n", file);
}

// ---- all of them ------------------------------------------------------------------------------

bool lab_shows_behaviour(const lab_record *record)
{
    const size_t bytes = (size_t)record->steps * sizeof(double);
    return memcmp(record->signals.r_first, record->signals.r_last, bytes) == 0;
}

lab_outcome lab_draw_figures(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_spec *spec = result->spec;
    const lab_record *record = result->record;
    const struct {
        bool is_there;
        lab_figure figure;
    } own[] = {{lab_shows_behaviour(record), {"fig-behaviour", 960, 400, NULL, behaviour_script}},
               {true, {"fig-learning", 720, 420, NULL, learning_script}},
               {true, {"fig-traces", 960, 400, traces_data, traces_script}},
               {record->scan_count > 0, {"fig-delays", 640, 420, delays_data, delays_script}},
               {lab_asks_responses(spec), {"fig-responses", 1200, 420, NULL, responses_script}}};
    const struct {
        bool is_there;
        lab_outcome (*draw)(lab_folder *, const lab_result *, bool can_draw, lab_why *);
    } others[] = {{lab_panel_count(spec) > 0, lab_draw_story},
                  {lab_any_tuned(record), lab_draw_tuning},
                  {record->scale_sizes > 0, lab_draw_scale},
                  {record->population.count > 0, lab_draw_population},
                  {lab_has_cells(&record->zone), lab_draw_zone},
                  {record->zone.joints.count > 0, lab_draw_joints},
                  {lab_asks_standings(spec), lab_draw_standings}};
    const bool can_draw = lab_has_gnuplot();
    lab_outcome outcome = LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof own / sizeof own[0]; i++)
        if (own[i].is_there)
            outcome = lab_gnuplot_figure(folder, &own[i].figure, result, can_draw, why);
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof others / sizeof others[0]; i++)
        if (others[i].is_there)
            outcome = others[i].draw(folder, result, can_draw, why);
    return outcome;
}
