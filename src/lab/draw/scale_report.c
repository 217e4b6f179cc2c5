// SPDX-License-Identifier: Apache-2.0
#include "draw/figures.h"

#include <math.h>

#include "draw/gnuplot.h"

// ---- the tables ------------------------------------------------------------------------------

static void scale_report_put_sizes(FILE *file, const void *context)
{
    const lab_record *record = ((const lab_result *)context)->record;
    fputs("synapses,lambda_max,rate,bytes_per_synapse", file);
    for (int k = 0; k < record->scale_trials; k++)
        fprintf(file, ",rrmse_%d", k + 1);
    fputc('\n', file);
    for (int i = 0; i < record->scale_sizes; i++) {
        const lab_scale_point *point = &record->scale[i];
        fprintf(file, "%d", point->synapses);
        lab_put_number(file, point->lambda_max);
        lab_put_number(file, point->rate);
        lab_put_number(file, point->bytes / point->synapses);
        for (int k = 0; k < record->scale_trials; k++)
            lab_put_number(file, point->rrmse[k]);
        fputc('\n', file);
    }
}

static void put_speeds(FILE *file, const void *context)
{
    const lab_record *record = ((const lab_result *)context)->record;
    fputs("synapses,seconds,realtime,synapse_steps_per_s,megabytes\n", file);
    for (int i = 0; i < record->scale_sizes; i++) {
        const lab_scale_point *point = &record->scale[i];
        fprintf(file, "%d,%.4g,%.4g,%.4g,%.4g\n", point->synapses, point->seconds, point->realtime,
                point->synapses * point->realtime / record->step_s, point->bytes / 1e6);
    }
}

lab_outcome lab_write_scale(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_outcome outcome =
        lab_put_file(folder, "scale.csv", scale_report_put_sizes, result, why);
    return outcome == LAB_DONE ? lab_put_file(folder, "speed.csv", put_speeds, result, why)
                               : outcome;
}

// ---- the figure ------------------------------------------------------------------------------

// One row per trial, one column per size.
static void scale_report_put_curves(FILE *file, const void *context)
{
    const lab_record *record = ((const lab_result *)context)->record;
    fputs("trial", file);
    for (int i = 0; i < record->scale_sizes; i++)
        fprintf(file, ",%d", record->scale[i].synapses);
    fputc('\n', file);
    for (int k = 0; k < record->scale_trials; k++) {
        fprintf(file, "%d", k + 1);
        for (int i = 0; i < record->scale_sizes; i++)
            lab_put_number(file, record->scale[i].rrmse[k]);
        fputc('\n', file);
    }
}

// The range of errors; if no size has an error at this trial, gnuplot finds no range.
static void scale_report_put_range(FILE *file, const lab_record *record, int trial)
{
    bool any = false;
    for (int i = 0; i < record->scale_sizes; i++)
        any |= !isnan(record->scale[i].rrmse[trial - 1]);
    fputs(any ? "set autoscale y\n" : "set yrange [0.1:1]\n", file);
}

static void scale_report_script(FILE *file, const void *context)
{
    const lab_record *record = ((const lab_result *)context)->record;
    const int last = record->scale_trials + 4; // column of the last trial's error
    fputs("set multiplot layout 1,3\nset logscale y\nset format y \"%g\"\n"
          "set xlabel \"trial\"\nset ylabel \"rRMSE\"\n"
          "set key above maxrows 2 reverse Left samplen 1\n",
          file);
    scale_report_put_range(file, record, 1);
    fputs("plot ", file);
    for (int i = 0; i < record->scale_sizes; i++)
        fprintf(file, "%s\"fig-scale.csv\" skip 1 using 1:%d with lines linetype %d title \"%d%s\"",
                i ? ", \\\n     " : "", i + 2, lab_gnuplot_linetype(i), record->scale[i].synapses,
                record->scale[i].diverged_at > 0 ? " (diverged)" : "");
    fputc('\n', file);
    scale_report_put_range(file, record, record->scale_trials);
    fprintf(file,
            "unset key\nset logscale x\nset format x \"10^{%%L}\"\nset xlabel \"synapses\"\n"
            "set offsets graph 0.05, graph 0.05, 0, 0\n"
            "set ylabel \"rRMSE at trial %d\"\n"
            "plot \"scale.csv\" skip 1 using 1:%d with linespoints linetype 1 pointtype 7\n"
            "set autoscale y\nset ylabel \"learning rate\"\nset format y \"10^{%%L}\"\n"
            "plot \"scale.csv\" skip 1 using 1:3 with linespoints linetype 2 pointtype 7\n"
            "unset multiplot\n",
            record->scale_trials, last);
}

lab_outcome lab_draw_scale(lab_folder *folder, const lab_result *result, bool can_draw,
                           lab_why *why)
{
    static const lab_figure figure = {"fig-scale", 1200, 400, scale_report_put_curves,
                                      scale_report_script};
    return lab_gnuplot_figure(folder, &figure, result, can_draw, why);
}
