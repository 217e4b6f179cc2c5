// SPDX-License-Identifier: Apache-2.0
#include "draw/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/quoted.h"
#include "draw/gnuplot.h"
#include "math/order.h"

enum {
    LONGEST_TITLE = 64, // bytes of a curve's name
    COLOURS = 6
};

void lab_comparison_free(lab_comparison *comparison)
{
    for (int i = 0; i < comparison->runs; i++) {
        lab_finished_free(&comparison->run[i]);
        free(comparison->name[i]);
    }
    free(comparison->shown);
    *comparison = (lab_comparison){0};
}

// ---- names -----------------------------------------------------------------------------------

static bool compare_is_taken(const lab_comparison *comparison, int runs, const char *name)
{
    for (int i = 0; i < runs; i++)
        if (strcmp(comparison->name[i], name) == 0)
            return true;
    return false;
}

// The last part of a path; "run" for one without a name, such as "..".
static char *last_part(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    size_t from = length;
    while (from > 0 && path[from - 1] != '/')
        from--;
    const bool none = strspn(path + from, ".") >= length - from;
    return none ? strdup("run") : strndup(path + from, length - from);
}

// A second run of the same name gets a -2, a third a -3.
static lab_outcome name_run(lab_comparison *comparison, int run, lab_why *why)
{
    char *plain = last_part(comparison->run[run].folder);
    const size_t size = plain ? strlen(plain) + 16 : 0;
    char *name = plain ? malloc(size) : NULL;
    if (name)
        snprintf(name, size, "%s", plain);
    for (int i = 2; name && compare_is_taken(comparison, run, name); i++)
        snprintf(name, size, "%s-%d", plain, i);
    free(plain);
    comparison->name[run] = name;
    return name ? LAB_DONE : lab_no_memory(why, NULL);
}

// ---- what is shown ---------------------------------------------------------------------------

static lab_outcome compare_show(lab_comparison *comparison, int run, int rule, lab_why *why)
{
    lab_shown *shown = realloc(comparison->shown, ((size_t)comparison->count + 1) * sizeof *shown);
    if (!shown)
        return lab_no_memory(why, NULL);
    comparison->shown = shown;
    comparison->shown[comparison->count++] = (lab_shown){.run = run, .rule = rule};
    return LAB_DONE;
}

lab_outcome lab_comparison_make(lab_comparison *comparison, int runs, const char *const *folders,
                                lab_why *why)
{
    *comparison = (lab_comparison){0};
    if (runs < 2 || runs > LAB_MAX_RUNS)
        return lab_refuse(why, "compare needs 2 to %d result folders; %d given", LAB_MAX_RUNS,
                          runs);
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < runs; i++) {
        comparison->runs++; // before reading, so that a partly read run is freed
        outcome = lab_finished_read(&comparison->run[i], folders[i], why);
        if (outcome == LAB_DONE)
            outcome = name_run(comparison, i, why);
        if (outcome == LAB_DONE)
            outcome = compare_show(comparison, i, comparison->run[i].main_rule, why);
    }
    return outcome;
}

static lab_outcome show_all(lab_comparison *comparison, int run, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < comparison->run[run].rules; i++)
        outcome = compare_show(comparison, run, i, why);
    return outcome;
}

static lab_outcome show_rule(lab_comparison *comparison, int run, const char *name, lab_why *why)
{
    int rule;
    lab_outcome outcome = lab_finished_find_rule(&comparison->run[run], name, &rule, why);
    return outcome == LAB_DONE ? compare_show(comparison, run, rule, why) : outcome;
}

lab_outcome lab_comparison_show(lab_comparison *comparison, const char *rule, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    comparison->count = 0;
    for (int i = 0; outcome == LAB_DONE && i < comparison->runs; i++)
        outcome = rule ? show_rule(comparison, i, rule, why) : show_all(comparison, i, why);
    return outcome;
}

// ---- compare.csv -----------------------------------------------------------------------------

static void compare_name_curve(const lab_comparison *comparison, int run, int rule, char *text,
                               size_t size)
{
    snprintf(text, size, "%s:%s", comparison->name[run], comparison->run[run].rule[rule]);
}

static int max_trials_of(const lab_comparison *comparison)
{
    int most = 0;
    for (int i = 0; i < comparison->runs; i++)
        most = comparison->run[i].trials > most ? comparison->run[i].trials : most;
    return most;
}

