// SPDX-License-Identifier: Apache-2.0
#include "population/trial_map.h"

#include <math.h>
#include <string.h>

#include "base/rows.h"

void lab_trial_map_add(const lab_trial_map *it, double scale, const double *a, const double *b)
{
    const size_t g = (size_t)it->bases;
    for (size_t j = 0; j < g; j++)
        lab_add_rows(it->map + j * 2 * g, a, (size_t)it->steps, g, b + j, g, scale);
}

void lab_trial_map_fill(const lab_trial_map *it, const double *z, const double *effect,
                        const double *t0)
{
    const cfpc_problem *problem = it->problem;
    const size_t g = (size_t)it->bases, row = 2 * g, range = (size_t)problem->range;
    memset(it->map, 0, g * row * sizeof *it->map);
    memset(it->start, 0, row * sizeof *it->start);
    lab_add_rows(it->start, z, (size_t)it->steps, g, t0, 1, 1);
    lab_trial_map_add(it, 1, z, effect);
    memcpy(it->start + g, problem->c, range * sizeof *it->start);
    for (size_t k = 0; k < range; k++)
        for (size_t j = k; j < g; j++) // R is upper triangular
            it->map[j * row + g + k] = problem->r[k * g + j];
}

double lab_trial_map_step(const lab_trial_map *it, const double *w, double *change)
{
    const size_t g = (size_t)it->bases;
    double sum = 0;
    memcpy(change, it->start, 2 * g * sizeof *change);
    lab_add_rows(change, it->map, g, 2 * g, w, 1, -1);
    for (size_t k = 0; k < (size_t)it->problem->range; k++)
        sum += change[g + k] * change[g + k];
    return sqrt(it->problem->rest * it->problem->rest + sum);
}
