// SPDX-License-Identifier: Apache-2.0
#include "draw/population_report.h"

#include <math.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "math/order.h"

static const lab_population *population_of(const void *context)
{
    return &((const lab_result *)context)->record->population;
}

// ---- the table -------------------------------------------------------------------------------

static void population_report_put_header(FILE *file, const lab_wrong wrong[LAB_WRONGS])
{
    fputs("kind,loop,basis,bases,optimum,trace,constant,rate_fraction,trials_to_5pc,rrmse_mean,"
          "rrmse_last,diverges",
          file);
    for (int i = 0; i < LAB_WRONGS; i++)
        fprintf(file, ",%s,%s-late,%s-optimum", wrong[i].name, wrong[i].name, wrong[i].name);
    fputc('\n', file);
}

// What is tuned beside the rate is a delay in ms, or ρ; nothing for the forward model. A trace that
// never arrived has no trials, one without settings neither constant nor rate.
static void population_report_put_score(FILE *file, const lab_contest *contest,
                                        lab_contestant which)
{
    const lab_contest_score *score = &contest->score[which];
    fprintf(file, "%s,%d,%s,%d", lab_loop_draw_name(contest->kind), contest->loop,
            contest->is_wide ? "wide" : "narrow", contest->bases);
    fprintf(file, ",%s,%s", lab_number(contest->optimum).text, lab_contestant_name(which));
    fprintf(file, ",%s", isnan(score->constant) ? "" : lab_number(score->constant).text);
    fprintf(file, ",%s,", isnan(score->rate_fraction) ? "" : lab_number(score->rate_fraction).text);
    if (score->trials_to_5pc > 0)
        fprintf(file, "%d", score->trials_to_5pc);
    fprintf(file, ",%s", lab_number(score->rrmse_mean).text);
    fprintf(file, ",%s,%s", lab_number(score->rrmse_last).text, score->diverges ? "yes" : "no");
    for (int i = 0; i < LAB_WRONGS; i++) {
        fprintf(file, ",%s", lab_number(score->wrong_last[i]).text);
        fprintf(file, ",%s", lab_number(score->wrong_late[i]).text);
        fprintf(file, ",%s", lab_number(contest->wrong_optimum[i]).text);
    }
    fputc('\n', file);
}

lab_outcome lab_write_population(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_population *population = population_of(result);
    lab_wrong wrong[LAB_WRONGS];
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "population.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_wrongs(wrong, result->spec->population.wrong);
    population_report_put_header(file, wrong);
    for (int i = 0; i < population->count; i++)
        for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
            population_report_put_score(file, &population->contest[i], (lab_contestant)which);
    return lab_folder_close(folder, file, why);
}

// ---- how many arrive -------------------------------------------------------------------------

static double arrived_by(const lab_population *population, int group, int which, int trial)
{
    int arrived = 0;
    for (int i = 0; i < population->count; i++) {
        const int needed = population->contest[i].score[which].trials_to_5pc;
        arrived +=
            lab_population_has(group, &population->contest[i]) && needed > 0 && needed <= trial;
    }
    return (double)arrived / lab_population_size(population, group);
}

// One row per trial; one column per group that is there, and trace.
static void put_arrivals(FILE *file, const void *context)
{
    const lab_population *population = population_of(context);
    const int groups = lab_population_groups(population);
    fputs("trial", file);
    for (int group = 1; group < groups; group++)
        for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
            fprintf(file, ",%s-%s", lab_population_group(group).text,
                    lab_contestant_name((lab_contestant)which));
    for (int trial = 1; trial <= population->trials; trial++) {
        fprintf(file, "\n%d", trial);
        for (int group = 1; group < groups; group++)
            for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
                fprintf(file, ",%s", lab_number(arrived_by(population, group, which, trial)).text);
    }
    fputc('\n', file);
}

// The names of the traces in their colours, above all panels.
static void population_report_put_key(FILE *file)
{
    for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
        fprintf(file, "set label %d \"━ %s\" at screen %g, screen 0.97 textcolor linetype %d\n",
                which + 1, lab_contestant_name((lab_contestant)which), 0.2 + 0.17 * which,
                lab_gnuplot_linetype(which));
}

// column: of the first trace.
static void population_report_put_panel(FILE *file, lab_loop_draw kind, bool is_wide, int column)
{
    fprintf(file, "set title \"%s, %s\"\nplot ", lab_loop_draw_name(kind),
            is_wide ? "wide" : "narrow");
    for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
        fprintf(file, "%s\"fig-population.csv\" skip 1 using 1:%d with steps linetype %d",
                which ? ", \\\n     " : "", column + which, lab_gnuplot_linetype(which));
    fputs("\nunset label\n", file);
}

