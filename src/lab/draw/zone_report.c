// SPDX-License-Identifier: Apache-2.0
#include "draw/zone_report.h"

#include <limits.h>
#include <math.h>

#include "base/number.h"
#include "draw/gnuplot.h"

static const lab_zone *zone_of(const void *context)
{
    return &((const lab_result *)context)->record->zone;
}

static void put_number(FILE *file, double value)
{
    fprintf(file, ",%s", isnan(value) ? "" : lab_number(value).text);
}

// ---- the table -------------------------------------------------------------------------------

static void put_cell(FILE *file, const lab_zone *it, double step_s, int p)
{
    const double delay_ms = it->loop[p].delay_steps * step_s * 1e3;
    fprintf(file, "%d,%s", p + 1, lab_number(delay_ms).text);
    put_number(file, it->loop[p].time_constant_ms);
    put_number(file, it->loop[p].gain);
    put_number(file, it->reactive[p]);
    put_number(file, it->optimum[p]);
    put_number(file, it->clash[p]);
    for (int way = 0; way < LAB_ZONE_WAY_COUNT; way++) {
        if (!it->way[way].is_run)
            continue;
        put_number(file, it->way[way].last[p]);
        put_number(file, it->way[way].rate_fraction[p]);
    }
    fputc('\n', file);
}

lab_outcome lab_write_zone(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_zone *it = zone_of(result);
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "zone.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("cell,delay_ms,time_constant_ms,gain,reactive,optimum,clash", file);
    for (int way = 0; way < LAB_ZONE_WAY_COUNT; way++)
        if (it->way[way].is_run)
            fprintf(file, ",%s,%s_rate_fraction", lab_zone_way_name((lab_zone_way)way),
                    lab_zone_way_name((lab_zone_way)way));
    fputc('\n', file);
    for (int p = 0; p < it->cells; p++)
        put_cell(file, it, result->record->step_s, p);
    return lab_folder_close(folder, file, why);
}

// ---- the figure ------------------------------------------------------------------------------

static void put_spread(FILE *file, const lab_spread *spread)
{
    put_number(file, spread->median);
    put_number(file, spread->best);
    put_number(file, spread->worst);
    fputc('\n', file);
}

// One size; that of the spec before the first that is larger.
static void put_sizes(FILE *file, const lab_zone *it, const lab_zone_size *sizes, int count,
                      bool of_cells)
{
    const char *name = of_cells ? "cells" : "synapses";
    const int own = of_cells ? it->cells : it->synapses;
    int before = 0;
    for (int i = 0; i <= count; i++) {
        const int size = i == count ? INT_MAX : of_cells ? sizes[i].cells : sizes[i].synapses;
        if (before < own && own < size) {
            fprintf(file, "%s,%d", name, own);
            put_spread(file, &it->way[LAB_ZONE_OWN].end);
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
static void put_zone(FILE *file, const void *context)
{
    const lab_zone *it = zone_of(context);
    const double step_ms = ((const lab_result *)context)->record->step_s * 1e3;
    fputs("of,at,tuned or median,common or best,worst\n", file);
    for (int p = 0; p < it->cells; p++) {
        fprintf(file, "cell,%s", lab_number(it->loop[p].delay_steps * step_ms).text);
        put_number(file, it->way[LAB_ZONE_TUNED].last[p]);
        put_number(file, it->way[LAB_ZONE_COMMON].last[p]);
        fputs(",\n", file);
    }
    for (int way = 0; way < LAB_ZONE_WAY_COUNT; way++)
        for (int k = 0; it->way[way].is_run && k < it->trials; k++) {
            fprintf(file, "%s,%d", lab_zone_way_name((lab_zone_way)way), k + 1);
            put_spread(file, &it->way[way].trial[k]);
        }
    put_sizes(file, it, it->by_synapses, it->synapse_sizes, false);
    put_sizes(file, it, it->by_cells, it->cell_sizes, true);
}

// The rows of one block, by column 2 and the columns that follow.
#define ROWS "\"fig-zone.csv\" skip 1 using (stringcolumn(1) eq \"%s\" ? column(2) : NaN):"

static void cells_panel(FILE *file, const lab_zone *it, double step_ms)
{
    const double common_ms = it->loop[it->common].delay_steps * step_ms;
    fprintf(file,
            "set title \"every cell at its best rate, trial %d\"\n"
            "set xlabel \"delay of its loop (ms)\"\nset ylabel \"rRMSE\"\n"
            "set arrow 1 from first %g, graph 0 to first %g, first 1 nohead linetype 9\n"
            "set label 1 \" delay of the model\" at first %g, graph 0.05\n"
            "plot 1 linetype 8 title \"without a cell\", \\\n     " ROWS
            "4 with points linetype 2 pointtype 6 linewidth 2 title \"one model for all\", \\\n"
            "     " ROWS "3 with points linetype 1 pointtype 7 title \"its own forward model\"\n"
            "unset arrow 1\nunset label 1\n",
            it->trials, common_ms, common_ms, common_ms, "cell", "cell");
}

// Median lines; from the best to the worst cell as a band.
static void trials_panel(FILE *file, const lab_zone *it)
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
            it->trials);
    for (int i = 0; i < LINES; i++)
        if (it->way[lines[i].way].is_run)
            fprintf(file,
                    ", \\\n     " ROWS "4:5 with filledcurves linetype %d fillstyle transparent "
                    "solid 0.15 notitle",
                    lab_zone_way_name(lines[i].way), lines[i].colour);
    for (int i = 0; i < LINES; i++)
        if (it->way[lines[i].way].is_run)
            fprintf(file, ", \\\n     " ROWS "3 with lines linetype %d title \"%s\"",
                    lab_zone_way_name(lines[i].way), lines[i].colour, lines[i].says);
    fputc('\n', file);
}

static void sizes_panel(FILE *file)
{
    fputs("set title \"the same with other numbers\"\nset xlabel \"number\"\n"
          "set logscale x\nset autoscale x\nplot 1 linetype 8 notitle",
          file);
    for (int cells = 0; cells < 2; cells++) {
        const char *name = cells ? "cells" : "synapses";
        const int colour = cells ? 3 : 1, point = cells ? 5 : 7;
        fprintf(file,
                ", \\\n     " ROWS "3:4:5 with yerrorbars linetype %d pointtype %d notitle, "
                "\\\n     " ROWS "3 with lines linetype %d title \"%s\"",
                name, colour, point, name, colour, cells ? "Purkinje cells" : "granule cells");
    }
    fputc('\n', file);
}

static void zone_script(FILE *file, const void *context)
{
    const lab_zone *it = zone_of(context);
    const bool has_sizes = it->synapse_sizes + it->cell_sizes > 0;
    fprintf(file,
            "set multiplot layout 1,%d\nset logscale y\nset format y \"%%g\"\n"
            "set yrange [*<0.01:10<*]\nset ytics (0.0001, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1)\n"
            "set key top right reverse Left samplen 1.5\n",
            has_sizes ? 3 : 2);
    cells_panel(file, it, ((const lab_result *)context)->record->step_s * 1e3);
    trials_panel(file, it);
    if (has_sizes)
        sizes_panel(file);
    fputs("unset multiplot\n", file);
}

lab_outcome lab_draw_zone(lab_folder *folder, const lab_result *result, bool can_draw, lab_why *why)
{
    const lab_figure figure = {
        .name = "fig-zone", .width = 1280, .height = 440, .data = put_zone, .script = zone_script};
    return lab_gnuplot_figure(folder, &figure, result, can_draw, why);
}
