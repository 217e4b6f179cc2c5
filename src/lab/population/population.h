// SPDX-License-Identifier: Apache-2.0
// population: traces compared on many random loops, with narrow and with wide bases, and what is
// said of all of them together.
#ifndef CFPC_LAB_POPULATION_H
#define CFPC_LAB_POPULATION_H

#include "base/arena.h"
#include "base/pace.h"
#include "population/contest.h"

// What a population leaves, as plain data.
typedef struct lab_population {
    int count;            // contests: loops times two kinds of bases; 0: none was asked for
    int trials;           // of each learning curve
    lab_contest *contest; // (count)
} lab_population;

// Number of ticks for progress.
int lab_population_work(const lab_population_spec *spec);

// The contests before they are held: their measures can then be named. The arena owns them.
lab_outcome lab_population_begin(lab_population *population, lab_arena *arena,
                                 const lab_population_spec *spec, lab_why *why);

// Holds every contest. The arena owns the result; seed_offset is added to the seed.
lab_outcome lab_population_run(lab_population *population, lab_arena *arena,
                               const lab_population_spec *spec, double step_ms, double neglect,
                               int seed_offset, lab_pace *pace, lab_why *why);

// ---- groups ----------------------------------------------------------------------------------

// Group 0 is all contests; 1 those with narrow, 2 those with wide bases; the others are those of a
// kind with narrow or wide bases.
int lab_population_groups(const lab_population *population);
int lab_population_group_of(lab_loop_draw kind, bool is_wide);
bool lab_population_has(int group, const lab_contest *contest);
int lab_population_size(const lab_population *population, int group);

// "all", "narrow", "wide", "smooth-narrow", …
typedef struct lab_group_name {
    char text[40];
} lab_group_name;
lab_group_name lab_population_group(int group);

// ---- what is said of a group -----------------------------------------------------------------

typedef struct lab_population_figures {
    double arrived;     // share of loops in which it comes within 5 % of the optimum
    double trials;      // median of the trials it needs; NAN: half of the loops or more never do
    double faster;      // share in which it needs fewer trials than the forward model
    double slower;      // and more
    double worse;       // share in which its mean rRMSE is more than 5 % above the forward model's
    double ratio;       // median of the last trial's rRMSE over the optimum
    double diverges;    // share in which it diverges in the end, or no setting converged
    double wrong_worse; // share of wrong loops that end worse than without a cell
    double wrong_worse_late; // the same after LAB_LATE trials
    double wrong_ratio;      // median of their last rRMSE over their optimum
} lab_population_figures;

// CFPC_NO_MEMORY or CFPC_OK. Of an empty group all are NAN.
cfpc_status lab_population_sum(lab_population_figures *figures, const lab_population *population,
                               int group, lab_contestant which);

#endif
