// SPDX-License-Identifier: Apache-2.0
#include "online_rate.h"

#include <math.h>
#include <stdlib.h>

#include "simulate.h"

enum { MOST_STEPS = 40 };

#define FAR_BELOW 16.0    // the rate of the spec: there the search begins
#define STEP 1.4          // by which it goes up
#define CLOSE_ENOUGH 1.02 // of the two rates between which the border lies

// The weights half-way and at the end of all trials, from these first ones (all alike).
static lab_outcome run_from(const lab_setup *setup, const lab_rule *rule, cfpc_real first,
                            double *half, double *end, lab_why *why)
{
    lab_scene scene;
    lab_cell cell = {0};
    const int trials = setup->spec->learning.trials > 1 ? setup->spec->learning.trials : 2;
    lab_outcome outcome = lab_scene_make(&scene, setup, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, lab_cell_make(&cell, setup, rule, false), setup->spec->file);
    for (int j = 0; outcome == LAB_DONE && j < setup->bases; j++)
        cfpc_weights(cell.data)[j] = first;
    for (int k = 0; outcome == LAB_DONE && k < trials; k++) {
        lab_trial none = {0};
        lab_simulate_trial(setup, &scene, &cell, setup->first + k, &none);
        double *to = k == trials / 2 - 1 ? half : k == trials - 1 ? end : NULL;
        for (int j = 0; to && j < setup->bases; j++)
            to[j] = cfpc_weights(cell.data)[j];
    }
    lab_cell_free(&cell);
    lab_scene_free(&scene);
    return outcome;
}

static double distance(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int j = 0; j < count; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sqrt(sum);
}

// Whether a difference in the weights goes away at this rate.
static lab_outcome settles(const lab_setup *setup, const lab_rule *rule, double rate, bool *does,
                           lab_why *why)
{
    const int bases = setup->bases;
    lab_rule other = *rule;
    other.rate = rate;
    other.rule.rate = (cfpc_real)rate;
    double *w = calloc(4 * (size_t)bases, sizeof *w);
    if (!w)
        return lab_fail(why, "memory ran out");
    lab_outcome outcome = run_from(setup, &other, 0, w, w + bases, why);
    if (outcome == LAB_DONE)
        outcome = run_from(setup, &other, 1, w + 2 * bases, w + 3 * bases, why);
    const double half = distance(w, w + 2 * bases, bases);
    const double end = distance(w + bases, w + 3 * bases, bases);
    *does = isfinite(half) && isfinite(end) && end <= half;
    free(w);
    return outcome;
}

lab_outcome lab_online_rate_max(double *rate, const lab_setup *setup, const lab_rule *rule,
                                lab_why *why)
{
    double low = rule->rate / FAR_BELOW, high = 0;
    bool does = false;
    lab_outcome outcome = LAB_DONE;
    *rate = 0;
    for (int k = 0; outcome == LAB_DONE && !does && k < MOST_STEPS; k++) {
        low /= k > 0 ? FAR_BELOW : 1;
        outcome = settles(setup, rule, low, &does, why);
    }
    for (int k = 0; outcome == LAB_DONE && does && k < MOST_STEPS; k++) { // to the first that fails
        high = low * STEP;
        outcome = settles(setup, rule, high, &does, why);
        low = does ? high : low;
    }
    if (outcome != LAB_DONE || does || high == 0) // no border: none settles, or all do
        return outcome;
    while (outcome == LAB_DONE && high > CLOSE_ENOUGH * low) {
        const double middle = sqrt(low * high);
        outcome = settles(setup, rule, middle, &does, why);
        *(does ? &low : &high) = middle;
    }
    *rate = low;
    return outcome;
}
