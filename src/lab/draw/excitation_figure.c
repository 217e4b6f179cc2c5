// SPDX-License-Identifier: Apache-2.0
#include "draw/figures.h"

#include <math.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "math/elementary.h"

enum { POINTS = 5000 }; // of a curve in time, at most

// One row per line; 0 deviation where nothing is known of noise.
static void excitation_figure_data(FILE *file, const void *context)
{
    const lab_excitation *excitation = context;
    const cfpc_excitation *d = &excitation->design;
    fputs("hz,probe,output,t,deviation\n", file);
    for (int k = 0; k < d->lines; k++) {
        const double size = cfpci_hypot(d->re[k], d->im[k]);
        fprintf(file, "%.6g,%.6g,%.6g,%.6g,%.6g\n", d->hz[k], d->amplitude[k],
                d->amplitude[k] * size, size, d->deviation[k]);
    }
}

// Two periods, the first of which comes out of rest.
static void draw_time(FILE *file, const lab_excitation *excitation)
{
    const cfpc_excitation *d = &excitation->design;
    const int rows = 2 * d->period_steps, every = rows / POINTS + 1;
    fprintf(file,
            "set size 1,0.48\nset origin 0,0.48\n"
            "set xlabel \"time (s)\"\n"
            "set xrange [0:%g]\n"
            "set offsets 0, 0, graph 0.05, graph 0.05\n"
            "plot \"probe.csv\" every %d::0::%d using 1:2 with lines linetype 8 title "
            "\"probe, added to the %s\", \\\n"
            "     \"\" every %d::0::%d using 1:4 with lines linetype 1 title \"expected output\"\n"
            "set offsets 0, 0, 0, 0\n",
            rows * d->step_s, every, rows, excitation->at_plant ? "command" : "reference", every,
            rows);
}

// Slow loops: their frequencies are short in mHz.
static double per_hz(const lab_excitation *excitation)
{
    return excitation->design.hz[excitation->design.lines - 1] < 0.1 ? 1e3 : 1;
}

// Both panels below have the same axis: logarithmic if the band is wide.
static void draw_spectrum(FILE *file, const lab_excitation *excitation)
{
    const cfpc_excitation *d = &excitation->design;
    const double by = per_hz(excitation), low = by * d->hz[0], high = by * d->hz[d->lines - 1];
    char ticks[64] = "set logscale x\n";
    const bool wide = high > 50 * low;
    if (!wide) {
        // 1, 2 or 5 of some power of ten, so that there are at most six ticks and a part: labels
        // need their room
        const double rough = (1.12 * (high - low) + 0.2 * low) / 6;
        const double power = cfpci_pow(10, floor(cfpci_log10(rough))), least = rough / power;
        snprintf(ticks, sizeof ticks, "set xtics %g\n",
                 power * (least <= 1   ? 1
                          : least <= 2 ? 2
                          : least <= 5 ? 5
                                       : 10));
    }
    fprintf(
        file,
        "set size 0.5,0.48\nset origin 0,0\n"
        "set xlabel \"frequency (%s)\"\n"
        "set ylabel \"amplitude of a line\"\n"
        "set xrange [%g:%g]\n%s"
        "set yrange [0:*]\n"
        "plot \"fig-probe.csv\" using ($1*%g):2 with impulses linetype 8 notitle, \\\n"
        "     \"\" using ($1*%g):2 with points pointtype 7 pointsize 0.4 linecolor rgb \"#8c8c8c\" "
        "title \"probe\", \\\n"
        "     \"\" using ($1*%g):3 with points pointtype 7 pointsize 0.6 linecolor rgb \"#0072b2\" "
        "title \"output\"\n",
        by > 1 ? "mHz" : "Hz", wide ? low / 1.25 : low - 0.06 * (high - low) - 0.1 * low,
        wide ? high * 1.25 : high + 0.06 * (high - low) + 0.1 * low, ticks, by, by, by);
}

static void excitation_figure_script(FILE *file, const void *context)
{
    const lab_excitation *excitation = context;
    const cfpc_excitation *d = &excitation->design;
    const double by = per_hz(excitation);
    fprintf(file,
            "set multiplot title \"%s: a probe of %d periods, %.4g s each\" noenhanced\n"
            "set key outside top center horizontal reverse Left samplen 1.5\n",
            excitation->spec->name, d->periods, d->period_steps * d->step_s);
    draw_time(file, excitation);
    draw_spectrum(file, excitation);
    fputs("set origin 0.5,0\nset ylabel \"|T|\"\nplot ", file);
    if (excitation->noise_from)
        fprintf(file,
                "\"fig-probe.csv\" using ($1*%g):($4-2*$5 > 0 ? $4-2*$5 : 0):($4+2*$5) with "
                "filledcurves linecolor rgb \"#9fd0ee\" fillstyle solid 0.6 noborder title "
                "\"± 2 σ\", \\\n     ",
                by);
    fprintf(file,
            "\"fig-probe.csv\" using ($1*%g):4 with linespoints linetype 1 pointtype 7 pointsize "
            "0.4 title \"believed\"\nunset multiplot\n",
            by);
}

lab_outcome lab_draw_excitation(lab_folder *folder, const lab_excitation *excitation, bool can_draw,
                                lab_why *why)
{
    static const lab_figure figure = {"fig-probe", 960, 720, excitation_figure_data,
                                      excitation_figure_script};
    return lab_gnuplot_figure(folder, &figure, excitation, can_draw, why);
}
