// SPDX-License-Identifier: Apache-2.0
#include "population/population.h"
#include "math/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- holding all -----------------------------------------------------------------------------

static bool population_is_drawn(const lab_population_spec *spec, lab_loop_draw kind)
{
    bool drawn = spec->kinds.count == 0;
    for (int i = 0; i < spec->kinds.count; i++)
        drawn |= strcmp(spec->kinds.items[i], lab_loop_draw_name(kind)) == 0;
    return drawn;
}

int lab_population_work(const lab_population_spec *spec)
{
    int kinds = 0;
    for (int kind = 0; kind < LAB_LOOP_DRAW_KINDS; kind++)
        kinds += population_is_drawn(spec, (lab_loop_draw)kind);
    return spec->place.line > 0 ? kinds * spec->count : 0;
}

lab_outcome lab_population_begin(lab_population *population, lab_arena *arena,
                                 const lab_population_spec *spec, lab_why *why)
{
    *population = (lab_population){.trials = spec->trials};
    population->contest =
        lab_take(arena, 2 * (size_t)lab_population_work(spec), sizeof *population->contest);
    if (!population->contest)
        return lab_no_memory(why, NULL);
    for (int kind = 0; kind < LAB_LOOP_DRAW_KINDS; kind++)
        for (int i = 0; population_is_drawn(spec, (lab_loop_draw)kind) && i < spec->count; i++)
            for (int wide = 0; wide < 2; wide++)
                population->contest[population->count++] =
                    (lab_contest){.kind = (lab_loop_draw)kind, .loop = i + 1, .is_wide = wide};
    return LAB_DONE;
}

lab_outcome lab_population_run(lab_population *population, lab_arena *arena,
                               const lab_population_spec *spec, double step_ms, double neglect,
                               int seed_offset, lab_pace *pace, lab_why *why)
{
    lab_outcome outcome = lab_population_begin(population, arena, spec, why);
    for (int i = 0; outcome == LAB_DONE && i < population->count; i += 2) {
        lab_random_loop loop;
        lab_contest *contest = &population->contest[i];
        const int number = (contest->loop - 1) * LAB_LOOP_DRAW_KINDS + (int)contest->kind;
        outcome = lab_from_status(why,
                                  lab_random_loop_draw(&loop, contest->kind, step_ms / 1e3,
                                                       spec->seed + seed_offset, number),
                                  "population");
        if (outcome == LAB_DONE)
            outcome = lab_contest_hold(contest, spec, &loop, neglect, why);
        if (outcome == LAB_DONE)
            outcome = lab_tick(pace, "population", why);
    }
    return outcome;
}

// ---- groups ----------------------------------------------------------------------------------

int lab_population_groups(const lab_population *population)
{
    return population->count > 0 ? lab_population_group_of(LAB_LOOP_DRAW_KINDS, false) : 0;
}

int lab_population_group_of(lab_loop_draw kind, bool is_wide)
{
    return 3 + 2 * (int)kind + is_wide;
}

bool lab_population_has(int group, const lab_contest *contest)
{
    return group == 0 || group == 1 + contest->is_wide ||
           group == lab_population_group_of(contest->kind, contest->is_wide);
}

int lab_population_size(const lab_population *population, int group)
{
    int size = 0;
    for (int i = 0; i < population->count; i++)
        size += lab_population_has(group, &population->contest[i]);
    return size;
}

lab_group_name lab_population_group(int group)
{
    static const char *const all[] = {"all", "narrow", "wide"};
    lab_group_name name;
    if (group < 3)
        snprintf(name.text, sizeof name.text, "%s", all[group]);
    else
        snprintf(name.text, sizeof name.text, "%s-%s",
                 lab_loop_draw_name((lab_loop_draw)((group - 3) / 2)), all[1 + (group - 3) % 2]);
    return name;
}

// ---- what is said of a group -----------------------------------------------------------------

// The mean of the two in the middle, if there are two; NAN if one of them is not finite.
static double median(double *values, int count)
{
    if (count == 0)
        return NAN;
    cfpci_sort(values, (size_t)count);
    const double middle = (values[(count - 1) / 2] + values[count / 2]) / 2;
    return isfinite(middle) ? middle : NAN;
}

#define NEARLY 1.05 // as good: within 5 %, as for arrivals

static double needed(const lab_contest_score *score)
{
    return score->trials_to_5pc > 0 ? score->trials_to_5pc : INFINITY;
}

cfpc_status lab_population_sum(lab_population_figures *figures, const lab_population *population,
                               int group, lab_contestant which)
{
    lab_population_figures *f = figures;
    const size_t room = (size_t)population->count + 1;
    double *trials = malloc((2 + LAB_WRONGS) * room * sizeof *trials);
    int count = 0, wrongs = 0;
    *f = (lab_population_figures){0};
    if (!trials)
        return CFPC_NO_MEMORY;
    double *ratio = trials + room, *wrong_ratio = ratio + room;
    for (int i = 0; i < population->count; i++) {
        const lab_contest *contest = &population->contest[i];
        const lab_contest_score *score = &contest->score[which];
        const lab_contest_score *model = &contest->score[LAB_CONTEST_FORWARD_MODEL];
        if (!lab_population_has(group, contest))
            continue;
        f->arrived += score->trials_to_5pc > 0;
        f->faster += needed(score) < needed(model);
        f->slower += needed(score) > needed(model);
        f->worse += score->rrmse_mean > NEARLY * model->rrmse_mean;
        f->diverges += score->diverges;
        trials[count] = needed(score);
        ratio[count++] = score->rrmse_last / contest->optimum;
        // on the wrong loops that are stable without a cell
        for (int k = 0; k < LAB_WRONGS; k++) {
            if (isnan(score->wrong_last[k]))
                continue;
            f->wrong_worse += !(score->wrong_last[k] <= 1);
            f->wrong_worse_late += !(score->wrong_late[k] <= 1);
            wrong_ratio[wrongs++] = score->wrong_last[k] / contest->wrong_optimum[k];
        }
    }
    double *const shares[] = {&f->arrived, &f->faster, &f->slower, &f->worse, &f->diverges};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        *shares[i] /= count;
    f->wrong_worse /= wrongs;
    f->wrong_worse_late /= wrongs;
    f->trials = median(trials, count);
    f->ratio = median(ratio, count);
    f->wrong_ratio = median(wrong_ratio, wrongs);
    free(trials);
    return CFPC_OK;
}
