// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/figures.h"
#include "draw/gnuplot.h"
#include "write/results.h"

static void print_count(FILE *to, const char *status, int count, const char *first)
{
    fprintf(to, "  %-8s %6d%s%s\n", status, count, count > 0 && *first ? "   the first: " : "",
            count > 0 ? first : "");
}

// The number of points with this outcome, and the reason of the first.
static void sweep_text_print_ended(FILE *to, const lab_sweep *sweep, lab_outcome outcome)
{
    int first = 0;
    while (first < sweep->points - 1 && sweep->point[first].outcome != outcome)
        first++;
    print_count(to, lab_outcome_name(outcome), lab_sweep_count(sweep, outcome),
                sweep->point[first].why);
}

// Points at which a rule's numbers overflowed: it has no figures there.
static void sweep_text_print_diverged(FILE *to, const lab_sweep *sweep)
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
    print_count(to, "diverged", lab_sweep_count_diverged(sweep), first);
}

static void print_best(FILE *to, const lab_swept *swept)
{
    const lab_grid *grid = swept->sweep->grid;
    fprintf(to, "\n  lowest %s: ", swept->names[swept->drawn]);
    if (swept->best < 0) {
        fputs("no value is finite\n", to);
        return;
    }
    fprintf(to, "%.4g", lab_swept_column(swept, swept->drawn)[swept->best]);
    // half its interval, which one run does not have
    const double half_width =
        swept->half_width < 0 ? NAN : lab_swept_column(swept, swept->half_width)[swept->best];
    if (!isnan(half_width))
        fprintf(to, " ± %.2g", half_width);
    fputs(" at", to);
    for (int i = 0; i < grid->count; i++)
        fprintf(to, "%s %s=%s", i > 0 ? "," : "", grid->axes[i].key,
                grid->axes[i].texts[lab_grid_index(grid, i, swept->best)]);
    fputc('\n', to);
}

void lab_put_swept(FILE *to, const lab_swept *swept, const char *folder, bool figures)
{
    const lab_sweep *sweep = swept->sweep;
    fprintf(to, "%s: %d point%s", sweep->spec->name, sweep->points, lab_plural(sweep->points));
    if (sweep->spec->runs > 1)
        fprintf(to, ", means of %d runs with 95 %% intervals", sweep->spec->runs);
    bool sets_teacher = false;
    for (int i = 0; i < sweep->grid->count; i++)
        sets_teacher |= strncmp(sweep->grid->axes[i].key, "teach", 5) == 0;
    if (!sets_teacher)
        fprintf(to, ", taught by %s", lab_teacher_phrase(sweep->spec->teach.signal));
    fputs("\n\n", to);
    print_count(to, "done", lab_sweep_count(sweep, LAB_DONE) - lab_sweep_count_diverged(sweep), "");
    sweep_text_print_diverged(to, sweep);
    sweep_text_print_ended(to, sweep, LAB_REFUSED);
    sweep_text_print_ended(to, sweep, LAB_FAILED);
    print_best(to, swept);
    fprintf(to, "\n  spec:    %s/spec.yaml is the spec that every point starts from\n", folder);
    fprintf(to, "  data:    %s/sweep.csv%s\n", folder, lab_has_hdf5() ? ", sweep.h5" : "");
    if (!lab_has_hdf5())
        fputs("           no sweep.h5: this cfpc was built without HDF5 (Debian: libhdf5-dev)\n",
              to);
    const char *undrawn = lab_sweep_undrawn(swept);
    if (figures && undrawn)
        fprintf(to, "  figure:  none: %s\n", undrawn);
    else if (figures)
        lab_gnuplot_say(to, folder, "fig-sweep");
}
