// SPDX-License-Identifier: Apache-2.0
#include "draw/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/quoted.h"
#include "draw/gnuplot.h"

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

static bool compare_is_taken(const lab_comparison *comparison, int runs, const char *name)
{
    bool is_taken = false;
    for (int i = 0; i < runs; i++)
        is_taken |= strcmp(comparison->name[i], name) == 0;
    return is_taken;
}

// A second run of the same name gets a -2, a third a -3.
static lab_outcome name_run(lab_comparison *comparison, int run, lab_why *why)
{
    char *plain = last_part(comparison->run[run].folder);
    const size_t size = plain ? strlen(plain) + 16 : 0;
    char *name = plain ? malloc(size) : NULL;
    if (name)
        snprintf(name, size, "%s", plain);
    for (int number = 2; name && compare_is_taken(comparison, run, name); number++)
        snprintf(name, size, "%s-%d", plain, number);
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

lab_outcome lab_comparison_show(lab_comparison *comparison, const char *rule, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    comparison->count = 0;
    for (int i = 0; outcome == LAB_DONE && i < comparison->runs; i++) {
        int first = 0, end = comparison->run[i].rules;
        if (rule) {
            outcome = lab_finished_find_rule(&comparison->run[i], rule, &first, why);
            end = first + 1;
        }
        for (int k = first; outcome == LAB_DONE && k < end; k++)
            outcome = compare_show(comparison, i, k, why);
    }
    return outcome;
}

// ---- compare.csv -----------------------------------------------------------------------------

static void compare_name_curve(const lab_comparison *comparison, int run, int rule, char *text,
                               size_t size)
{
    snprintf(text, size, "%s:%s", comparison->name[run], comparison->run[run].rule[rule]);
}

// All rules of all runs.
static void comparison_data(FILE *file, const void *context)
{
    const lab_comparison *comparison = context;
    int trials = 0;
    fputs("trial", file);
    for (int i = 0; i < comparison->runs; i++) {
        trials = comparison->run[i].trials > trials ? comparison->run[i].trials : trials;
        for (int rule = 0; rule < comparison->run[i].rules; rule++) {
            char name[512];
            compare_name_curve(comparison, i, rule, name, sizeof name);
            fputc(',', file);
            lab_put_field(file, name);
        }
    }
    fputc('\n', file);
    for (int trial = 1; trial <= trials; trial++) {
        fprintf(file, "%d", trial);
        for (int i = 0; i < comparison->runs; i++)
            for (int rule = 0; rule < comparison->run[i].rules; rule++)
                lab_put_number(file, lab_finished_rrmse(&comparison->run[i], rule, trial));
        fputc('\n', file);
    }
}

lab_outcome lab_write_comparison(lab_folder *folder, const lab_comparison *comparison, lab_why *why)
{
    return lab_put_file(folder, "compare.csv", comparison_data, comparison, why);
}

// ---- fig-compare -----------------------------------------------------------------------------

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
    double low = 1, high = 1;
    for (int i = 0; i < comparison->count; i++) {
        const lab_shown *shown = &comparison->shown[i];
        const lab_finished *run = &comparison->run[shown->run];
        for (int trial = 1; trial <= run->trials; trial++)
            lab_gnuplot_widen(&low, &high, lab_finished_rrmse(run, shown->rule, trial));
    }
    lab_gnuplot_learning(file, low, high);
    fputs("set key noenhanced\n"
          "plot 1 with lines linetype 9 linecolor rgb \"#999999\" dashtype 3 title \"reactive\"",
          file);
    for (int i = 0; i < comparison->count; i++) {
        const lab_shown *shown = &comparison->shown[i];
        char name[2 * LONGEST_TITLE];
        int column = 2 + shown->rule; // of compare.csv, from 1
        for (int k = 0; k < shown->run; k++)
            column += comparison->run[k].rules;
        title_curve(comparison, shown, name, sizeof name);
        fprintf(file,
                ", \\\n     \"compare.csv\" using 1:%d with linespoints linetype %d dashtype %d "
                "pointtype %d pointsize 0.5 title ",
                column, i % COLOURS + 1, i / COLOURS + 1, i % 4 * 2 + 5);
        lab_gnuplot_text(file, name);
    }
    fputc('\n', file);
}

lab_outcome lab_draw_comparison(lab_folder *folder, const lab_comparison *comparison, bool can_draw,
                                lab_why *why)
{
    const int height = 60 + 26 * (comparison->count + 1); // one name per line
    size_t longest = strlen("reactive");
    for (int i = 0; i < comparison->count; i++) {
        char name[2 * LONGEST_TITLE];
        title_curve(comparison, &comparison->shown[i], name, sizeof name);
        longest = strlen(name) > longest ? strlen(name) : longest;
    }
    const lab_figure figure = {.name = "fig-compare",
                               .width = 620 + 9 * (int)longest, // nine points per letter
                               .height = height > 420 ? height : 420,
                               .script = compare_script};
    return lab_gnuplot_figure(folder, &figure, comparison, can_draw, why);
}
