// SPDX-License-Identifier: Apache-2.0
// sweep_figure: fig-sweep, as curves or as a map.
#include "draw/sweep_figure.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "math/order.h"

enum {
    MAX_CURVES = 6,
    LONGEST_NAME = 110, // bytes of a curve's name
    LONGEST_VALUE = 64, // bytes of a value in it
    WIDTH = 720         // points; more if the names need it
};

// An rRMSE above this is clipped, so that a diverging loop does not flatten the rest.
#define WORST_RRMSE 100.0

// The scale is logarithmic if the values span more than this.
#define TWO_DECADES 100.0

// What the figure shows.
typedef struct plan {
    const lab_swept *swept;
    const lab_axis *across; // along the x axis; NULL: there is no figure
    const lab_axis *up;     // along the y axis of a map; NULL for curves
    int stride;             // points from one value of `across` to the next
    int curves;             // how many
    double low, high;       // of the finite values that are drawn
    const char *undrawn;    // why there is no figure
} plan;

// ---- the plan --------------------------------------------------------------------------------

static bool sweep_figure_is_above(double low, double high)
{
    return low > 0 && high > TWO_DECADES * low;
}

static double sweep_figure_least(const lab_axis *axis)
{
    double low = axis->numbers[0];
    for (int i = 1; i < axis->count; i++)
        low = cfpci_min(low, axis->numbers[i]);
    return low;
}

static double sweep_figure_most(const lab_axis *axis)
{
    double high = axis->numbers[0];
    for (int i = 1; i < axis->count; i++)
        high = cfpci_max(high, axis->numbers[i]);
    return high;
}

static bool is_log(const lab_axis *axis)
{
    return sweep_figure_is_above(sweep_figure_least(axis), sweep_figure_most(axis));
}

// The numeric axis with the most values, and a second one if the grid has only these two.
static void choose_axes(plan *plan)
{
    const lab_grid *grid = plan->swept->sweep->grid;
    const lab_axis *numeric[2] = {NULL, NULL};
    int wide = 0, numeric_count = 0;
    for (int i = 0; i < grid->count; i++) {
        const lab_axis *axis = &grid->axes[i];
        wide += axis->count > 1;
        if (axis->count < 2 || !axis->numbers)
            continue;
        if (numeric_count < 2)
            numeric[numeric_count] = axis;
        numeric_count++;
        if (!plan->across || axis->count > plan->across->count)
            plan->across = axis;
    }
    if (wide == 2 && numeric_count == 2) {
        plan->across = numeric[0];
        plan->up = numeric[1];
    }
}

static void sweep_figure_find_range(plan *plan)
{
    const lab_swept *swept = plan->swept;
    const double *values = lab_swept_column(swept, swept->drawn);
    plan->low = plan->high = swept->best < 0 ? 0 : values[swept->best];
    for (int p = 0; p < swept->sweep->points; p++)
        if (isfinite(values[p]))
            plan->high = cfpci_max(plan->high, values[p]);
    if (strcmp(lab_unit(swept->names[swept->drawn]), "rRMSE") == 0 && plan->low < WORST_RRMSE)
        plan->high = cfpci_min(plan->high, WORST_RRMSE);
}

static plan sweep_figure_make_plan(const lab_swept *swept)
{
    const lab_grid *grid = swept->sweep->grid;
    plan drawn = {.swept = swept};
    choose_axes(&drawn);
    sweep_figure_find_range(&drawn);
    if (!drawn.across) {
        drawn.undrawn = "no key has two or more numbers";
        return drawn;
    }
    drawn.stride = 1;
    for (const lab_axis *axis = drawn.across + 1; axis < grid->axes + grid->count; axis++)
        drawn.stride *= axis->count;
    drawn.curves = swept->sweep->points / drawn.across->count;
    if (!drawn.up && drawn.curves > MAX_CURVES)
        drawn.undrawn = "it can show two numeric keys, or at most 6 curves over one";
    else if (swept->best < 0)
        drawn.undrawn = "no value of the measure is finite";
    return drawn;
}

const char *lab_sweep_undrawn(const lab_swept *swept)
{
    return sweep_figure_make_plan(swept).undrawn;
}

// ---- what both forms share -------------------------------------------------------------------

static const char *measure_name(const plan *plan)
{
    return plan->swept->names[plan->swept->drawn];
}

static bool is_cut(const plan *plan)
{
    const double *values = lab_swept_column(plan->swept, plan->swept->drawn);
    for (int p = 0; p < plan->swept->sweep->points; p++)
        if (isfinite(values[p]) && values[p] > plan->high)
            return true;
    return false;
}

