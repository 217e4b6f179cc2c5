// SPDX-License-Identifier: Apache-2.0
// sweep_figure: fig-sweep, as curves or as a map.
#include "draw/figures.h"

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
    const double *values;   // of the measure that is drawn, of each point
    const double *widths;   // half the 95 % interval of each; NULL: every point is a single run
    const lab_axis *across; // along the x axis; NULL: there is no figure
    const lab_axis *up;     // along the y axis of a map; NULL for curves
    int stride;             // points from one value of `across` to the next
    int curves;             // how many
    double low, high;       // of the finite values that are drawn
    bool is_cut;            // some values are above
    const char *undrawn;    // why there is no figure
} plan;

// ---- the plan --------------------------------------------------------------------------------

static bool sweep_figure_is_above(double low, double high)
{
    return low > 0 && high > TWO_DECADES * low;
}

typedef struct extent {
    double low, high;
} extent;

static extent extent_of(const lab_axis *axis)
{
    extent of = {axis->numbers[0], axis->numbers[0]};
    for (int i = 1; i < axis->count; i++) {
        of.low = cfpci_min(of.low, axis->numbers[i]);
        of.high = cfpci_max(of.high, axis->numbers[i]);
    }
    return of;
}

static bool is_log(const lab_axis *axis)
{
    return sweep_figure_is_above(extent_of(axis).low, extent_of(axis).high);
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

static plan sweep_figure_make_plan(const lab_swept *swept)
{
    const lab_grid *grid = swept->sweep->grid;
    plan drawn = {.swept = swept, .values = lab_swept_column(swept, swept->drawn)};
    if (swept->half_width >= 0)
        drawn.widths = lab_swept_column(swept, swept->half_width);
    choose_axes(&drawn);
    double most = drawn.low = swept->best < 0 ? 0 : drawn.values[swept->best];
    for (int p = 0; p < swept->sweep->points; p++)
        if (isfinite(drawn.values[p]))
            most = cfpci_max(most, drawn.values[p]);
    drawn.high = most;
    if (strcmp(lab_unit(swept->names[swept->drawn]), "rRMSE") == 0 && drawn.low < WORST_RRMSE)
        drawn.high = cfpci_min(most, WORST_RRMSE);
    drawn.is_cut = most > drawn.high;
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
    snprintf(text, sizeof text, "%s%s", plan->swept->names[plan->swept->drawn],
             plan->is_cut ? " (up to 100)" : "");
    sweep_figure_put_label(file, of, text);
}

// Where a point is along an axis.
static int index_on(const plan *plan, const lab_axis *axis, int point)
{
    const lab_grid *grid = plan->swept->sweep->grid;
    return lab_grid_index(grid, (int)(axis - grid->axes), point);
}

// Begins a label without text, at a point; at the top where there is no second axis.
static void put_spot(FILE *file, const plan *plan, int point)
{
    fprintf(file, "set label \"\" at %s,",
            lab_number(plan->across->numbers[index_on(plan, plan->across, point)]).text);
    if (plan->up)
        fputs(lab_number(plan->up->numbers[index_on(plan, plan->up, point)]).text, file);
    else
        fputs("graph 0.97", file);
}

// Whether the measure is missing at a point because a rule diverged there.
static bool sweep_figure_has_diverged(const plan *plan, int point)
{
    return !isfinite(plan->values[point]) && lab_point_diverged(&plan->swept->sweep->point[point]);
}

// A cross at every such point; whether there is any.
static bool put_diverged(FILE *file, const plan *plan)
{
    bool any = false;
    for (int p = 0; p < plan->swept->sweep->points; p++)
        if (sweep_figure_has_diverged(plan, p)) {
            put_spot(file, plan, p);
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

static void curves_data(FILE *file, const void *context)
{
    const plan *plan = context;
    fputs("# value", file);
    for (int k = 0; k < plan->curves; k++)
        fprintf(file, ",curve_%d", k + 1);
    for (int k = 0; plan->widths && k < plan->curves; k++)
        fprintf(file, ",half_width_%d", k + 1);
    fputc('\n', file);
    for (int i = -1; (i = next_value(plan->across, i)) >= 0;) {
        fputs(lab_number(plan->across->numbers[i]).text, file);
        for (int k = 0; k < plan->curves; k++)
            lab_put_number(file, plan->values[sweep_figure_point_of(plan, k, i)]);
        for (int k = 0; plan->widths && k < plan->curves; k++)
            lab_put_number(file, plan->widths[sweep_figure_point_of(plan, k, i)]);
        fputc('\n', file);
    }
}

static void curves_script(FILE *file, const void *context)
{
    const plan *plan = context;
    const extent across = extent_of(plan->across);
    sweep_figure_put_label(file, "x", plan->across->key);
    put_measure_label(file, plan, "y");
    put_log(file, "x", is_log(plan->across));
    put_log(file, "y", sweep_figure_is_above(plan->low, plan->high));
    fprintf(file, "set xrange [%s:%s]\n", lab_number(across.low).text,
            lab_number(across.high).text);
    if (plan->is_cut)
        fprintf(file, "set yrange [*:%g]\n", plan->high);
    else
        fputs("set offsets 0, 0, graph 0.05, graph 0.05\n", file);
    const bool diverged = put_diverged(file, plan);
    fputs("set key tmargin left vertical maxcols 1 reverse Left samplen 2 noenhanced\nplot ", file);
    for (int k = 0; plan->widths && k < plan->curves; k++) // bars under the curves
        fprintf(
            file,
            "\"fig-sweep.csv\" using 1:%d:%d with yerrorbars linetype %d pointtype -1 linewidth "
            "1.5 %s, \\\n     ",
            k + 2, plan->curves + k + 2, lab_gnuplot_linetype(k),
            k > 0 ? "notitle" : "title \"95 % interval of the mean\"");
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

// The limits of the cell of a value: half-way to its neighbours on the axis's scale. Where it has
// none, as far beyond it as the other one lies before it.
static extent cell_of(const lab_axis *axis, int index)
{
    const bool log = is_log(axis);
    const double here = axis->numbers[index];
    double before = -INFINITY, after = INFINITY;
    for (int i = 0; i < axis->count; i++) {
        const double other = axis->numbers[i];
        before = other < here ? cfpci_max(before, other) : before;
        after = other > here ? cfpci_min(after, other) : after;
    }
    if (!isfinite(before)) // gnuplot's end is near 1e307
        before = log ? cfpci_min(here * (here / after), 1e305) : 2 * here - after;
    if (!isfinite(after))
        after = log ? cfpci_min(here * (here / before), 1e305) : 2 * here - before;
    return log ? (extent){sqrt(before) * sqrt(here), sqrt(here) * sqrt(after)}
               : (extent){(before + here) / 2, (here + after) / 2};
}

static void map_data(FILE *file, const void *context)
{
    const plan *plan = context;
    fputs("# x,y,x_from,x_to,y_from,y_to,value\n", file);
    for (int p = 0; p < plan->swept->sweep->points; p++) {
        const int x = index_on(plan, plan->across, p), y = index_on(plan, plan->up, p);
        const extent wide = cell_of(plan->across, x), high = cell_of(plan->up, y);
        const double rest[] = {plan->up->numbers[y],
                               wide.low,
                               wide.high,
                               high.low,
                               high.high,
                               isfinite(plan->values[p]) ? plan->values[p] : NAN};
        fputs(lab_number(plan->across->numbers[x]).text, file);
        for (int i = 0; i < 6; i++)
            lab_put_number(file, rest[i]);
        fputc('\n', file);
    }
}

// From the first cell's beginning to the last one's end.
static void sweep_figure_put_range(FILE *file, const char *of, const lab_axis *axis)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < axis->count; i++) {
        const extent cell = cell_of(axis, i);
        low = cfpci_min(low, cell.low);
        high = cfpci_max(high, cell.high);
    }
    put_log(file, of, is_log(axis));
    fprintf(file, "set %srange [%s:%s]\n", of, lab_number(low).text, lab_number(high).text);
}

// The viridis colours, which increase in lightness also for colour-blind readers.
static void put_colours(FILE *file, const plan *plan)
{
    const double same = plan->high > plan->low ? 0 : 0.01 * cfpci_max(fabs(plan->low), 1e-9);
    fputs("set palette defined (0 \"#440154\", 1 \"#472c7a\", 2 \"#3b518b\", 3 \"#2c718e\", \\\n"
          "    4 \"#21908d\", 5 \"#27ad81\", 6 \"#5cc863\", 7 \"#aadc32\", 8 \"#fde725\")\n",
          file);
    put_log(file, "cb", sweep_figure_is_above(plan->low, plan->high));
    fprintf(file, "set cbrange [%s:%s]\n", lab_number(plan->low - same).text,
            lab_number(plan->high + same).text);
    put_measure_label(file, plan, "cb");
}

static void map_script(FILE *file, const void *context)
{
    const plan *plan = context;
    sweep_figure_put_label(file, "x", plan->across->key);
    sweep_figure_put_label(file, "y", plan->up->key);
    sweep_figure_put_range(file, "x", plan->across);
    sweep_figure_put_range(file, "y", plan->up);
    put_colours(file, plan);
    for (int i = 0; i < 2; i++) { // a ring, light inside dark, visible on every colour
        put_spot(file, plan, plan->swept->best);
        fprintf(file, " point pointtype 6 pointsize 2.5 linewidth %s front\n",
                i == 0 ? "4 linecolor rgb \"#000000\"" : "1.5 linecolor rgb \"#ffffff\"");
    }
    const bool diverged = put_diverged(file, plan);
    bool has_gaps = false;
    for (int p = 0; p < plan->swept->sweep->points; p++)
        has_gaps |= !isfinite(plan->values[p]) && !sweep_figure_has_diverged(plan, p);
    fputs(
        "unset grid\n"
        "set key outside top center horizontal reverse Left samplen 1.5\n"
        "set object rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb "
        "\"#d9d9d9\" fillstyle solid noborder\n"
        "plot \"fig-sweep.csv\" using ($7 == $7 ? $1 : NaN):2:3:4:5:6:7 with boxxyerror "
        "linecolor palette fillstyle solid 1 notitle, \\\n"
        "     NaN with points pointtype 6 pointsize 1.5 linecolor rgb \"#000000\" title \"lowest\"",
        file);
    if (has_gaps)
        fputs(", \\\n     NaN with boxes fillstyle solid 1 noborder linecolor rgb \"#d9d9d9\" "
              "title \"no result\"",
              file);
    put_diverged_key(file, diverged);
    fputc('\n', file);
}

// ---- the figure ------------------------------------------------------------------------------

lab_outcome lab_draw_sweep(lab_folder *folder, const lab_swept *swept, bool can_draw, lab_why *why)
{
    const plan plan = sweep_figure_make_plan(swept);
    const lab_figure map = {"fig-sweep", WIDTH, 520, map_data, map_script};
    lab_figure curves = {"fig-sweep", WIDTH, plan.widths ? 460 : 440, curves_data, curves_script};
    if (plan.undrawn)
        return LAB_DONE;
    for (int k = 0; !plan.up && plan.curves > 1 && k < plan.curves; k++) {
        char name[LONGEST_NAME]; // one per line, nine points per letter
        sweep_figure_name_curve(&plan, k, name, sizeof name);
        const int needed = 180 + 9 * (int)strlen(name);
        curves.width = needed > curves.width ? needed : curves.width;
        curves.height += 20;
    }
    return lab_gnuplot_figure(folder, plan.up ? &map : &curves, &plan, can_draw, why);
}
