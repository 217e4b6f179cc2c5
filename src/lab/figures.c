// SPDX-License-Identifier: Apache-2.0
#include "figures.h"

#include <math.h>

#include "gnuplot.h"
#include "number.h"

typedef struct figure {
    const char *name;
    int width, height;                                    // in points
    void (*data)(FILE *file, const lab_result *result);   // NAME.csv; NULL: other files have it
    void (*script)(FILE *file, const lab_result *result); // the plot commands of NAME.gp
} figure;

static void put_row(FILE *file, int count, const double *values)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%c", lab_number(values[i]).text, i + 1 < count ? ',' : '\n');
}

static const char *main_rule(const lab_result *result)
{
    return result->record->rule[result->record->main_rule].name;
}

// ---- fig-behaviour: what the loop does before and after learning ------------------------------

static void behaviour_script(FILE *file, const lab_result *result)
{
    const int last = result->record->trials;
    fprintf(file,
            "set multiplot layout 1,2\n"
            "set key outside top center horizontal reverse Left samplen 1.5\n"
            "set xlabel \"time (s)\"\n"
            "set xrange [0:%g]\n"
            "set offsets 0, 0, graph 0.03, graph 0.03\n"
            "set ylabel \"position\"\n"
            "plot \"signals.csv\" using 1:2 with lines linetype 9 dashtype 1 title \"r\", \\\n"
            "     \"\" using 1:3 with lines linetype 2 title \"y[1]\", \\\n"
            "     \"\" using 1:4 with lines linetype 1 title \"y[%d]\"\n"
            "set ylabel \"error\"\n"
            "plot \"signals.csv\" using 1:5 with lines linetype 2 title \"e[1]\", \\\n"
            "     \"\" using 1:6 with lines linetype 1 title \"e[%d]\", \\\n"
            "     \"\" using 1:7 with lines linetype 3 title \"o[%d]\"\n"
            "unset multiplot\n",
            result->spec->task.trial_s, last, last, last);
}

// ---- fig-learning: the learning curves --------------------------------------------------------

// Least and largest finite value of all curves.
static void curve_range(const lab_result *result, double *low, double *high)
{
    const lab_record *record = result->record;
    *low = result->setup->problem.rrmse_optimum;
    *high = 1;
    for (int i = 0; i < record->rules; i++)
        for (int k = 0; k < record->trials; k++) {
            const double value = record->rule[i].rrmse[k];
            if (isfinite(value) && value > 0) {
                *low = fmin(*low, value);
                *high = fmax(*high, value);
            }
        }
}

// A logarithmic axis: a rule that diverges does not press the others flat.
static void learning_script(FILE *file, const lab_result *result)
{
    const lab_record *record = result->record;
    double low, high;
    curve_range(result, &low, &high);
    fprintf(file,
            "set key outside right center reverse Left samplen 2 spacing 1.2\n"
            "set xlabel \"trial\"\n"
            "set ylabel \"rRMSE\"\n"
            "set logscale y\n"
            "set format y \"%%g\"\n"
            "set yrange [%g:%g]\n"
            "set autoscale xfix\n"
            "plot 1 with lines linetype 9 linecolor rgb \"#999999\" dashtype 3 title "
            "\"reactive\", \\\n",
            0.7 * low, 1.5 * high);
    for (int i = 0; i < record->rules; i++)
        fprintf(file,
                "     \"curves.csv\" using 1:%d with linespoints linetype %d pointtype %d "
                "pointsize 0.5 title \"%s\", \\\n",
                i + 2, i % 6 + 1, i % 4 * 2 + 5, record->rule[i].name);
    fprintf(file, "     \"\" using 1:%d with lines linetype 9 title \"optimum\"\n",
            record->rules + 2);
}

// ---- fig-traces: a basis signal, the loop's answer, the trace ---------------------------------

// The basis signal whose trace has its peak nearest the middle of the trial.
static int middle_basis(const lab_result *result)
{
    return result->setup->bases / 2;
}

static double peak_of(const double *values, int count, int stride)
{
    double most = 0;
    for (int n = 0; n < count; n++)
        most = fmax(most, fabs(values[(size_t)n * (size_t)stride]));
    return most > 0 ? most : 1;
}

// Each to its own peak: what matters here is when, not how much.
static void traces_data(FILE *file, const lab_result *result)
{
    const lab_setup *setup = result->setup;
    const int j = middle_basis(result), bases = setup->bases, steps = setup->steps;
    const double *x = setup->basis + j, *h = setup->problem.h + j, *z = result->record->traces + j;
    const double x_peak = peak_of(x, steps, bases), h_peak = peak_of(h, steps, bases),
                 z_peak = peak_of(z, steps, bases),
                 response_peak = peak_of(result->record->response, steps, 1);
    fprintf(file, "time_s,response,x_%d,forward_model_%d,trace_%d\n", j + 1, j + 1, j + 1);
    for (int n = 0; n < steps; n++) {
        const size_t at = (size_t)n * (size_t)bases;
        const double row[] = {n * setup->step_s, result->record->response[n] / response_peak,
                              x[at] / x_peak, h[at] / h_peak, z[at] / z_peak};
        put_row(file, 5, row);
    }
}

