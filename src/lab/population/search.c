// SPDX-License-Identifier: Apache-2.0
#include "population/search.h"

#include <math.h>
#include <string.h>

#include "base/halton.h"
#include "math/order.h"

static void try_at(lab_searched *best, double (*value)(void *, const double *), void *context,
                   const double at[LAB_SEARCH_MAX])
{
    const double found = value(context, at);
    if (!(found < best->value))
        return;
    best->value = found;
    memcpy(best->at, at, sizeof best->at);
}

// Up and down in each dimension in turn; a round without success halves the step.
static void refine(lab_searched *best, int dimensions, int evaluations,
                   double (*value)(void *, const double *), void *context)
{
    double step = 0.125, before = best->value;
    for (int k = 0; k < evaluations; k++) {
        const int turn = k % (2 * dimensions), axis = turn / 2;
        double at[LAB_SEARCH_MAX];
        if (turn == 0 && k > 0 && !(best->value < before))
            step /= 2;
        if (turn == 0)
            before = best->value;
        memcpy(at, best->at, sizeof at);
        at[axis] = cfpci_min(cfpci_max(at[axis] + (turn % 2 ? -step : step), 0), 1);
        try_at(best, value, context, at);
    }
}

lab_searched lab_search(int dimensions, int evaluations,
                        double (*value)(void *context, const double at[LAB_SEARCH_MAX]),
                        void *context)
{
    lab_searched best = {.at = {0.5, 0.5}, .value = INFINITY};
    const int spread = (evaluations + 1) / 2;
    for (int k = 0; k < spread; k++) {
        double at[LAB_SEARCH_MAX] = {0.5, 0.5};
        for (int i = 0; i < dimensions && i < LAB_SEARCH_MAX; i++)
            at[i] = lab_halton(k + 1, i);
        try_at(&best, value, context, at);
    }
    refine(&best, dimensions, evaluations - spread, value, context);
    return best;
}
