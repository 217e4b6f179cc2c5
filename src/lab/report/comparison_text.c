// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "draw/gnuplot.h"
#include "report/report.h"

static int longest_name(const lab_comparison *comparison)
{
    size_t longest = strlen("run");
    for (int i = 0; i < comparison->runs; i++)
        longest = strlen(comparison->name[i]) > longest ? strlen(comparison->name[i]) : longest;
    return (int)longest;
}

static void print_number(FILE *to, double value)
{
    if (isnan(value))
        fprintf(to, " %10s", "-");
    else
        fprintf(to, " %10.4g", value);
}

// The rRMSE of a trial; a rule has none from the trial at which it diverged.
static void comparison_print_rrmse(FILE *to, const lab_finished *run, int rule, int trial)
{
    const int diverged_at = run->diverged_at[rule];
    if (diverged_at > 0 && trial >= diverged_at && trial <= run->trials)
        fprintf(to, " %10s", "diverged");
    else
        print_number(to, lab_finished_rrmse(run, rule, trial));
}

// Figures that a run only has for its main rule are omitted for others.
static void print_row(FILE *to, const lab_comparison *comparison, const lab_shown *shown, int width)
{
    const lab_finished *run = &comparison->run[shown->run];
    const bool own = shown->rule == run->main_rule;
    fprintf(to, "  %-*s %-12s", width, comparison->name[shown->run], run->rule[shown->rule]);
    print_number(to, run->rate[shown->rule]);
    comparison_print_rrmse(to, run, shown->rule, 2);
    comparison_print_rrmse(to, run, shown->rule, 7);
    comparison_print_rrmse(to, run, shown->rule, run->trials);
    print_number(to, run->optimum);
    if (own && run->claims > 0)
        fprintf(to, "   %d of %d", run->held, run->claims);
    else
        fprintf(to, "   -");
    if (run->diverged_at[shown->rule] > 0)
        fprintf(to, "   diverged at trial %d", run->diverged_at[shown->rule]);
    fputc('\n', to);
}

void lab_put_comparison(FILE *to, const lab_comparison *comparison)
{
    const int width = longest_name(comparison);
    fprintf(to, "  %-*s %-12s %10s %10s %10s %10s %10s   %s\n", width, "run", "rule", "rate",
            "trial 2", "trial 7", "last", "optimum", "claims held");
    for (int i = 0; i < comparison->count; i++)
        print_row(to, comparison, &comparison->shown[i], width);
    fputc('\n', to);
}

void lab_put_comparison_files(FILE *to, const char *folder, bool figures)
{
    fprintf(to, "  data:    %s/compare.csv\n", folder);
    if (figures && lab_has_gnuplot())
        fprintf(to, "  figure:  %s/fig-compare.png (and .svg)\n", folder);
    else if (figures)
        fputs("  figure:  not drawn, as gnuplot is not installed (Debian: gnuplot-nox); to draw it "
              "later: gnuplot fig-compare.gp\n",
              to);
}