// The first and last step at which any of the signals is above 1 % of its peak.
static void visible_range(const lab_result *result, double *from_s, double *to_s)
{
    const lab_setup *setup = result->setup;
    const int j = middle_basis(result), bases = setup->bases, steps = setup->steps;
    const double x_peak = peak_of(setup->basis + j, steps, bases);
    const double h_peak = peak_of(setup->problem.h + j, steps, bases);
    int first = steps - 1, last = 0;
    for (int n = 0; n < steps; n++) {
        const size_t at = (size_t)n * (size_t)bases + (size_t)j;
        if (fabs(setup->basis[at]) > 0.01 * x_peak || fabs(setup->problem.h[at]) > 0.03 * h_peak) {
            first = n < first ? n : first;
            last = n;
        }
    }
    *from_s = first * setup->step_s;
    *to_s = last * setup->step_s;
}

// The last step at which the response is above 2 % of its peak.
static double response_end_s(const lab_result *result)
{
    const double *response = result->record->response;
    const int steps = result->setup->steps;
    const double peak = peak_of(response, steps, 1);
    int last = 0;
    for (int n = 0; n < steps; n++)
        if (fabs(response[n]) > 0.05 * peak)
            last = n;
    return last * result->setup->step_s;
}

static void traces_script(FILE *file, const lab_result *result)
{
    const int j = middle_basis(result) + 1;
    double from_s, to_s;
    visible_range(result, &from_s, &to_s);
    fprintf(file,
            "set multiplot layout 1,2\n"
            "set key outside top center horizontal reverse Left samplen 1.5\n"
            "set ylabel \"relative to its peak\"\n"
            "set xtics 0.1\n"
            "set offsets 0, 0, graph 0.03, graph 0.03\n"
            "set xlabel \"time after a pulse (s)\"\n"
            "plot [0:%g] \"fig-traces.csv\" using 1:2 with lines linetype 2 title \"impulse "
            "response\"\n"
            "set xlabel \"time in the trial (s)\"\n"
            "plot [%g:%g] \"fig-traces.csv\" using 1:3 with lines linetype 9 dashtype 1 title "
            "\"basis x_{%d}\", \\\n"
            "     \"\" using 1:5 with lines linetype 1 title \"trace h_{%d}\"\n"
            "unset multiplot\n",
            response_end_s(result), from_s, to_s, j, j);
}

// ---- fig-delays: which delta trace is best ----------------------------------------------------

static void delays_data(FILE *file, const lab_result *result)
{
    const lab_record *record = result->record;
    fputs("delay_ms,rrmse\n", file);
    for (int i = 0; i < record->scan_count; i++) {
        const double row[] = {record->scan_delay_ms[i], record->scan_rrmse[i]};
        put_row(file, 2, row);
    }
}

// Above 1 a rule is worse than none: how much worse is not shown.
static double delays_top(const lab_record *record)
{
    double most = 0;
    for (int i = 0; i < record->scan_count; i++)
        if (isfinite(record->scan_rrmse[i]))
            most = fmax(most, record->scan_rrmse[i]);
    return fmin(1.2 * most, 1.2);
}

static void delays_script(FILE *file, const lab_result *result)
{
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
    if (trial <= record->trials)
        fprintf(file, ", \\\n     %s with lines linetype 1 dashtype 4 title \"%s\"",
                lab_number(record->rule[record->main_rule].rrmse[trial - 1]).text,
                main_rule(result));
    fputc('\n', file);
}

// ---- all of them ------------------------------------------------------------------------------

static const figure figures[] = {
    {"fig-behaviour", 960, 400, NULL, behaviour_script},
    {"fig-learning", 720, 420, NULL, learning_script},
    {"fig-traces", 960, 400, traces_data, traces_script},
    {"fig-delays", 640, 420, delays_data, delays_script},
};

static lab_outcome write_data(lab_folder *folder, const figure *it, const lab_result *result,
                              lab_why *why)
{
    char name[64];
    FILE *file;
    snprintf(name, sizeof name, "%s.csv", it->name);
    lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    it->data(file, result);
    return lab_folder_close(folder, file, why);
}

static lab_outcome write_script(lab_folder *folder, const figure *it, const lab_result *result,
                                lab_why *why)
{
    char name[64];
    FILE *file;
    snprintf(name, sizeof name, "%s.gp", it->name);
    lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_gnuplot_begin(file, it->name, it->width, it->height);
    it->script(file, result);
    lab_gnuplot_end(file);
    return lab_folder_close(folder, file, why);
}

static lab_outcome draw(lab_folder *folder, const figure *it, const lab_result *result,
                        bool can_draw, lab_why *why)
{
    lab_outcome outcome = it->data ? write_data(folder, it, result, why) : LAB_DONE;
    if (outcome == LAB_DONE)
        outcome = write_script(folder, it, result, why);
    if (outcome == LAB_DONE && can_draw)
        outcome = lab_gnuplot(folder, it->name, why);
    return outcome;
}

lab_outcome lab_draw_figures(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const bool can_draw = lab_has_gnuplot();
    lab_outcome outcome = LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof figures / sizeof figures[0]; i++)
        outcome = draw(folder, &figures[i], result, can_draw, why);
    return outcome;
}