static void compare_put_names(FILE *file, const lab_comparison *comparison)
{
    fputs("trial", file);
    for (int run = 0; run < comparison->runs; run++)
        for (int rule = 0; rule < comparison->run[run].rules; rule++) {
            char name[512];
            compare_name_curve(comparison, run, rule, name, sizeof name);
            fputc(',', file);
            lab_put_field(file, name);
        }
    fputc('\n', file);
}

lab_outcome lab_write_comparison(lab_folder *folder, const lab_comparison *comparison, lab_why *why)
{
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "compare.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    compare_put_names(file, comparison);
    for (int trial = 1; trial <= max_trials_of(comparison); trial++) {
        fprintf(file, "%d", trial);
        for (int i = 0; i < comparison->runs; i++) {
            const lab_finished *run = &comparison->run[i];
            for (int rule = 0; rule < run->rules; rule++)
                fprintf(file, ",%s", lab_number(lab_finished_rrmse(run, rule, trial)).text);
        }
        fputc('\n', file);
    }
    return lab_folder_close(folder, file, why);
}

// ---- fig-compare -----------------------------------------------------------------------------

// The column of compare.csv, from 1.
static int compare_column_of(const lab_comparison *comparison, const lab_shown *shown)
{
    int column = 2 + shown->rule;
    for (int i = 0; i < shown->run; i++)
        column += comparison->run[i].rules;
    return column;
}

// Minimum and maximum finite value of what is shown.
static void compare_curve_range(const lab_comparison *comparison, double *low, double *high)
{
    *low = 1;
    *high = 1;
    for (int i = 0; i < comparison->count; i++) {
        const lab_finished *run = &comparison->run[comparison->shown[i].run];
        for (int trial = 1; trial <= run->trials; trial++) {
            const double value = lab_finished_rrmse(run, comparison->shown[i].rule, trial);
            if (isfinite(value) && value > 0) {
                *low = cfpci_min(*low, value);
                *high = cfpci_max(*high, value);
            }
        }
    }
}

// The name of a curve in the figure.
static void title_curve(const lab_comparison *comparison, const lab_shown *shown, char *text,
                        size_t size)
{
    char name[LONGEST_TITLE];
    const int diverged_at = comparison->run[shown->run].diverged_at[shown->rule];
    compare_name_curve(comparison, shown->run, shown->rule, name, sizeof name);
    if (diverged_at > 0)
        snprintf(text, size, "%s (diverged at trial %d)", name, diverged_at);
    else
        snprintf(text, size, "%s", name);
}

static void compare_script(FILE *file, const void *context)
{
    const lab_comparison *comparison = context;
    double low, high;
    compare_curve_range(comparison, &low, &high);
    lab_gnuplot_learning(file, low, high);
    fputs("set key noenhanced\n"
          "plot 1 with lines linetype 9 linecolor rgb \"#999999\" dashtype 3 title \"reactive\"",
          file);
    for (int i = 0; i < comparison->count; i++) {
        char name[2 * LONGEST_TITLE];
        title_curve(comparison, &comparison->shown[i], name, sizeof name);
        fprintf(file,
                ", \\\n     \"compare.csv\" using 1:%d with linespoints linetype %d dashtype %d "
                "pointtype %d pointsize 0.5 title ",
                compare_column_of(comparison, &comparison->shown[i]), i % COLOURS + 1,
                i / COLOURS + 1, i % 4 * 2 + 5);
        lab_gnuplot_text(file, name);
    }
    fputc('\n', file);
}

// Nine points per letter, one name per line.
static lab_figure make_figure(const lab_comparison *comparison)
{
    lab_figure figure = {"fig-compare", 0, 60 + 26 * (comparison->count + 1), NULL, compare_script};
    size_t longest = strlen("reactive");
    for (int i = 0; i < comparison->count; i++) {
        char name[2 * LONGEST_TITLE];
        title_curve(comparison, &comparison->shown[i], name, sizeof name);
        longest = strlen(name) > longest ? strlen(name) : longest;
    }
    figure.width = 620 + 9 * (int)longest;
    figure.height = figure.height > 420 ? figure.height : 420;
    return figure;
}

lab_outcome lab_draw_comparison(lab_folder *folder, const lab_comparison *comparison, bool can_draw,
                                lab_why *why)
{
    const lab_figure figure = make_figure(comparison);
    return lab_gnuplot_figure(folder, &figure, comparison, can_draw, why);
}
