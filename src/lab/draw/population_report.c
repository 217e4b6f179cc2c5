// SPDX-License-Identifier: Apache-2.0
#include "draw/figures.h"

#include <math.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "math/order.h"

static const lab_population *population_of(const void *context)
{
    return &((const lab_result *)context)->record->population;
}

// ---- the table -------------------------------------------------------------------------------

// What is tuned beside the rate is a delay in ms, or ρ; nothing for the forward model. A trace that
// never arrived has no trials, one without settings neither constant nor rate.
static void population_report_put_score(FILE *file, const lab_contest *contest,
                                        lab_contestant which)
{
    const lab_contest_score *score = &contest->score[which];
    fprintf(file, "%s,%d,%s,%d,%s,%s", lab_loop_draw_name(contest->kind), contest->loop,
            contest->is_wide ? "wide" : "narrow", contest->bases, lab_number(contest->optimum).text,
            lab_contestant_name(which));
    lab_put_known(file, score->constant);
    lab_put_known(file, score->rate_fraction);
    lab_put_known(file, score->trials_to_5pc > 0 ? score->trials_to_5pc : NAN);
    lab_put_number(file, score->rrmse_mean);
    lab_put_number(file, score->rrmse_last);
    fputs(score->diverges ? ",yes" : ",no", file);
    for (int i = 0; i < LAB_WRONGS; i++) {
        lab_put_number(file, score->wrong_last[i]);
        lab_put_number(file, score->wrong_late[i]);
        lab_put_number(file, contest->wrong_optimum[i]);
    }
    fputc('\n', file);
}

static void population_data(FILE *file, const void *context)
{
    const lab_population *population = population_of(context);
    lab_wrong wrong[LAB_WRONGS];
    lab_wrongs(wrong, ((const lab_result *)context)->spec->population.wrong);
    fputs("kind,loop,basis,bases,optimum,trace,constant,rate_fraction,trials_to_5pc,rrmse_mean,"
          "rrmse_last,diverges",
          file);
    for (int i = 0; i < LAB_WRONGS; i++)
        fprintf(file, ",%s,%s-late,%s-optimum", wrong[i].name, wrong[i].name, wrong[i].name);
    fputc('\n', file);
    for (int i = 0; i < population->count; i++)
        for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
            population_report_put_score(file, &population->contest[i], (lab_contestant)which);
}

lab_outcome lab_write_population(lab_folder *folder, const lab_result *result, lab_why *why)
{
    return lab_put_file(folder, "population.csv", population_data, result, why);
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
                lab_put_number(file, arrived_by(population, group, which, trial));
    }
    fputc('\n', file);
}

// The names of the traces in their colours, above all panels, instead of a key in each.
static void population_report_put_key(FILE *file)
{
    for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
        fprintf(file, "set label %d \"━ %s\" at screen %g, screen 0.97 textcolor linetype %d\n",
                which + 1, lab_contestant_name((lab_contestant)which), 0.2 + 0.17 * which,
                lab_gnuplot_linetype(which));
    fputs("unset key\n", file);
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
    for (int wide = 0; wide < 2; wide++)
        for (int kind = 0; kind < LAB_LOOP_DRAW_KINDS; kind++) {
            const int group = lab_population_group_of((lab_loop_draw)kind, wide);
            const int column = 2 + (group - 1) * LAB_CONTESTANT_COUNT; // of the first trace
            if (lab_population_size(population, group) == 0)
                continue;
            fprintf(file, "set title \"%s, %s\"\nplot ", lab_loop_draw_name((lab_loop_draw)kind),
                    wide ? "wide" : "narrow");
            for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
                fprintf(file, "%s\"fig-population.csv\" skip 1 using 1:%d with steps linetype %d",
                        which ? ", \\\n     " : "", column + which, lab_gnuplot_linetype(which));
            fputs("\nunset label\n", file);
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
                lab_put_number(file, 100 * worse(population, which, i, wide));
    }
    fputc('\n', file);
}

static void wrong_script(FILE *file, const void *context)
{
    double most = 0.01; // of all bars
    for (int i = 0; i < LAB_WRONGS; i++)
        for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
            for (int wide = 0; wide < 2; wide++)
                most = cfpci_max(most, worse(population_of(context), which, i, wide));
    fprintf(file,
            "set multiplot layout 1,2 title \" \"\nset style data histograms\n"
            "set style histogram clustered gap 1\nset style fill solid 0.8 noborder\n"
            "set xtics rotate by -30\nset yrange [0:%g]\n"
            "set ylabel \"%% worse than without a cell\"\n"
            "set xlabel \"actual loop, %g %% off the believed one\"\n",
            105 * most, 100 * ((const lab_result *)context)->spec->population.wrong);
    population_report_put_key(file);
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
    static const lab_figure arrivals = {"fig-population", 1280, 640, put_arrivals, arrivals_script};
    static const lab_figure wrong = {"fig-wrong", 1000, 420, put_wrong, wrong_script};
    return lab_gnuplot_pair(folder, &arrivals, &wrong, result, can_draw, why);
}
