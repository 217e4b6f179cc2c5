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

double lab_trial_map_late(const lab_trial_map *it, double rate, int doublings, double *work)
{
    const size_t g = (size_t)it->bases;
    double *a = work, *square = a + g * g; // row j: column j of the map of w
    double *w = square + g * g, *next = w + g, *change = next + g;
    for (size_t j = 0; j < g; j++)
        for (size_t i = 0; i < g; i++)
            a[j * g + i] = (i == j) - rate * it->map[j * 2 * g + i];
    for (size_t i = 0; i < g; i++)
        w[i] = rate * it->start[i];
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
    const double norm = lab_trial_map_step(it, w, change);
    return isfinite(norm) ? norm : INFINITY;
}
