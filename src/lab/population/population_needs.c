// SPDX-License-Identifier: Apache-2.0
#include "population/population_needs.h"

#include <math.h>

#include "population/contest.h"
#include "population/population.h"
#include "population/random_loop.h"

// Contests with bases of one width, on all loops.
static void add_contests(lab_needs *needs, const lab_population_spec *spec, double step_ms,
                         double width_ms)
{
    double first_s, last_s;
    lab_random_bases(&first_s, &last_s);
    const double loops = lab_population_work(spec), contestants = LAB_CONTESTANT_COUNT;
    const double n = lab_random_steps(step_ms / 1e3);
    const double g = 1 + floor(1e3 * (last_s - first_s) / (2 * width_ms) + 1e-9);
    const double evaluations = contestants * spec->evaluations;
    const double curve = spec->trials * 2 * g * g; // at most: a bad one ends early
    // each evaluation makes its traces, correlates them with H, and learns by them
    needs->times[LAB_NEEDS_WIDE] += loops * evaluations * (n * g * (g + 20) + 80 * g * g + curve);
    needs->times[LAB_NEEDS_WIDE] += loops * LAB_WRONGS * contestants * (n * g * g + curve);
    needs->times[LAB_NEEDS_WIDE] +=
        loops * LAB_WRONGS * contestants * LAB_LATE_DOUBLINGS * g * g * (g + 1);
    needs->times[LAB_NEEDS_DENSE] += loops * (1 + LAB_WRONGS) * (2 * n * g * g + 12 * g * g * g);
    needs->times[LAB_NEEDS_DENSE] += loops * contestants * 60 * g * g * g; // whether it converges
    lab_needs_pass(needs, (double)sizeof(double) * n * g * (5 + contestants));
}

void lab_population_needs(lab_needs *needs, const lab_population_spec *spec, double step_ms)
{
    add_contests(needs, spec, step_ms, spec->narrow_ms);
    add_contests(needs, spec, step_ms, spec->wide_ms);
    needs->kept += 2. * lab_population_work(spec) * (double)sizeof(lab_contest);
}
