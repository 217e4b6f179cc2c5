// SPDX-License-Identifier: Apache-2.0
#include "draw/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/gnuplot.h"
#include "verbs.h"

static const app_option options[] = {
    {"--out", "DIR", "output folder; default out/compare", false},
    {"--rule", "NAME", "show this rule of every run; default each run's own", false},
    {"--all", NULL, "show all rules of every run", false},
    {"--force", NULL, "replace an existing result", false},
    {"--quiet", NULL, "print only errors", false},
    {"--no-figures", NULL, "draw no figure", false},
    {0}};

static lab_outcome compare_prepare(lab_comparison *comparison, const app_line *line, lab_why *why)
{
    const char *rule = app_value(line, "--rule");
    const bool all = app_value(line, "--all");
    *comparison = (lab_comparison){0};
    if (rule && all)
        return lab_refuse(why, "--rule shows one rule, --all shows all of them; give only one");
    lab_outcome outcome = lab_comparison_make(comparison, line->count, line->positionals, why);
    if (outcome == LAB_DONE && (rule || all))
        outcome = lab_comparison_show(comparison, rule, why);
    return outcome;
}

// ---- the table -------------------------------------------------------------------------------

static int longest_name(const lab_comparison *comparison)
{
    size_t longest = strlen("run");
    for (int i = 0; i < comparison->runs; i++)
        longest = strlen(comparison->name[i]) > longest ? strlen(comparison->name[i]) : longest;
    return (int)longest;
}

static void print_number(double value)
{
    if (isnan(value))
        printf(" %10s", "-");
    else
        printf(" %10.4g", value);
}

// The rRMSE of a trial; a rule has none from the trial at which it diverged.
static void compare_print_rrmse(const lab_finished *run, int rule, int trial)
{
    const int diverged_at = run->diverged_at[rule];
    if (diverged_at > 0 && trial >= diverged_at && trial <= run->trials)
        printf(" %10s", "diverged");
    else
        print_number(lab_finished_rrmse(run, rule, trial));
}

// Figures that a run only has for its main rule are omitted for others.
static void print_row(const lab_comparison *comparison, const lab_shown *shown, int width)
{
    const lab_finished *run = &comparison->run[shown->run];
    const bool own = shown->rule == run->main_rule;
    printf("  %-*s %-12s", width, comparison->name[shown->run], run->rule[shown->rule]);
    print_number(run->rate[shown->rule]);
    compare_print_rrmse(run, shown->rule, 2);
    compare_print_rrmse(run, shown->rule, 7);
    compare_print_rrmse(run, shown->rule, run->trials);
    print_number(run->optimum);
    if (own && run->claims > 0)
        printf("   %d of %d", run->held, run->claims);
    else
        printf("   -");
    if (run->diverged_at[shown->rule] > 0)
        printf("   diverged at trial %d", run->diverged_at[shown->rule]);
    putchar('\n');
}

static void print_table(const lab_comparison *comparison)
{
    const int width = longest_name(comparison);
    printf("  %-*s %-12s %10s %10s %10s %10s %10s   %s\n", width, "run", "rule", "rate", "trial 2",
           "trial 7", "last", "optimum", "claims held");
    for (int i = 0; i < comparison->count; i++)
        print_row(comparison, &comparison->shown[i], width);
}

static void compare_report(const lab_comparison *comparison, const char *folder, bool figures)
{
    print_table(comparison);
    printf("\n  data:    %s/compare.csv\n", folder);
    if (figures && lab_has_gnuplot())
        printf("  figure:  %s/fig-compare.png (and .svg)\n", folder);
    else if (figures)
        puts("  figure:  not drawn, as gnuplot is not installed (Debian: gnuplot-nox); to draw it "
             "later: gnuplot fig-compare.gp");
}

// ---- the result ------------------------------------------------------------------------------

static lab_outcome compare_leave_result(const lab_comparison *comparison, const app_line *line,
                                        lab_why *why)
{
    const char *chosen = app_value(line, "--out"), *path = chosen ? chosen : "out/compare";
    const bool figures = !app_value(line, "--no-figures");
    lab_folder folder;
    lab_outcome outcome = lab_folder_begin(&folder, path, app_value(line, "--force"), why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_write_comparison(&folder, comparison, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_comparison(&folder, comparison, lab_has_gnuplot(), why);
    if (outcome != LAB_DONE) {
        lab_folder_abandon(&folder);
        return outcome;
    }
    outcome = lab_folder_commit(&folder, why);
    if (outcome == LAB_DONE && !app_value(line, "--quiet"))
        compare_report(comparison, path, figures);
    return outcome;
}

static int compare(const app_line *line)
{
    lab_comparison comparison;
    lab_why why = {0};
    lab_outcome outcome = compare_prepare(&comparison, line, &why);
    if (outcome == LAB_DONE)
        outcome = compare_leave_result(&comparison, line, &why);
    lab_comparison_free(&comparison);
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
    return outcome;
}

const app_verb app_verb_compare = {
    .name = "compare",
    .arguments = "RUN RUN...",
    .summary = "put the learning curves of several runs side by side",
    .text =
        "RUN is a result folder of 'cfpc run'; give 2 to 12 of them. Exit code: 0 done, 1 failed,\n"
        "2 bad usage or not a result folder.\n",
    .options = options,
    .positionals = APP_MAX_POSITIONALS,
    .run = compare};
