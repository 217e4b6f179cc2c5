// SPDX-License-Identifier: Apache-2.0
// fig-tuning: every evaluation of every rule that was tuned, one panel per constant, with the
// values that were chosen; tuning.csv has the numbers.
#include <math.h>
#include <string.h>

#include "draw/figures.h"
#include "draw/gnuplot.h"
#include "math/elementary.h"
#include "math/order.h"
#include "spec/constants.h"
#include "spec/rows.h"
#include "write/standings.h"

// rRMSE: what is above or below is drawn there.
#define CEILING 10.
#define FLOOR 1e-4

enum {
    PANEL_WIDTH = 230,
    PANEL_HEIGHT = 150,
    LEFT = 74, // around the panels
    RIGHT = 20,
    TOP = 70,
    BOTTOM = 58,
    BESIDE = 68, // between them
    BELOW = 88,
    MOST_KEYS = 512 // 64 rules of 8 constants
};

// ---- the table -------------------------------------------------------------------------------

// The keys of all rules, each once, in the order in which they come.
typedef struct key_list {
    int count;
    const char *keys[MOST_KEYS];
} key_list;

static int find_key(const key_list *list, const char *key)
{
    int i = 0;
    while (i < list->count && strcmp(list->keys[i], key) != 0)
        i++;
    return i;
}

static key_list tuning_figure_list_keys(const lab_record *record)
{
    key_list list = {0};
    for (int r = 0; r < record->rules; r++) {
        const lab_tuning *tuning = lab_tuning_of(record, r);
        for (int i = 0; tuning && i < tuning->constants; i++)
            if (find_key(&list, tuning->keys[i].text) == list.count && list.count < MOST_KEYS)
                list.keys[list.count++] = tuning->keys[i].text;
    }
    return list;
}

// One row per evaluation of a rule; errors between floor and ceiling. A rule without such a
// constant has none.
static void put_values(FILE *file, const lab_record *record, double least, double ceiling)
{
    const key_list list = tuning_figure_list_keys(record);
    fputs("rule,evaluation,chosen,rrmse", file);
    for (int i = 0; i < list.count; i++)
        fprintf(file, ",%s", list.keys[i]);
    fputc('\n', file);
    for (int r = 0; r < record->rules; r++) {
        const lab_tuning *tuning = lab_tuning_of(record, r);
        for (int k = 0; tuning && k < tuning->evaluations; k++) {
            fprintf(file, "%s,%d,%d", record->rule[r].name, k + 1, k == tuning->best);
            lab_put_number(file, cfpci_max(least, cfpci_min(ceiling, tuning->error[k])));
            for (int i = 0; i < list.count; i++) {
                int constant = 0;
                while (constant < tuning->constants &&
                       strcmp(tuning->keys[constant].text, list.keys[i]) != 0)
                    constant++;
                lab_put_number(file, constant < tuning->constants
                                         ? tuning->values[k * tuning->constants + constant]
                                         : NAN);
            }
            fputc('\n', file);
        }
    }
}

static void all_values(FILE *file, const void *context)
{
    put_values(file, ((const lab_result *)context)->record, 0, INFINITY);
}

lab_outcome lab_write_tuning(lab_folder *folder, const lab_result *result, lab_why *why)
{
    return lab_put_file(folder, "tuning.csv", all_values, result, why);
}

// ---- the figure ------------------------------------------------------------------------------

static void tuning_figure_data(FILE *file, const void *context)
{
    put_values(file, ((const lab_result *)context)->record, FLOOR, CEILING);
}

// Rules that were tuned in a case, and the most constants of one: a row of panels each.
typedef struct block {
    int rules, constants;
    int width, height; // of the grid of all, in points
} block;

static block block_of(const lab_result *result, int in_case)
{
    block found = {0};
    for (int i = 0; i < result->record->rules; i++) {
        const lab_tuning *tuning = lab_tuning_of(result->record, i);
        if (!tuning || lab_case_of(result->spec, i) != in_case)
            continue;
        found.rules++;
        found.constants = tuning->constants > found.constants ? tuning->constants : found.constants;
    }
    return found;
}

// The grid of panels: a row per rule of a case, the cases side by side.
static block grid_of(const lab_result *result)
{
    block grid = {0};
    for (int k = 0; k < lab_case_count(result->spec); k++) {
        const block of = block_of(result, k);
        grid.rules = of.rules > grid.rules ? of.rules : grid.rules;
        grid.constants += of.constants;
    }
    grid.width = LEFT + RIGHT + (grid.constants - 1) * (PANEL_WIDTH + BESIDE) + PANEL_WIDTH;
    grid.height = TOP + BOTTOM + (grid.rules - 1) * (PANEL_HEIGHT + BELOW) + PANEL_HEIGHT;
    return grid;
}

