// SPDX-License-Identifier: Apache-2.0
#include "draw/figures.h"

#include <limits.h>
#include <math.h>

#include "base/number.h"
#include "draw/gnuplot.h"

static const lab_zone *zone_report_zone_of(const void *context)
{
    return &((const lab_result *)context)->record->zone;
}

// ---- the table -------------------------------------------------------------------------------

// One row per cell.
static void cells_data(FILE *file, const void *context)
{
    const lab_zone *zone = zone_report_zone_of(context);
    const double step_s = ((const lab_result *)context)->record->step_s;
    fputs("cell,delay_ms,time_constant_ms,gain,reactive,optimum,clash", file);
    for (int way = 0; way < LAB_ZONE_WAY_COUNT; way++)
        if (zone->way[way].is_run)
            fprintf(file, ",%s,%s_rate_fraction", lab_zone_way_name((lab_zone_way)way),
                    lab_zone_way_name((lab_zone_way)way));
    fputc('\n', file);
    for (int p = 0; p < zone->cells; p++) {
        fprintf(file, "%d", p + 1);
        lab_put_number(file, zone->loop[p].delay_steps * step_s * 1e3);
        lab_put_known(file, zone->loop[p].time_constant_ms);
        lab_put_known(file, zone->loop[p].gain);
        lab_put_known(file, zone->reactive[p]);
        lab_put_known(file, zone->optimum[p]);
        lab_put_known(file, zone->clash[p]);
        for (int way = 0; way < LAB_ZONE_WAY_COUNT; way++)
            if (zone->way[way].is_run) {
                lab_put_known(file, zone->way[way].last[p]);
                lab_put_known(file, zone->way[way].rate_fraction[p]);
            }
        fputc('\n', file);
    }
}

lab_outcome lab_write_zone(lab_folder *folder, const lab_result *result, lab_why *why)
{
    return lab_put_file(folder, "zone.csv", cells_data, result, why);
}

// ---- the figure ------------------------------------------------------------------------------

static void put_spread(FILE *file, const lab_spread *spread)
{
    lab_put_known(file, spread->median);
    lab_put_known(file, spread->best);
    lab_put_known(file, spread->worst);
    fputc('\n', file);
}

// One size; that of the spec before the first that is larger.
static void zone_report_put_sizes(FILE *file, const lab_zone *zone, const lab_zone_size *sizes,
                                  int count, bool of_cells)
{
    const char *name = of_cells ? "cells" : "synapses";
    const int own = of_cells ? zone->cells : zone->synapses;
    int before = 0;
    for (int i = 0; i <= count; i++) {
        const int size = i == count ? INT_MAX : of_cells ? sizes[i].cells : sizes[i].synapses;
        if (before < own && own < size) {
            fprintf(file, "%s,%d", name, own);
            put_spread(file, &zone->way[LAB_ZONE_OWN].end);
        }
        if (i < count) {
            fprintf(file, "%s,%d", name, size);
            put_spread(file, &sizes[i].end);
        }
        before = size;
    }
}

// Blocks of rows that the first column tells apart. cell: delay, tuned, common. Others: what it is
// at, then median, best and worst of all cells.
static void zone_report_put_zone(FILE *file, const void *context)
{
    const lab_zone *zone = zone_report_zone_of(context);
    const double step_ms = ((const lab_result *)context)->record->step_s * 1e3;
    fputs("of,at,tuned or median,common or best,worst\n", file);
    for (int p = 0; p < zone->cells; p++) {
        fprintf(file, "cell,%s", lab_number(zone->loop[p].delay_steps * step_ms).text);
        lab_put_known(file, zone->way[LAB_ZONE_TUNED].last[p]);
        lab_put_known(file, zone->way[LAB_ZONE_COMMON].last[p]);
        fputs(",\n", file);
    }
    for (int way = 0; way < LAB_ZONE_WAY_COUNT; way++)
        for (int k = 0; zone->way[way].is_run && k < zone->trials; k++) {
            fprintf(file, "%s,%d", lab_zone_way_name((lab_zone_way)way), k + 1);
            put_spread(file, &zone->way[way].trial[k]);
        }
    zone_report_put_sizes(file, zone, zone->by_synapses, zone->synapse_sizes, false);
    zone_report_put_sizes(file, zone, zone->by_cells, zone->cell_sizes, true);
}

