// SPDX-License-Identifier: Apache-2.0
// certificate_figures: the predicted learning curve, and the model errors that learning tolerates.
#include "draw/figures.h"

#include <math.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "math/order.h"

static const char *main_rule_name(const lab_analysis *analysis)
{
    return lab_rules(analysis->spec)[analysis->spec->main_rule].name;
}

// ---- fig-prediction --------------------------------------------------------------------------

static void prediction_data(FILE *file, const void *context)
{
    const lab_learning_analysis *l = &((const lab_analysis *)context)->learning;
    fputs("trial,rrmse\n", file);
    for (int k = 0; k < l->trials; k++)
        fprintf(file, "%d,%s\n", k + 1, lab_number(l->curve[k]).text);
}

static void prediction_script(FILE *file, const void *context)
{
    const lab_analysis *analysis = context;
    const lab_learning_analysis *l = &analysis->learning;
    const double end = l->certificate.asymptote_decided ? l->certificate.asymptote : NAN;
    double low = cfpci_min(1, l->optimum > 0 ? l->optimum : 1), high = 1;
    for (int k = 0; k < l->trials; k++)
        lab_gnuplot_widen(&low, &high, l->curve[k]);
    const bool end_shows = isfinite(end) && end >= low / 2 && end <= high * 2;
    lab_gnuplot_learning(file, low, high);
    fprintf(file,
            "set title \"%s: %s\" noenhanced\n"
            "plot 1 with lines linetype 9 linecolor rgb \"#999999\" dashtype 3 title "
            "\"reactive\", \\\n"
            "     \"fig-prediction.csv\" using 1:2 with linespoints linetype 1 pointtype 7 "
            "pointsize 0.5 title \"%s, predicted\" noenhanced, \\\n"
            "     %.17g with lines linetype 9 title \"optimum\"",
            analysis->spec->name, lab_verdict(l), main_rule_name(analysis), l->optimum);
    if (end_shows)
        fprintf(file, ", \\\n     %.17g with lines linetype 2 dashtype 2 title \"asymptote\"", end);
    fputc('\n', file);
}

// ---- fig-tolerance ---------------------------------------------------------------------------

// One box per point, from half-way to the previous neighbour to half-way to the next.
static double edge(const double *values, int count, int i, int side)
{
    const int other = i + side;
    if (other < 0 || other >= count)
        return values[i] + (values[i] - values[i - side]) / 2;
    return (values[i] + values[other]) / 2;
}

static void tolerance_data(FILE *file, const void *context)
{
    const lab_tolerance *t = &((const lab_analysis *)context)->tolerance;
    fputs("delay_error_ms,gain,from_ms,to_ms,from_gain,to_gain,fate,phase_error_deg\n", file);
    for (int k = 0; k < t->gains; k++)
        for (int i = 0; i < t->delays; i++) {
            const int at = k * t->delays + i;
            fprintf(file, "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%d,", t->delay_error_ms[i], t->gain[k],
                    edge(t->delay_error_ms, t->delays, i, -1),
                    edge(t->delay_error_ms, t->delays, i, 1), edge(t->gain, t->gains, k, -1),
                    edge(t->gain, t->gains, k, 1), t->region[at]);
            if (isnan(t->region_phase[at]))
                fputs("nan\n", file);
            else
                fprintf(file, "%.6g\n", t->region_phase[at]);
        }
}