// The n-th rule that was tuned in a case, -1 if there is none.
static int tuned_rule(const lab_result *result, int in_case, int n)
{
    for (int i = 0; i < result->record->rules; i++)
        if (lab_tuning_of(result->record, i) && lab_case_of(result->spec, i) == in_case && n-- == 0)
            return i;
    return -1;
}

// The axis of a constant: its range as the spec gives it, or that of the rates.
static void put_axis(FILE *file, const lab_result *result, int rule, int constant)
{
    const lab_rule_spec *rule_spec = &lab_rules(result->spec)[rule];
    const lab_tuning *tuning = lab_tuning_of(result->record, rule);
    const lab_constant_spec *given =
        rule_spec->tune.count > 0 ? &lab_constants(rule_spec)[constant] : NULL;
    const int last = tuning->evaluations - 1;
    const double low = given ? given->low : tuning->values[0] * (last > 0 ? 1 : 0.5),
                 high = given ? given->high : tuning->values[last] * (last > 0 ? 1 : 2);
    const bool is_log = !given || given->scale == LAB_SCALE_LOG;
    fprintf(file, "%s logscale x\nset format x \"%s\"\nset xrange [%g:%g]\nset xlabel ",
            is_log ? "set" : "unset", is_log && high > 1e3 * low ? "10^{%T}" : "%g", low, high);
    lab_gnuplot_text(file, given ? given->key : "rate, in units of 1/λmax");
    fputs(" noenhanced offset 0,0.5 font small\n", file);
}

static void tuning_figure_put_panel(FILE *file, const lab_result *result, int rule, int constant)
{
    const lab_record *record = result->record;
    const lab_tuning *tuning = rule >= 0 ? lab_tuning_of(record, rule) : NULL;
    if (!tuning || constant >= tuning->constants) {
        fputs("set multiplot next\n", file);
        return;
    }
    const key_list list = tuning_figure_list_keys(record);
    const int column = 5 + find_key(&list, tuning->keys[constant].text);
    const double least = tuning->error[tuning->best];
    const double low =
        least > 0 ? cfpci_min(0.1, cfpci_pow(10, floor(cfpci_log10(cfpci_max(FLOOR, least)))))
                  : FLOOR;
    int first = 0; // row of the rule in the data
    for (int i = 0; i < rule; i++)
        first += lab_tuning_of(record, i) ? lab_tuning_of(record, i)->evaluations : 0;
    const int best = first + tuning->best;
    fputs("set title ", file);
    lab_gnuplot_text(file, constant == 0 ? record->rule[rule].name : "");
    fputs(" noenhanced\n", file);
    put_axis(file, result, rule, constant);
    fprintf(file,
            "set yrange [%g:%g]\nplot \"fig-tuning.csv\" skip 1 every ::%d::%d using %d:4 with "
            "points linetype 1 pointtype 7 pointsize 0.25 notitle, \\\n     \"\" skip 1 every "
            "::%d::%d using %d:4 with points linetype 2 pointtype 6 pointsize 1.6 linewidth 2 "
            "notitle\n",
            low, CEILING, first, first + tuning->evaluations - 1, column, best, best, column);
}

// All panels are of the same size; letters are smaller than elsewhere, in both formats.
static void tuning_figure_script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_spec *spec = result->spec;
    const block grid = grid_of(result);
    const int trials = spec->phases.count ? lab_phases(spec)[0].trials : spec->learning.trials;
    const double width = grid.width, height = grid.height;
    char decides[64];
    snprintf(decides, sizeof decides,
             spec->tune.by == LAB_TUNE_BY_MEAN ? "mean of trials 1 to %d" : "trial %d", trials);
    fprintf(
        file,
        "small = format eq \"svg\" ? \",10\" : \",20\"\n"
        "set multiplot layout %d,%d margins %.4f,%.4f,%.4f,%.4f spacing %.4f,%.4f title \"rRMSE "
        "of every evaluation, %s (cut off at %g); circle: chosen\"\n"
        "set logscale y\nset format y \"%%g\"\nset tics scale 0.5 font small\nunset key\n"
        "set title offset 0,-0.6\n",
        grid.rules, grid.constants, LEFT / width, 1 - RIGHT / width, BOTTOM / height,
        1 - TOP / height, BESIDE / width, BELOW / height, decides, CEILING);
    for (int row = 0; row < grid.rules; row++)
        for (int k = 0; k < lab_case_count(spec); k++)
            for (int i = 0; i < block_of(result, k).constants; i++)
                tuning_figure_put_panel(file, result, tuned_rule(result, k, row), i);
    fputs("unset multiplot\n", file);
}

lab_outcome lab_draw_tuning(lab_folder *folder, const lab_result *result, bool can_draw,
                            lab_why *why)
{
    const block grid = grid_of(result);
    const lab_figure figure = {"fig-tuning", grid.width, grid.height, tuning_figure_data,
                               tuning_figure_script};
    return lab_gnuplot_figure(folder, &figure, result, can_draw, why);
}