// A label that shows its text literally, including underscores.
static void sweep_figure_put_label(FILE *file, const char *of, const char *text)
{
    fprintf(file, "set %slabel ", of);
    lab_gnuplot_text(file, text);
    fprintf(file, " noenhanced%s\n", strcmp(of, "cb") == 0 ? " offset 1, 0" : "");
}

static void put_measure_label(FILE *file, const plan *plan, const char *of)
{
    char text[192];
    snprintf(text, sizeof text, "%s%s", measure_name(plan), is_cut(plan) ? " (up to 100)" : "");
    sweep_figure_put_label(file, of, text);
}

static int index_on(const plan *plan, const lab_axis *axis, int point)
{
    const lab_grid *grid = plan->swept->sweep->grid;
    return lab_grid_index(grid, (int)(axis - grid->axes), point);
}

// Whether the measure is missing at a point because a rule diverged there.
static bool sweep_figure_has_diverged(const plan *plan, int point)
{
    return !isfinite(lab_swept_column(plan->swept, plan->swept->drawn)[point]) &&
           lab_point_diverged(&plan->swept->sweep->point[point]);
}

// A cross at every such point, at the top where there is no second axis; whether there is any.
static bool put_diverged(FILE *file, const plan *plan)
{
    bool any = false;
    for (int p = 0; p < plan->swept->sweep->points; p++) {
        if (!sweep_figure_has_diverged(plan, p))
            continue;
        fprintf(file, "set label \"\" at %s,",
                lab_number(plan->across->numbers[index_on(plan, plan->across, p)]).text);
        if (plan->up)
            fputs(lab_number(plan->up->numbers[index_on(plan, plan->up, p)]).text, file);
        else
            fputs("graph 0.97", file);
        fputs(" point pointtype 2 pointsize 1.2 linecolor rgb \"#000000\" front\n", file);
        any = true;
    }
    return any;
}

static void put_diverged_key(FILE *file, bool any)
{
    if (any)
        fputs(
            ", \\\n     NaN with points pointtype 2 pointsize 1.2 linecolor rgb \"#000000\" title "
            "\"diverged\"",
            file);
}

static void put_log(FILE *file, const char *of, bool log)
{
    if (log)
        fprintf(file, "set logscale %s\n", of);
    fprintf(file, "set format %s \"%%g\"\n", of);
}

// ---- curves ----------------------------------------------------------------------------------

// The point of a curve at a value of `across`.
static int sweep_figure_point_of(const plan *plan, int curve, int value)
{
    const int stride = plan->stride;
    return (curve / stride * plan->across->count + value) * stride + curve % stride;
}

