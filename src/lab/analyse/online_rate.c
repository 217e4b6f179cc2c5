// SPDX-License-Identifier: Apache-2.0
#include "analyse/online_rate.h"

#include <math.h>

#include "run/cell.h"

enum {
    MAX_STEPS = 40,    // up and down
    FEWEST_TRIALS = 16 // where the signals go on: fewer would depend on chance
};

#define FAR_BELOW 16.0    // the rate of the spec: there the search begins
#define STEP 1.4          // by which it goes up
#define CLOSE_ENOUGH 1.02 // of the two rates between which the border lies
#define ROUGHLY 1.2       // likewise, near a rate that is known

#define VANISHED (CFPC_REAL_IS_FLOAT ? 1e-20 : 1e-200) // of weights that were 1
#define BOUNDLESS (CFPC_REAL_IS_FLOAT ? 1e20 : 1e200)
#define STILL 1e-6 // weights that nothing sees stay as they are, but for rounding

static bool is_endless(const lab_signal_spec *signal)
{
    return lab_family_of_signal(signal->kind) == LAB_ENDLESS;
}

// Whether the basis signals go on beyond the trials of the spec as they were: what a difference in
// the weights becomes depends on nothing else.
static bool online_rate_goes_on(const lab_simulation *simulation, const lab_spec *spec)
{
    if (simulation->basis.going_count > 0)
        return false;
    for (int i = 0; !spec->task.repeats && i < simulation->basis.driven_count; i++) {
        const lab_driven *driven = &simulation->basis.driven[i];
        if (driven->spec->input == LAB_FROM_REFERENCE && !is_endless(&spec->task.reference))
            return false;
        if (driven->spec->input == LAB_FROM_DISTURBANCE &&
            !is_endless(&lab_disturbances(spec)[driven->source].signal))
            return false;
    }
    return true;
}

static double online_rate_size_of(const cfpc_real *w, int count)
{
    double most = 0, sum = 0;
    for (int j = 0; j < count; j++)
        if (!(fabs((double)w[j]) <= most)) // true for a NaN
            most = fabs((double)w[j]);
    for (int j = 0; j < count && most > 0; j++)
        sum += ((double)w[j] / most) * ((double)w[j] / most);
    return most * sqrt(sum);
}

// Runs the trials from weights of 1 in a silent world. The weights go to 0 or to
// infinity without rounding errors of another scale: everything is proportional to them.
static void run_silent(const lab_setup *setup, lab_simulation *simulation, lab_cell *cell,
                       bool *settles)
{
    const int wanted = setup->rig.spec->learning.trials;
    const int trials = wanted < FEWEST_TRIALS && online_rate_goes_on(simulation, setup->rig.spec)
                           ? FEWEST_TRIALS
                       : wanted > 1 ? wanted
                                    : 2;
    double half = 0, size = 1;
    for (int j = 0; j < setup->bases; j++)
        cfpc_weights(cell->data)[j] = 1;
    for (int k = 0; k < trials && size > VANISHED && size < BOUNDLESS; k++) {
        lab_trial none = {0};
        lab_simulate_trial(&setup->rig, simulation, cell, setup->rig.first + k, &none);
        size = online_rate_size_of(cfpc_weights(cell->data), setup->bases);
        half = k == trials / 2 - 1 ? size : half;
    }
    *settles = size <= VANISHED || (size < BOUNDLESS && size <= half * (1 + STILL));
}

// A search between a rate that settles and one that does not.
typedef struct search {
    const lab_setup *setup;
    const lab_rule *rule;
    double low, high; // 0: none
} search;

// Whether a difference in the weights goes away at this rate.
static lab_outcome online_rate_try_rate(search *search, double rate, bool *does, lab_why *why)
{
    const lab_setup *setup = search->setup;
    lab_simulation simulation;
    lab_cell cell = {0};
    lab_rule other = *search->rule;
    other.rate = rate;
    other.rule.rate = (cfpc_real)rate;
    *does = false;
    lab_outcome outcome = lab_simulation_make(&simulation, &setup->rig, why);
    if (outcome == LAB_DONE)
        outcome =
            lab_from_status(why, lab_cell_make(&cell, setup, &other, false), setup->rig.spec->file);
    simulation.silent = true;
    if (outcome == LAB_DONE)
        run_silent(setup, &simulation, &cell, does);
    lab_cell_free(&cell);
    lab_simulation_free(&simulation);
    *(*does ? &search->low : &search->high) = rate;
    return outcome;
}

// By this factor, to the first rate that does otherwise than `does`.
static lab_outcome go(search *search, double rate, double by, bool does, lab_why *why)
{
    bool still = does;
    lab_outcome outcome = LAB_DONE;
    for (int k = 0; outcome == LAB_DONE && still == does && k < MAX_STEPS; k++) {
        rate *= by;
        outcome = online_rate_try_rate(search, rate, &still, why);
    }
    return outcome;
}

// Without a border, none settles or all do: 0.
static lab_outcome narrow(search *search, double enough, double *rate, lab_why *why)
{
    bool does;
    lab_outcome outcome = LAB_DONE;
    if (search->low == 0 || search->high == 0)
        return LAB_DONE;
    while (outcome == LAB_DONE && search->high > enough * search->low)
        outcome = online_rate_try_rate(search, sqrt(search->low * search->high), &does, why);
    *rate = search->low;
    return outcome;
}

lab_outcome lab_online_rate_max(double *rate, const lab_setup *setup, const lab_rule *rule,
                                lab_why *why)
{
    search search = {.setup = setup, .rule = rule};
    *rate = 0;
    lab_outcome outcome = go(&search, rule->rate, 1 / FAR_BELOW, false, why);
    search.high = 0; // there may be others between
    if (outcome == LAB_DONE && search.low > 0)
        outcome = go(&search, search.low, STEP, true, why);
    return outcome == LAB_DONE ? narrow(&search, CLOSE_ENOUGH, rate, why) : outcome;
}

lab_outcome lab_online_rate_near(double *rate, const lab_setup *setup, const lab_rule *rule,
                                 double near, lab_why *why)
{
    search search = {.setup = setup, .rule = rule};
    bool does = false;
    *rate = 0;
    lab_outcome outcome = online_rate_try_rate(&search, near, &does, why);
    if (outcome == LAB_DONE)
        outcome = go(&search, near, does ? STEP : 1 / STEP, does, why);
    return outcome == LAB_DONE ? narrow(&search, ROUGHLY, rate, why) : outcome;
}