static void tolerance_script(FILE *file, const void *context)
{
    static const char *const colours[] = {"#0072b2", "#9fd0ee", "#f3c46b", "#c8c8c8"};
    const lab_analysis *analysis = context;
    const lab_tolerance *t = &analysis->tolerance;
    fprintf(file,
            "set datafile separator comma\n"
            "set title \"%s, %s: tolerance to errors of the model\" noenhanced\n"
            "set xlabel \"delay, actual minus believed (ms)\"\n"
            "set ylabel \"%s\"\n"
            "set logscale y 2\n"
            "set format y \"%%g\"\n"
            "set xrange [%.6g:%.6g]\n"
            "set yrange [%.6g:%.6g]\n"
            "set key outside right top vertical Left reverse samplen 1\n"
            "set style fill solid 1 noborder\n"
            "unset grid\n"
            "plot ",
            analysis->spec->name, main_rule_name(analysis),
            lab_is_identified(analysis->spec, false) ? "gain of the open path, relative"
                                                     : "plant gain, relative to the spec",
            edge(t->delay_error_ms, t->delays, 0, -1),
            edge(t->delay_error_ms, t->delays, t->delays - 1, 1), edge(t->gain, t->gains, 0, -1),
            edge(t->gain, t->gains, t->gains - 1, 1));
    for (int fate = LAB_MONOTONE; fate <= LAB_UNSTABLE; fate++)
        fprintf(file,
                "\"fig-tolerance.csv\" using 1:($7 == %d ? $2 : 1/0):3:4:5:6 with boxxyerror "
                "linecolor rgb \"%s\" title \"%s\", \\\n     ",
                fate, colours[fate], lab_fate_name((lab_fate)fate));
    fprintf(file,
            "\"fig-tolerance.csv\" using 1:($8 >= 90 ? $2 : 1/0) with points pointtype 7 pointsize "
            "0.25 linecolor rgb \"#222222\" title \"phase error > 90°\", \\\n"
            "     \"fig-tolerance.csv\" every ::1::1 using (%.6g):(1) with points pointtype 2 "
            "pointsize 1.6 linewidth 2.5 linecolor rgb "
            "\"#d55e00\" title \"loop of the spec\"\n",
            isnan(t->items[0].believed) ? 0 : t->items[0].actual - t->items[0].believed);
}

// ---- fig-band --------------------------------------------------------------------------------

static void band_data(FILE *file, const void *context)
{
    const lab_band_analysis *b = &((const lab_analysis *)context)->band;
    fputs("hz,believed,radius,basis_power\n", file);
    for (int k = 0; k < b->frequencies; k++)
        fprintf(file, "%.6g,%.6g,%.6g,%.6g\n", b->hz[k], b->believed[k], b->radius[k], b->power[k]);
}

// As far as the bases have power, and a little beyond.
static void band_script(FILE *file, const void *context)
{
    const lab_analysis *analysis = context;
    const lab_band_analysis *b = &analysis->band;
    double high = 0, most = 0;
    for (int k = 0; k < b->frequencies; k++)
        if (b->power[k] > 1e-4)
            high = b->hz[k];
    for (int k = 0; k < b->frequencies; k++)
        if (b->hz[k] <= 1.5 * high)
            most = cfpci_max(most, b->believed[k] + b->radius[k]);
    fprintf(file,
            "set datafile separator comma\n"
            "set title \"%s, %s: models in the band\" noenhanced\n"
            "set xlabel \"frequency (Hz)\"\n"
            "set ylabel \"|T|, from o to what teaches\"\n"
            "set y2label \"power of the bases, relative\"\n"
            "set logscale x\n"
            "set xrange [%.6g:%.6g]\n"
            "set yrange [0:%.6g]\n"
            "set y2range [0:1.05]\n"
            "set ytics nomirror\n"
            "set y2tics\n"
            "set key outside bottom center horizontal\n",
            analysis->spec->name, main_rule_name(analysis), b->hz[0], 1.5 * high, 1.05 * most);
    fputs("plot \"fig-band.csv\" using 1:($2-$3 > 0 ? $2-$3 : 0):($2+$3) with filledcurves "
          "linecolor rgb \"#9fd0ee\" fillstyle solid 0.6 noborder title \"band\", \\\n"
          "     \"\" using 1:2 with lines linetype 1 title \"believed\", \\\n"
          "     \"\" using 1:4 axes x1y2 with lines linetype 9 title \"power of the bases\"\n",
          file);
}

// ---- the folder ------------------------------------------------------------------------------

lab_outcome lab_draw_certificate(lab_folder *folder, const lab_analysis *analysis, bool can_draw,
                                 lab_why *why)
{
    static const lab_figure prediction = {"fig-prediction", 620, 420, prediction_data,
                                          prediction_script};
    static const lab_figure tolerance = {"fig-tolerance", 820, 460, tolerance_data,
                                         tolerance_script};
    static const lab_figure band = {"fig-band", 760, 420, band_data, band_script};
    const bool predicts = !analysis->learning.reason, tolerates = analysis->tolerance.delays > 0;
    lab_outcome outcome = LAB_DONE;
    if (predicts && tolerates)
        outcome = lab_gnuplot_pair(folder, &prediction, &tolerance, analysis, can_draw, why);
    else if (predicts || tolerates)
        outcome = lab_gnuplot_figure(folder, predicts ? &prediction : &tolerance, analysis,
                                     can_draw, why);
    return outcome == LAB_DONE && analysis->band.frequencies > 0
               ? lab_gnuplot_figure(folder, &band, analysis, can_draw, why)
               : outcome;
}