// The settings that distinguish a curve from the others.
static void sweep_figure_name_curve(const plan *plan, int curve, char *text, size_t size)
{
    const lab_grid *grid = plan->swept->sweep->grid;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < grid->count; i++) {
        const lab_axis *axis = &grid->axes[i];
        if (axis == plan->across || axis->count < 2 || used >= size)
            continue;
        const int value = lab_grid_index(grid, i, sweep_figure_point_of(plan, curve, 0));
        const char *shown = axis->texts[value];
        const bool is_long = strlen(shown) > LONGEST_VALUE;
        const int wrote = snprintf(text + used, size - used, "%s%s = %.*s%s", used > 0 ? ", " : "",
                                   axis->key, LONGEST_VALUE, shown, is_long ? "…" : "");
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

// The values of `across` in ascending order: the one after `last`, -1 if there is none.
static int next_value(const lab_axis *axis, int last)
{
    int next = -1;
    for (int i = 0; i < axis->count; i++)
        if ((last < 0 || axis->numbers[i] > axis->numbers[last]) &&
            (next < 0 || axis->numbers[i] < axis->numbers[next]))
            next = i;
    return next;
}

// Of the 95 % intervals of what is drawn, one per point; NULL if every point is a single run.
static const double *half_widths(const plan *plan)
{
    return plan->swept->half_width < 0 ? NULL
                                       : lab_swept_column(plan->swept, plan->swept->half_width);
}

static void curves_data(FILE *file, const void *context)
{
    const plan *plan = context;
    const double *values = lab_swept_column(plan->swept, plan->swept->drawn);
    const double *widths = half_widths(plan);
    fputs("# value", file);
    for (int k = 0; k < plan->curves; k++)
        fprintf(file, ",curve_%d", k + 1);
    for (int k = 0; widths && k < plan->curves; k++)
        fprintf(file, ",half_width_%d", k + 1);
    fputc('\n', file);
    for (int i = -1; (i = next_value(plan->across, i)) >= 0;) {
        fputs(lab_number(plan->across->numbers[i]).text, file);
        for (int k = 0; k < plan->curves; k++)
            fprintf(file, ",%s", lab_number(values[sweep_figure_point_of(plan, k, i)]).text);
        for (int k = 0; widths && k < plan->curves; k++)
            fprintf(file, ",%s", lab_number(widths[sweep_figure_point_of(plan, k, i)]).text);
        fputc('\n', file);
    }
}

// Bars under the curves, named once in the key.
static void put_intervals(FILE *file, const plan *plan)
{
    for (int k = 0; half_widths(plan) && k < plan->curves; k++) {
        fprintf(
            file,
            "\"fig-sweep.csv\" using 1:%d:%d with yerrorbars linetype %d pointtype -1 linewidth "
            "1.5 ",
            k + 2, plan->curves + k + 2, lab_gnuplot_linetype(k));
        fprintf(file, "%s, \\\n     ", k > 0 ? "notitle" : "title \"95 % interval of the mean\"");
    }
}

static void curves_script(FILE *file, const void *context)
{
    const plan *plan = context;
    const bool log = sweep_figure_is_above(plan->low, plan->high);
    sweep_figure_put_label(file, "x", plan->across->key);
    put_measure_label(file, plan, "y");
    put_log(file, "x", is_log(plan->across));
    put_log(file, "y", log);
    fprintf(file, "set xrange [%s:", lab_number(sweep_figure_least(plan->across)).text);
    fprintf(file, "%s]\n", lab_number(sweep_figure_most(plan->across)).text);
    if (is_cut(plan))
        fprintf(file, "set yrange [*:%g]\n", plan->high);
    else
        fputs("set offsets 0, 0, graph 0.05, graph 0.05\n", file);
    const bool diverged = put_diverged(file, plan);
    fputs("set key tmargin left vertical maxcols 1 reverse Left samplen 2 noenhanced\nplot ", file);
    put_intervals(file, plan);
    for (int k = 0; k < plan->curves; k++) {
        char name[LONGEST_NAME];
        sweep_figure_name_curve(plan, k, name, sizeof name);
        fprintf(file,
                "%s\"fig-sweep.csv\" using 1:%d with linespoints linetype %d pointtype %d "
                "pointsize 0.8 ",
                k > 0 ? ", \\\n     " : "", k + 2, lab_gnuplot_linetype(k), k % 4 * 2 + 5);
        fputs(plan->curves > 1 ? "title " : "notitle", file);
        if (plan->curves > 1)
            lab_gnuplot_text(file, name);
    }
    put_diverged_key(file, diverged);
    fputc('\n', file);
}

// ---- map -------------------------------------------------------------------------------------

// Half-way between two values on the axis's scale.
static double sweep_figure_between(const lab_axis *axis, double a, double b)
{
    return is_log(axis) ? sqrt(a) * sqrt(b) : (a + b) / 2;
}

// As far beyond `a` as `b` lies before it.
static double sweep_figure_beyond(const lab_axis *axis, double a, double b)
{
    return is_log(axis) ? cfpci_min(a * (a / b), 1e305) : 2 * a - b; // gnuplot's end is near 1e307
}

// The limits of the cell of a value: half-way to its neighbours.
static void cell_of(const lab_axis *axis, int index, double *from, double *to)
{
    const double here = axis->numbers[index];
    double before = -INFINITY, after = INFINITY;
    for (int i = 0; i < axis->count; i++) {
        const double other = axis->numbers[i];
        before = other < here ? cfpci_max(before, other) : before;
        after = other > here ? cfpci_min(after, other) : after;
    }
    if (!isfinite(before))
        before = sweep_figure_beyond(axis, here, after);
    if (!isfinite(after))
        after = sweep_figure_beyond(axis, here, before);
    *from = sweep_figure_between(axis, before, here);
    *to = sweep_figure_between(axis, here, after);
}

static void map_data(FILE *file, const void *context)
{
    const plan *plan = context;
    const double *values = lab_swept_column(plan->swept, plan->swept->drawn);
    fputs("# x,y,x_from,x_to,y_from,y_to,value\n", file);
    for (int p = 0; p < plan->swept->sweep->points; p++) {
        const int x = index_on(plan, plan->across, p), y = index_on(plan, plan->up, p);
        double cell[7] = {plan->across->numbers[x], plan->up->numbers[y]};
        cell_of(plan->across, x, &cell[2], &cell[3]);
        cell_of(plan->up, y, &cell[4], &cell[5]);
        cell[6] = isfinite(values[p]) ? values[p] : NAN;
        for (int i = 0; i < 7; i++)
            fprintf(file, "%s%c", lab_number(cell[i]).text, i < 6 ? ',' : '\n');
    }
}

// From the first cell's beginning to the last one's end.
static void sweep_figure_put_range(FILE *file, const char *of, const lab_axis *axis)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < axis->count; i++) {
        double from, to;
        cell_of(axis, i, &from, &to);
        low = cfpci_min(low, from);
        high = cfpci_max(high, to);
    }
    put_log(file, of, is_log(axis));
    fprintf(file, "set %srange [%s:", of, lab_number(low).text);
    fprintf(file, "%s]\n", lab_number(high).text);
}

