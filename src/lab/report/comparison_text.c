// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "draw/gnuplot.h"
#include "report/report.h"

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
void lab_put_comparison(FILE *to, const lab_comparison *comparison)
{
    int width = (int)strlen("run");
    for (int i = 0; i < comparison->runs; i++) {
        const int length = (int)strlen(comparison->name[i]);
        width = length > width ? length : width;
    }
    fprintf(to, "  %-*s %-12s %10s %10s %10s %10s %10s   %s\n", width, "run", "rule", "rate",
            "trial 2", "trial 7", "last", "optimum", "claims held");
    for (int i = 0; i < comparison->count; i++) {
        const lab_shown *shown = &comparison->shown[i];
        const lab_finished *run = &comparison->run[shown->run];
        const int trials[] = {2, 7, run->trials};
        fprintf(to, "  %-*s %-12s", width, comparison->name[shown->run], run->rule[shown->rule]);
        print_number(to, run->rate[shown->rule]);
        for (int k = 0; k < 3; k++)
            comparison_print_rrmse(to, run, shown->rule, trials[k]);
        print_number(to, run->optimum);
        if (shown->rule == run->main_rule && run->claims > 0)
            fprintf(to, "   %d of %d", run->held, run->claims);
        else
            fputs("   -", to);
        if (run->diverged_at[shown->rule] > 0)
            fprintf(to, "   diverged at trial %d", run->diverged_at[shown->rule]);
        fputc('\n', to);
    }
    fputc('\n', to);
}

void lab_put_comparison_files(FILE *to, const char *folder, bool figures)
{
    fprintf(to, "  data:    %s/compare.csv\n", folder);
    if (figures)
        lab_gnuplot_say(to, folder, "fig-compare");
}
