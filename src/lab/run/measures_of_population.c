// SPDX-License-Identifier: Apache-2.0
// The measures of a group of the population.
#include "run/measure_rows.h"

static double group_arrived(const lab_measured_at *at)
{
    return at->group.arrived;
}

static double group_trials(const lab_measured_at *at)
{
    return at->group.trials;
}

static double group_faster(const lab_measured_at *at)
{
    return at->group.faster;
}

static double group_slower(const lab_measured_at *at)
{
    return at->group.slower;
}

static double group_worse(const lab_measured_at *at)
{
    return at->group.worse;
}

static double group_ratio(const lab_measured_at *at)
{
    return at->group.ratio;
}

static double group_diverges(const lab_measured_at *at)
{
    return at->group.diverges;
}

static double group_wrong_worse(const lab_measured_at *at)
{
    return at->group.wrong_worse;
}

static double group_wrong_worse_late(const lab_measured_at *at)
{
    return at->group.wrong_worse_late;
}

static double group_wrong_ratio(const lab_measured_at *at)
{
    return at->group.wrong_ratio;
}

const lab_measure_row lab_population_measures[] = {
    {LAB_OF_GROUP, "arrived", group_arrived, lab_always,
     "fraction of the loops in which it comes within 5 % of the optimum (as `trials_to_5pc`)"},
    {LAB_OF_GROUP, "trials", group_trials, lab_always,
     "median of the trials that it needs for that; null if half of the loops need more than "
     "`population.trials`"},
    {LAB_OF_GROUP, "faster", group_faster, lab_always,
     "fraction of the loops in which it needs fewer trials for that than the forward model"},
    {LAB_OF_GROUP, "slower", group_slower, lab_always, "the same, more trials"},
    {LAB_OF_GROUP, "worse", group_worse, lab_always,
     "fraction of the loops in which the mean rRMSE of all trials, which is what is tuned, is more "
     "than 5 % above the forward model's, or no setting converges"},
    {LAB_OF_GROUP, "ratio", group_ratio, lab_always,
     "median of the rRMSE of the last trial, divided by that of the optimum"},
    {LAB_OF_GROUP, "diverges", group_diverges, lab_always,
     "fraction of the loops in which it diverges in the end, however slowly, at the settings it "
     "was tuned to; with `population.converging`, in which no setting that was tried converges"},
    {LAB_OF_GROUP, "wrong_worse", group_wrong_worse, lab_always,
     "fraction of the wrong loops (`population.wrong`) in which the last trial is worse than "
     "without a cell"},
    {LAB_OF_GROUP, "wrong_worse_late", group_wrong_worse_late, lab_always,
     "the same after 131,072 trials"},
    {LAB_OF_GROUP, "wrong_ratio", group_wrong_ratio, lab_always,
     "median of their last rRMSE, divided by that of their optimum"},
    {0}};