// The viridis colours, which increase in lightness also for colour-blind readers.
static void put_colours(FILE *file, const plan *plan)
{
    const double same = plan->high > plan->low ? 0 : 0.01 * cfpci_max(fabs(plan->low), 1e-9);
    fputs("set palette defined (0 \"#440154\", 1 \"#472c7a\", 2 \"#3b518b\", 3 \"#2c718e\", \\\n"
          "    4 \"#21908d\", 5 \"#27ad81\", 6 \"#5cc863\", 7 \"#aadc32\", 8 \"#fde725\")\n",
          file);
    put_log(file, "cb", sweep_figure_is_above(plan->low, plan->high));
    fprintf(file, "set cbrange [%s:", lab_number(plan->low - same).text);
    fprintf(file, "%s]\n", lab_number(plan->high + same).text);
    put_measure_label(file, plan, "cb");
}

static bool has_gaps(const plan *plan)
{
    const double *values = lab_swept_column(plan->swept, plan->swept->drawn);
    for (int p = 0; p < plan->swept->sweep->points; p++)
        if (!isfinite(values[p]) && !sweep_figure_has_diverged(plan, p))
            return true;
    return false;
}

// A ring, light inside dark, visible on every colour.
static void put_best(FILE *file, const plan *plan)
{
    static const char *const rings[] = {"pointsize 2.5 linewidth 4 linecolor rgb \"#000000\"",
                                        "pointsize 2.5 linewidth 1.5 linecolor rgb \"#ffffff\""};
    const int best = plan->swept->best;
    for (int i = 0; i < 2; i++) {
        fprintf(file, "set label \"\" at %s,",
                lab_number(plan->across->numbers[index_on(plan, plan->across, best)]).text);
        fprintf(file, "%s point pointtype 6 %s front\n",
                lab_number(plan->up->numbers[index_on(plan, plan->up, best)]).text, rings[i]);
    }
}

static void map_script(FILE *file, const void *context)
{
    const plan *plan = context;
    sweep_figure_put_label(file, "x", plan->across->key);
    sweep_figure_put_label(file, "y", plan->up->key);
    sweep_figure_put_range(file, "x", plan->across);
    sweep_figure_put_range(file, "y", plan->up);
    put_colours(file, plan);
    put_best(file, plan);
    const bool diverged = put_diverged(file, plan);
    fputs(
        "unset grid\n"
        "set key outside top center horizontal reverse Left samplen 1.5\n"
        "set object rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb "
        "\"#d9d9d9\" fillstyle solid noborder\n"
        "plot \"fig-sweep.csv\" using ($7 == $7 ? $1 : NaN):2:3:4:5:6:7 with boxxyerror "
        "linecolor palette fillstyle solid 1 notitle, \\\n"
        "     NaN with points pointtype 6 pointsize 1.5 linecolor rgb \"#000000\" title \"lowest\"",
        file);
    if (has_gaps(plan))
        fputs(", \\\n     NaN with boxes fillstyle solid 1 noborder linecolor rgb \"#d9d9d9\" "
              "title \"no result\"",
              file);
    put_diverged_key(file, diverged);
    fputc('\n', file);
}

// ---- the figure ------------------------------------------------------------------------------

// Space for the names of the curves, one per line: nine points per letter.
static void sweep_figure_make_room(const plan *plan, lab_figure *figure)
{
    figure->height += half_widths(plan) ? 20 : 0;
    for (int k = 0; plan->curves > 1 && k < plan->curves; k++) {
        char name[LONGEST_NAME];
        sweep_figure_name_curve(plan, k, name, sizeof name);
        const int needed = 180 + 9 * (int)strlen(name);
        figure->width = needed > figure->width ? needed : figure->width;
        figure->height += 20;
    }
}

lab_outcome lab_draw_sweep(lab_folder *folder, const lab_swept *swept, bool can_draw, lab_why *why)
{
    const plan plan = sweep_figure_make_plan(swept);
    const lab_figure map = {"fig-sweep", WIDTH, 520, map_data, map_script};
    lab_figure curves = {"fig-sweep", WIDTH, 440, curves_data, curves_script};
    if (plan.undrawn)
        return LAB_DONE;
    if (!plan.up)
        sweep_figure_make_room(&plan, &curves);
    return lab_gnuplot_figure(folder, plan.up ? &map : &curves, &plan, can_draw, why);
}
