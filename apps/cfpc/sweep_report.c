// SPDX-License-Identifier: Apache-2.0
#include "sweep_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/gnuplot.h"
#include "draw/sweep_figure.h"
#include "write/results.h"

static void print_count(const char *status, int count, const char *first)
{
    printf("  %-8s %6d%s%s\n", status, count, count > 0 && *first ? "   the first: " : "",
           count > 0 ? first : "");
}

// The number of points with this outcome, and the reason of the first.
static void sweep_report_print_ended(const lab_sweep *sweep, lab_outcome outcome)
{
    int first = 0;
    while (first < sweep->points - 1 && sweep->point[first].outcome != outcome)
        first++;
    print_count(lab_outcome_name(outcome), lab_sweep_count(sweep, outcome),
                sweep->point[first].why);
}

// Points at which a rule's numbers overflowed: it has no figures there.
static void sweep_report_print_diverged(const lab_sweep *sweep)
{
    const lab_grid *grid = sweep->grid;
    char first[256] = "";
    int p = 0;
    while (p < sweep->points - 1 && !lab_point_diverged(&sweep->point[p]))
        p++;
    int length = snprintf(first, sizeof first, "%.120s, at", sweep->point[p].why);
    for (int i = 0; i < grid->count && length < (int)sizeof first; i++)
        length +=
            snprintf(first + length, sizeof first - (size_t)length, "%s %s=%s", i > 0 ? "," : "",
                     grid->axes[i].key, grid->axes[i].texts[lab_grid_index(grid, i, p)]);
    print_count("diverged", lab_sweep_count_diverged(sweep), first);
}

// Half the interval of the best point, which one run does not have.
static void print_half_width(const lab_swept *swept)
{
    const double width =
        swept->half_width < 0 ? NAN : lab_swept_column(swept, swept->half_width)[swept->best];
    if (!isnan(width))
        printf(" ± %.2g", width);
}

static void print_best(const lab_swept *swept)
{
    const lab_grid *grid = swept->sweep->grid;
    printf("\n  lowest %s: ", swept->names[swept->drawn]);
    if (swept->best < 0) {
        puts("no value is finite");
        return;
    }
    printf("%.4g", lab_swept_column(swept, swept->drawn)[swept->best]);
    print_half_width(swept);
    printf(" at");
    for (int i = 0; i < grid->count; i++)
        printf("%s %s=%s", i > 0 ? "," : "", grid->axes[i].key,
               grid->axes[i].texts[lab_grid_index(grid, i, swept->best)]);
    putchar('\n');
}

static void sweep_report_print_figure(const lab_swept *swept, const char *folder)
{
    const char *undrawn = lab_sweep_undrawn(swept);
    if (undrawn)
        printf("  figure:  none: %s\n", undrawn);
    else if (lab_has_gnuplot())
        printf("  figure:  %s/fig-sweep.png (and .svg)\n", folder);
    else
        puts("  figure:  not drawn, as gnuplot is not installed (Debian: gnuplot-nox); to draw it "
             "later: gnuplot fig-sweep.gp");
}

static bool sets_teacher(const lab_grid *grid)
{
    for (int i = 0; i < grid->count; i++)
        if (strncmp(grid->axes[i].key, "teach", 5) == 0)
            return true;
    return false;
}

void app_report_sweep(const lab_swept *swept, const char *folder, bool figures)
{
    const lab_sweep *sweep = swept->sweep;
    printf("%s: %d point%s", sweep->spec->name, sweep->points, lab_plural(sweep->points));
    if (sweep->spec->runs > 1)
        printf(", means of %d runs with 95 %% intervals", sweep->spec->runs);
    if (!sets_teacher(sweep->grid))
        printf(", taught by %s", lab_teacher_phrase(sweep->spec->teach.signal));
    puts("\n");
    print_count("done", lab_sweep_count(sweep, LAB_DONE) - lab_sweep_count_diverged(sweep), "");
    sweep_report_print_diverged(sweep);
    sweep_report_print_ended(sweep, LAB_REFUSED);
    sweep_report_print_ended(sweep, LAB_FAILED);
    print_best(swept);
    printf("\n  spec:    %s/spec.yaml is the spec that every point starts from\n", folder);
    printf("  data:    %s/sweep.csv%s\n", folder, lab_has_hdf5() ? ", sweep.h5" : "");
    if (!lab_has_hdf5())
        puts("           no sweep.h5: this cfpc was built without HDF5 (Debian: libhdf5-dev)");
    if (figures)
        sweep_report_print_figure(swept, folder);
}