// The rows of one block, by column 2 and the columns that follow.
#define ROWS "\"fig-zone.csv\" skip 1 using (stringcolumn(1) eq \"%s\" ? column(2) : NaN):"

// Median lines; from the best to the worst cell as a band.
static void trials_panel(FILE *file, const lab_zone *zone)
{
    static const struct {
        lab_zone_way way;
        int colour;
        const char *says;
    } lines[] = {{LAB_ZONE_PRIVATE, 5, "noise of its own"},
                 {LAB_ZONE_SHARED, 4, "the same noise for all"},
                 {LAB_ZONE_OWN, 1, "no noise"}};
    enum { LINES = sizeof lines / sizeof lines[0] };
    fprintf(file,
            "set title \"its own model: median, best and worst\"\nset xlabel \"trial\"\n"
            "set xrange [1:%d]\nplot 1 linetype 8 notitle",
            zone->trials);
    for (int i = 0; i < LINES; i++)
        if (zone->way[lines[i].way].is_run)
            fprintf(file,
                    ", \\\n     " ROWS "4:5 with filledcurves linetype %d fillstyle transparent "
                    "solid 0.15 notitle",
                    lab_zone_way_name(lines[i].way), lines[i].colour);
    for (int i = 0; i < LINES; i++)
        if (zone->way[lines[i].way].is_run)
            fprintf(file, ", \\\n     " ROWS "3 with lines linetype %d title \"%s\"",
                    lab_zone_way_name(lines[i].way), lines[i].colour, lines[i].says);
    fputc('\n', file);
}

static void sizes_panel(FILE *file)
{
    static const struct {
        const char *name, *says;
        int colour, point;
    } lines[] = {{"synapses", "granule cells", 1, 7}, {"cells", "Purkinje cells", 3, 5}};
    fputs("set title \"the same with other numbers\"\nset xlabel \"number\"\n"
          "set logscale x\nset autoscale x\nplot 1 linetype 8 notitle",
          file);
    for (int i = 0; i < 2; i++)
        fprintf(file,
                ", \\\n     " ROWS "3:4:5 with yerrorbars linetype %d pointtype %d notitle, "
                "\\\n     " ROWS "3 with lines linetype %d title \"%s\"",
                lines[i].name, lines[i].colour, lines[i].point, lines[i].name, lines[i].colour,
                lines[i].says);
    fputc('\n', file);
}

static void zone_script(FILE *file, const void *context)
{
    const lab_zone *zone = zone_report_zone_of(context);
    const bool has_sizes = zone->synapse_sizes + zone->cell_sizes > 0;
    const double step_ms = ((const lab_result *)context)->record->step_s * 1e3;
    const double common_ms = zone->loop[zone->common].delay_steps * step_ms;
    fprintf(file,
            "set multiplot layout 1,%d\nset logscale y\nset format y \"%%g\"\n"
            "set yrange [*<0.01:10<*]\nset ytics (0.0001, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1)\n"
            "set key top right reverse Left samplen 1.5\n",
            has_sizes ? 3 : 2);
    fprintf(file,
            "set title \"every cell at its best rate, trial %d\"\n"
            "set xlabel \"delay of its loop (ms)\"\nset ylabel \"rRMSE\"\n"
            "set arrow 1 from first %g, graph 0 to first %g, first 1 nohead linetype 9\n"
            "set label 1 \" delay of the model\" at first %g, graph 0.05\n"
            "plot 1 linetype 8 title \"without a cell\", \\\n     " ROWS
            "4 with points linetype 2 pointtype 6 linewidth 2 title \"one model for all\", \\\n"
            "     " ROWS "3 with points linetype 1 pointtype 7 title \"its own forward model\"\n"
            "unset arrow 1\nunset label 1\n",
            zone->trials, common_ms, common_ms, common_ms, "cell", "cell");
    trials_panel(file, zone);
    if (has_sizes)
        sizes_panel(file);
    fputs("unset multiplot\n", file);
}

lab_outcome lab_draw_zone(lab_folder *folder, const lab_result *result, bool can_draw, lab_why *why)
{
    static const lab_figure figure = {"fig-zone", 1280, 440, zone_report_put_zone, zone_script};
    return lab_gnuplot_figure(folder, &figure, result, can_draw, why);
}
