// SPDX-License-Identifier: Apache-2.0
#include "draw/figures.h"

#include <math.h>

#include "draw/gnuplot.h"
#include "math/order.h"

enum { MAX_ROWS = 1500 }; // of the simulation that are shown: more are a solid area

// The start of the part that was held back.
static void draw_simulation(FILE *file, const lab_identification *identification)
{
    const cfpc_identified *f = &identification->found;
    const int held = identification->log.rows - f->first_held_back;
    const int shown = held < MAX_ROWS ? held : MAX_ROWS;
    const double step_s = identification->log.step_ms / 1e3, from = f->first_held_back * step_s;
    fprintf(file,
            "set title \"Held-back data%s: fit %.1f %%\"\n"
            "set xlabel \"time (s)\"\nset ylabel ",
            shown < held ? " (its start)" : "", f->fit);
    lab_gnuplot_text(file, identification->log.output_name);
    fprintf(file,
            " noenhanced\n"
            "set xrange [%.9g:%.9g]\n"
            "plot \"simulation.csv\" every ::%d::%d using 1:3 with lines linetype 8 linewidth 2.5 "
            "title \"measured\", \\\n"
            "     \"\" every ::%d::%d using 1:4 with lines linetype 1 linewidth 1.5 title "
            "\"simulated\"\n",
            from, from + shown * step_s, f->first_held_back + 1, f->first_held_back + shown,
            f->first_held_back + 1, f->first_held_back + shown);
}

// Up to where the response has died away.
static void draw_response(FILE *file, const lab_identification *identification)
{
    const cfpc_identified *f = &identification->found;
    const double step_ms = identification->log.step_ms;
    double most = 0;
    int last = f->taps - 1;
    for (int k = 0; k < f->taps; k++)
        most = cfpci_max(most, fabs(f->response[k]));
    while (last > 1 && fabs(f->response[last]) < 0.01 * most)
        last--;
    const int end = last + last / 4 + 4;
    fprintf(file,
            "set title \"Impulse response: dead time %g ms\"\n"
            "set xlabel \"time (s)\"\nset ylabel \"per step\"\n"
            "set xrange [0:%.9g]\n"
            "plot \"response.csv\" using 1:($2-2*$3):($2+2*$3) with filledcurves linecolor rgb "
            "\"#9fd0ee\" fillstyle solid 0.7 title \"± 2 σ\", \\\n"
            "     \"\" using 1:2 with lines linetype 8 title \"FIR\", \\\n"
            "     \"\" using 1:4 with lines linetype 1 title \"model\"\n",
            f->dead_time_steps * step_ms, (end < f->taps ? end : f->taps) * step_ms / 1e3);
}

static void draw_frequency(FILE *file, const lab_identification *identification)
{
    const cfpc_identified *f = &identification->found;
    const double nyquist = 500 / identification->log.step_ms;
    double most = 0, least = INFINITY;
    for (int k = 0; k < f->band.count; k++) {
        most = cfpci_max(most, identification->magnitude[k] + f->band.radius[k]);
        if (f->band.hz[k] <= f->high_hz && identification->magnitude[k] > 0)
            least = cfpci_min(least, identification->magnitude[k]);
    }
    const double low = cfpci_max(least / 5, most / 1e5);
    const double from = cfpci_max(f->low_hz / 3, f->band.count > 1 ? f->band.hz[1] : 0);
    fprintf(file,
            "set title \"Frequency response, %.0f %% band (dashed: excited)\"\n"
            "set xlabel \"frequency (Hz)\"\nset ylabel \"magnitude\"\n"
            "set logscale xy\n"
            "set format x \"%%g\"\nset format y \"%%g\"\n"
            "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n"
            "set arrow 1 from first %.6g, graph 0 to first %.6g, graph 1 nohead front linetype 9\n"
            "set arrow 2 from first %.6g, graph 0 to first %.6g, graph 1 nohead front linetype 9\n"
            "plot \"frequency.csv\" using 1:($2-$3 > %.6g ? $2-$3 : %.6g):($2+$3) with "
            "filledcurves linecolor rgb \"#9fd0ee\" fillstyle solid 0.7 title \"band\", \\\n"
            "     \"\" using 1:4 with lines linetype 8 title \"FIR\", \\\n"
            "     \"\" using 1:2 with lines linetype 1 title \"model\"\n"
            "unset arrow\nunset logscale\nset format\nset autoscale y\n",
            100 * identification->settings.confidence, from, nyquist, low, 2 * most,
            cfpci_max(f->low_hz, from), cfpci_max(f->low_hz, from), f->high_hz, f->high_hz, low,
            low);
}

static void draw_residuals(FILE *file, const lab_identification *identification)
{
    const cfpc_identified *f = &identification->found;
    fprintf(file,
            "set title \"Residual correlations (dashed: 99 %% limit)\"\n"
            "set xlabel \"lag (steps)\"\nset ylabel \"correlation\"\n"
            "set xrange [%d:%d]\n"
            "set offsets 0, 0, graph 0.05, graph 0.05\n"
            "plot %.6g with lines linetype 9 notitle, %.6g with lines linetype 9 notitle, "
            "\\\n"
            "     \"residuals.csv\" using 1:($1 > 0 ? $2 : 1/0) with impulses linetype 8 "
            "linewidth 2 title \"with themselves\", \\\n"
            "     \"\" using 1:3 with lines linetype 1 title \"with the input\"\n",
            -f->lags, f->lags, f->limit, -f->limit);
}

static void identification_figure_script(FILE *file, const void *context)
{
    static void (*const panels[])(FILE *, const lab_identification *) = {
        draw_simulation, draw_response, draw_frequency, draw_residuals};
    fputs("set multiplot\nset key at graph 0.5,1.02 center bottom horizontal maxrows 1 reverse "
          "Left samplen 1.2 "
          "width -1\nset title offset 0,0.9\n",
          file);
    for (int i = 0; i < 4; i++) { // of one size, title and key above each
        const int column = i % 2, row = i / 2;
        const double left = 0.085 + 0.51 * column, bottom = 0.6 - 0.5 * row;
        fprintf(file,
                "set lmargin at screen %g\nset rmargin at screen %g\n"
                "set bmargin at screen %g\nset tmargin at screen %g\n",
                left, left + 0.385, bottom, bottom + 0.3);
        panels[i](file, context);
    }
    fputs("unset multiplot\n", file);
}

lab_outcome lab_draw_identification(lab_folder *folder, const lab_identification *identification,
                                    bool can_draw, lab_why *why)
{
    static const lab_figure figure = {"fig-identify", 1040, 760, NULL,
                                      identification_figure_script};
    return lab_gnuplot_figure(folder, &figure, identification, can_draw, why);
}
