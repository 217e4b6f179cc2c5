// SPDX-License-Identifier: Apache-2.0
// fig-tuning: every evaluation of every rule that was tuned, one panel per constant, with the
// values that were chosen; tuning.csv has the numbers.
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "draw/tuning_figure.h"
#include "spec/constants.h"
#include "spec/rows.h"
#include "write/standings.h"

#define CEILING 10. // rRMSE: what is above is drawn there

enum { PANEL_WIDTH = 250, PANEL_HEIGHT = 165, MOST_KEYS = 64 };

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

static key_list list_keys(const lab_record *record)
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

// The value of a key in an evaluation, NAN if the rule has no such constant.
static double value_of(const lab_tuning *tuning, int k, const char *key)
{
    for (int i = 0; i < tuning->constants; i++)
        if (strcmp(tuning->keys[i].text, key) == 0)
            return tuning->values[k * tuning->constants + i];
    return NAN;
}

static void put_rule(FILE *file, const char *name, const lab_tuning *tuning, const key_list *list,
                     double ceiling)
{
    for (int k = 0; k < tuning->evaluations; k++) {
        fprintf(file, "%s,%d,%d,%s", name, k + 1, k == tuning->best,
                lab_number(fmin(ceiling, tuning->error[k])).text);
        for (int i = 0; i < list->count; i++)
            fprintf(file, ",%s", lab_number(value_of(tuning, k, list->keys[i])).text);
        fputc('\n', file);
    }
}

// One row per evaluation of a rule.
static void put_values(FILE *file, const lab_record *record, double ceiling)
{
    const key_list list = list_keys(record);
    fputs("rule,evaluation,chosen,rrmse", file);
    for (int i = 0; i < list.count; i++)
        fprintf(file, ",%s", list.keys[i]);
    fputc('\n', file);
    for (int r = 0; r < record->rules; r++)
        if (lab_tuning_of(record, r))
            put_rule(file, record->rule[r].name, lab_tuning_of(record, r), &list, ceiling);
}

lab_outcome lab_write_tuning(lab_folder *folder, const lab_result *result, lab_why *why)
{
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "tuning.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    put_values(file, result->record, INFINITY);
    return lab_folder_close(folder, file, why);
}

// ---- the figure ------------------------------------------------------------------------------

static void data(FILE *file, const void *context)
{
    const lab_result *result = context;
    put_values(file, result->record, CEILING);
}

// Rules that were tuned in a case, and the most constants of one.
typedef struct block {
    int rules, constants;
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

// The row of the data at which a rule begins.
static int first_row(const lab_record *record, int rule)
{
    int row = 0;
    for (int i = 0; i < rule; i++)
        row += lab_tuning_of(record, i) ? lab_tuning_of(record, i)->evaluations : 0;
    return row;
}

// The axis of a constant: its range as the spec gives it, or that of the rates.
static void put_axis(FILE *file, const lab_result *result, int rule, int constant)
{
    const lab_rule_spec *of = &lab_rules(result->spec)[rule];
    const lab_tuning *tuning = lab_tuning_of(result->record, rule);
    const lab_constant_spec *given = of->tune.count > 0 ? &lab_constants(of)[constant] : NULL;
    const int last = tuning->evaluations - 1;
    const double low = given ? given->low : tuning->values[0] * (last > 0 ? 1 : 0.5),
                 high = given ? given->high : tuning->values[last] * (last > 0 ? 1 : 2);
    fprintf(file, "%s logscale x\nset xrange [%g:%g]\nset xlabel ",
            given && given->scale == LAB_SCALE_LINEAR ? "unset" : "set", low, high);
    lab_gnuplot_text(file, given ? given->key : "rate, in units of 1/λmax");
    fputs(" noenhanced offset 0,0.6\n", file);
}

static void put_panel(FILE *file, const lab_result *result, int rule, int constant)
{
    const lab_record *record = result->record;
    const lab_tuning *tuning = rule >= 0 ? lab_tuning_of(record, rule) : NULL;
    if (!tuning || constant >= tuning->constants) {
        fputs("set multiplot next\n", file);
        return;
    }
    const key_list list = list_keys(record);
    const int column = 5 + find_key(&list, tuning->keys[constant].text),
              first = first_row(record, rule);
    fputs("set title ", file);
    lab_gnuplot_text(file, constant == 0 ? record->rule[rule].name : "");
    fputs(" noenhanced\n", file);
    put_axis(file, result, rule, constant);
    fprintf(file,
            "plot \"fig-tuning.csv\" skip 1 every ::%d::%d using %d:4 with points linetype 1 "
            "pointtype 7 pointsize 0.25 notitle, \\\n     \"\" skip 1 every ::%d::%d using %d:4 "
            "with points linetype 2 pointtype 6 pointsize 1.2 linewidth 1.5 notitle\n",
            first, first + tuning->evaluations - 1, column, first + tuning->best,
            first + tuning->best, column);
}

// The lowest error of all, as the start of the axis.
static double lowest(const lab_record *record)
{
    double least = 0.1;
    for (int i = 0; i < record->rules; i++) {
        const lab_tuning *tuning = lab_tuning_of(record, i);
        if (tuning && tuning->error[tuning->best] > 0)
            least = fmin(least, tuning->error[tuning->best]);
    }
    return pow(10, fmax(-6, floor(log10(least))));
}

static void script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_spec *spec = result->spec;
    const block grid = grid_of(result);
    const int trials = spec->phases.count ? lab_phases(spec)[0].trials : spec->learning.trials;
    fprintf(file, "set multiplot layout %d,%d title \"every evaluation: rRMSE, ",
            grid.rules > 0 ? grid.rules : 1, grid.constants > 0 ? grid.constants : 1);
    fprintf(file, spec->tune.by == LAB_TUNE_BY_MEAN ? "mean of trials 1 to %d" : "trial %d",
            trials);
    fprintf(file,
            " (cut off at %g); circle: chosen\"\nset logscale y\nset format y \"%%g\"\n"
            "set yrange [%g:%g]\nset tics font \",9\"\nset xlabel font \",10\"\n"
            "set title font \",11\" offset 0,-0.7\nunset key\n",
            CEILING, lowest(result->record), CEILING);
    for (int row = 0; row < grid.rules; row++)
        for (int k = 0; k < lab_case_count(spec); k++)
            for (int i = 0; i < block_of(result, k).constants; i++)
                put_panel(file, result, tuned_rule(result, k, row), i);
    fputs("unset multiplot\n", file);
}

lab_outcome lab_draw_tuning(lab_folder *folder, const lab_result *result, bool can_draw,
                            lab_why *why)
{
    const block grid = grid_of(result);
    const int columns = grid.constants > 2 ? grid.constants : 2, rows = grid.rules;
    const lab_figure figure = {.name = "fig-tuning",
                               .width = PANEL_WIDTH * columns,
                               .height = 40 + PANEL_HEIGHT * (rows > 0 ? rows : 1),
                               .data = data,
                               .script = script};
    return lab_gnuplot_figure(folder, &figure, result, can_draw, why);
}
