// SPDX-License-Identifier: Apache-2.0
#include "population/trial_map.h"

#include <math.h>
#include <string.h>

#include "base/rows.h"

void lab_trial_map_add(const lab_trial_map *trial_map, double scale, const double *a,
                       const double *b)
{
    const size_t g = (size_t)trial_map->bases;
    for (size_t j = 0; j < g; j++)
        lab_add_rows(trial_map->map + j * 2 * g, a, (size_t)trial_map->steps, g, b + j, g, scale);
}

void lab_trial_map_fill(const lab_trial_map *trial_map, const double *z, const double *effect,
                        const double *t0)
{
    const cfpc_problem *problem = trial_map->problem;
    const size_t g = (size_t)trial_map->bases, row = 2 * g, range = (size_t)problem->range;
    memset(trial_map->map, 0, g * row * sizeof *trial_map->map);
    memset(trial_map->start, 0, row * sizeof *trial_map->start);
    lab_add_rows(trial_map->start, z, (size_t)trial_map->steps, g, t0, 1, 1);
    lab_trial_map_add(trial_map, 1, z, effect);
    memcpy(trial_map->start + g, problem->c, range * sizeof *trial_map->start);
    for (size_t k = 0; k < range; k++)
        for (size_t j = k; j < g; j++) // R is upper triangular
            trial_map->map[j * row + g + k] = problem->r[k * g + j];
}

double lab_trial_map_step(const lab_trial_map *trial_map, const double *w, double *change)
{
    const size_t g = (size_t)trial_map->bases;
    double sum = 0;
    memcpy(change, trial_map->start, 2 * g * sizeof *change);
    lab_add_rows(change, trial_map->map, g, 2 * g, w, 1, -1);
    for (size_t k = 0; k < (size_t)trial_map->problem->range; k++)
        sum += change[g + k] * change[g + k];
    return sqrt(trial_map->problem->rest * trial_map->problem->rest + sum);
}

double lab_trial_map_late(const lab_trial_map *trial_map, double rate, int doublings, double *work)
{
    const size_t g = (size_t)trial_map->bases;
    double *a = work, *square = a + g * g; // row j: column j of the map of w
    double *w = square + g * g, *next = w + g, *change = next + g;
    for (size_t j = 0; j < g; j++)
        for (size_t i = 0; i < g; i++)
            a[j * g + i] = (i == j) - rate * trial_map->map[j * 2 * g + i];
    for (size_t i = 0; i < g; i++)
        w[i] = rate * trial_map->start[i];
    for (int k = 0; k < doublings; k++) {
        memcpy(next, w, g * sizeof *w);
        lab_add_rows(next, a, g, g, w, 1, 1);
        memcpy(w, next, g * sizeof *w);
        memset(square, 0, g * g * sizeof *square);
        for (size_t j = 0; j < g; j++)
            lab_add_rows(square + j * g, a, g, g, a + j * g, 1, 1);
        double *swap = a;
        a = square;
        square = swap;
    }
    const double norm = lab_trial_map_step(trial_map, w, change);
    return isfinite(norm) ? norm : INFINITY;
}