// Narrow bases above, wide ones below, one column per kind.
static void arrivals_script(FILE *file, const void *context)
{
    const lab_population *population = population_of(context);
    int kinds = 0;
    for (int kind = 0; kind < LAB_LOOP_DRAW_KINDS; kind++)
        kinds += lab_population_size(population,
                                     lab_population_group_of((lab_loop_draw)kind, false)) > 0;
    fprintf(file,
            "set multiplot layout 2,%d title \" \"\nset logscale x\nset xrange [1:%d]\n"
            "set yrange [0:1.02]\nset xlabel \"trial\"\nset ylabel \"share of loops\"\n",
            kinds, population->trials);
    population_report_put_key(file);
    fputs("unset key\n", file);
    for (int wide = 0; wide < 2; wide++)
        for (int kind = 0; kind < LAB_LOOP_DRAW_KINDS; kind++) {
            const int group = lab_population_group_of((lab_loop_draw)kind, wide);
            if (lab_population_size(population, group) > 0)
                population_report_put_panel(file, (lab_loop_draw)kind, wide,
                                            2 + (group - 1) * LAB_CONTESTANT_COUNT);
        }
    fputs("unset multiplot\n", file);
}

// ---- the price of being wrong ----------------------------------------------------------------

// Share of the loops with such bases that end worse than without a cell.
static double worse(const lab_population *population, int which, int wrong, bool is_wide)
{
    int count = 0, all = 0;
    for (int i = 0; i < population->count; i++) {
        const lab_contest *contest = &population->contest[i];
        const double last = contest->score[which].wrong_last[wrong];
        if (contest->is_wide != is_wide || isnan(last))
            continue;
        count += !(last <= 1);
        all++;
    }
    return all > 0 ? (double)count / all : 0;
}

// What is wrong, in words: the actual loop beside the believed one.
static const char *const wrong_names[LAB_WRONGS] = {
    "gain lower", "gain higher", "plant quicker", "plant slower", "delay shorter", "delay longer"};

// The largest of all bars.
static double worst(const lab_population *population)
{
    double most = 0.01;
    for (int i = 0; i < LAB_WRONGS; i++)
        for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
            for (int wide = 0; wide < 2; wide++)
                most = cfpci_max(most, worse(population, which, i, wide));
    return most;
}

static void put_wrong(FILE *file, const void *context)
{
    const lab_population *population = population_of(context);
    fputs("wrong", file);
    for (int wide = 0; wide < 2; wide++)
        for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
            fprintf(file, ",%s-%s", wide ? "wide" : "narrow",
                    lab_contestant_name((lab_contestant)which));
    for (int i = 0; i < LAB_WRONGS; i++) {
        fprintf(file, "\n%s", wrong_names[i]);
        for (int wide = 0; wide < 2; wide++)
            for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
                fprintf(file, ",%s", lab_number(100 * worse(population, which, i, wide)).text);
    }
    fputc('\n', file);
}

static void wrong_script(FILE *file, const void *context)
{
    fprintf(file,
            "set multiplot layout 1,2 title \" \"\nset style data histograms\n"
            "set style histogram clustered gap 1\nset style fill solid 0.8 noborder\n"
            "set xtics rotate by -30\nset yrange [0:%g]\n"
            "set ylabel \"%% worse than without a cell\"\n"
            "set xlabel \"actual loop, %g %% off the believed one\"\n",
            105 * worst(population_of(context)),
            100 * ((const lab_result *)context)->spec->population.wrong);
    population_report_put_key(file);
    fputs("unset key\n", file);
    for (int wide = 0; wide < 2; wide++) {
        fprintf(file, "set title \"%s bases\"\nplot ", wide ? "wide" : "narrow");
        for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
            fprintf(file, "%s\"fig-wrong.csv\" skip 1 using %d:xtic(1) linetype %d title \"%s\"",
                    which ? ", \\\n     " : "", 2 + wide * LAB_CONTESTANT_COUNT + which,
                    lab_gnuplot_linetype(which), lab_contestant_name((lab_contestant)which));
        fputc('\n', file);
    }
    fputs("unset multiplot\n", file);
}

lab_outcome lab_draw_population(lab_folder *folder, const lab_result *result, bool can_draw,
                                lab_why *why)
{
    const lab_figure arrivals = {.name = "fig-population",
                                 .width = 1280,
                                 .height = 640,
                                 .data = put_arrivals,
                                 .script = arrivals_script};
    const lab_figure wrong = {.name = "fig-wrong",
                              .width = 1000,
                              .height = 420,
                              .data = put_wrong,
                              .script = wrong_script};
    return lab_gnuplot_pair(folder, &arrivals, &wrong, result, can_draw, why);
}
