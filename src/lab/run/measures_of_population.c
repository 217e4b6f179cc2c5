// SPDX-License-Identifier: Apache-2.0
// The measures of a group of the population.
#include "run/measure_rows.h"

const lab_measure_row lab_population_measures[] = {
    {LAB_OF_GROUP, "arrived", LAB_FIELD(lab_population_figures, arrived), lab_always,
     "fraction of the loops in which it comes within 5 % of the optimum (as `trials_to_5pc`)"},
    {LAB_OF_GROUP, "trials", LAB_FIELD(lab_population_figures, trials), lab_always,
     "median of the trials that it needs for that; null if half of the loops need more than "
     "`population.trials`"},
    {LAB_OF_GROUP, "faster", LAB_FIELD(lab_population_figures, faster), lab_always,
     "fraction of the loops in which it needs fewer trials for that than the forward model"},
    {LAB_OF_GROUP, "slower", LAB_FIELD(lab_population_figures, slower), lab_always,
     "the same, more trials"},
    {LAB_OF_GROUP, "worse", LAB_FIELD(lab_population_figures, worse), lab_always,
     "fraction of the loops in which the mean rRMSE of all trials, which is what is tuned, is more "
     "than 5 % above the forward model's, or no setting converges"},
    {LAB_OF_GROUP, "ratio", LAB_FIELD(lab_population_figures, ratio), lab_always,
     "median of the rRMSE of the last trial, divided by that of the optimum"},
    {LAB_OF_GROUP, "diverges", LAB_FIELD(lab_population_figures, diverges), lab_always,
     "fraction of the loops in which it diverges in the end, however slowly, at the settings it "
     "was tuned to; with `population.converging`, in which no setting that was tried converges"},
    {LAB_OF_GROUP, "wrong_worse", LAB_FIELD(lab_population_figures, wrong_worse), lab_always,
     "fraction of the wrong loops (`population.wrong`) in which the last trial is worse than "
     "without a cell"},
    {LAB_OF_GROUP, "wrong_worse_late", LAB_FIELD(lab_population_figures, wrong_worse_late),
     lab_always, "the same after 131,072 trials"},
    {LAB_OF_GROUP, "wrong_ratio", LAB_FIELD(lab_population_figures, wrong_ratio), lab_always,
     "median of their last rRMSE, divided by that of their optimum"},
    {0}};
