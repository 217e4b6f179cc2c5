// SPDX-License-Identifier: Apache-2.0
#include "run/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/halton.h"
#include "math/elementary.h"
#include "math/order.h"
#include "run/lifted.h"
#include "spec/constants.h"

// The box around the best, as a share of the ranges: half its width at first and at last.
#define FIRST_BOX 0.25
#define LAST_BOX 0.001

// A rule that is tuned.
typedef struct tuner {
    lab_variants *variants;
    int rule;
    const lab_rule_spec *of;
    lab_setup base; // of the first phase; borrowed
    lab_tuning *tuning;
    lab_pace *pace;
    lab_why *why;
} tuner;

// How often a rule is tried; 0: it is not tuned.
static int evaluations_of(const lab_spec *spec, int rule)
{
    if (!lab_tunes(spec))
        return 0;
    return lab_rules(spec)[rule].tune.count > 0 ? spec->tune.evaluations
           : lab_scans_rates(spec, rule)        ? spec->tune.rate_fractions.columns
                                                : 0;
}

int lab_tuning_work(const lab_spec *spec)
{
    int work = 0;
    for (int i = 0; i < spec->rules.count; i++)
        work += evaluations_of(spec, i);
    return work;
}

// ---- one evaluation --------------------------------------------------------------------------

// The error of a rule of a setup in its first phase, computed or on the loop. Infinite if it has a
// trial whose error has no finite energy.
static lab_outcome evaluate(const tuner *tuner, const lab_setup *setup, const lab_rule *rule,
                            double *error)
{
    const int trials = setup->rig.trials;
    double sum = 0, *weights = calloc((size_t)setup->bases, sizeof *weights);
    double *rrmse = calloc((size_t)trials, sizeof *rrmse);
    lab_pace silent = {0}; // one tick per evaluation, not per trial
    lab_phase_run phase = {.setup = setup,
                           .rule = rule,
                           .name = tuner->of->name,
                           .trials = trials,
                           .weights = weights,
                           .rrmse = rrmse};
    if (!weights || !rrmse) {
        free(weights);
        free(rrmse);
        return lab_no_memory(tuner->why, NULL);
    }
    const lab_outcome outcome = lab_can_lift(setup, rule)
                                    ? lab_lift(setup, rule, trials, rrmse, weights, tuner->why)
                                    : lab_run_phase(&phase, &silent, tuner->why);
    if (outcome == LAB_DONE) {
        bool finite = true;
        for (int k = 0; k < trials; k++) {
            finite &= isfinite(cfpci_pow(rrmse[k] * setup->baseline, 2)) != 0;
            sum += rrmse[k];
        }
        const bool by_mean = setup->rig.spec->tune.by == LAB_TUNE_BY_MEAN;
        *error = !finite ? INFINITY : by_mean ? sum / trials : rrmse[trials - 1];
    }
    free(weights);
    free(rrmse);
    return outcome;
}

// What rates are multiples of: 1/λmax(HᵀH) or the like, or 1 where the update is scaled already.
static double tuning_unit_of(const lab_setup *setup, const lab_rule_spec *rule_spec, int rule)
{
    return rule_spec->update == LAB_PLAIN ? 1 / setup->rule[rule].scale : 1;
}

static lab_reach tuning_reach_of(const lab_plan *plan, int rule)
{
    return lab_constants_reach(lab_planned(plan, rule, 0), &lab_rules(plan->spec)[rule]);
}

// Values with which the rule cannot be made are as bad as can be.
static lab_outcome try_constants(const tuner *tuner, const double *values, double *error)
{
    const lab_tuned tuned = {.rule = tuner->rule, .values = values};
    lab_plan plan = *tuner->variants->plan;
    lab_setup setup;
    lab_outcome outcome;
    *error = INFINITY;
    if (tuning_reach_of(&plan, tuner->rule) == LAB_REACHES_ALL) {
        plan.tuned = &tuned; // all that is made of the rule's spec is made again
        outcome = lab_setup_make(&setup, &plan, tuner->rule, 0, tuner->why);
        if (outcome == LAB_DONE)
            outcome = lab_setup_scale(&setup, 1, tuner->why);
        if (outcome == LAB_DONE)
            outcome = evaluate(tuner, &setup, &setup.rule[tuner->rule], error);
        lab_setup_free(&setup);
    } else {
        outcome = lab_setup_vary(&setup, &tuner->base, tuner->rule, values, tuner->why);
        if (outcome == LAB_DONE)
            outcome = evaluate(tuner, &setup, &setup.rule[tuner->rule], error);
        lab_setup_vary_free(&setup);
    }
    return outcome == LAB_REFUSED ? LAB_DONE : outcome;
}

// ---- the search ------------------------------------------------------------------------------

// Where, as shares of the ranges, to try next, given the best so far.
static void tuning_choose(const lab_tuning *tuning, int k, const double *best, double *shares)
{
    const int half = tuning->evaluations / 2;
    const double progress = k < half ? 0 : (double)(k - half) / (tuning->evaluations - half);
    const double box = FIRST_BOX * cfpci_pow(LAST_BOX / FIRST_BOX, progress);
    for (int i = 0; i < tuning->constants; i++) {
        const double share = lab_halton(k + 1, i);
        shares[i] = k < half ? share : cfpci_min(1, cfpci_max(0, best[i] + box * (2 * share - 1)));
    }
}

// The k-th evaluation, at values that are known.
static lab_outcome try_one(const tuner *tuner, int k)
{
    lab_tuning *tuning = tuner->tuning;
    const size_t row = (size_t)tuning->constants;
    const double *values = tuning->values + (size_t)k * row;
    lab_outcome outcome = LAB_DONE;
    // An earlier one may have had the same values, which times may be rounded to.
    int same = 0;
    while (same < k &&
           memcmp(tuning->values + (size_t)same * row, values, row * sizeof *values) != 0)
        same++;
    if (same < k)
        tuning->error[k] = tuning->error[same];
    else if (tuner->of->tune.count > 0)
        outcome = try_constants(tuner, values, &tuning->error[k]);
    else {
        lab_rule tried = tuner->base.rule[tuner->rule]; // borrows all that it has
        tried.rate = *values * tuning_unit_of(&tuner->base, tuner->of, tuner->rule);
        tried.rule.rate = (cfpc_real)tried.rate;
        outcome = evaluate(tuner, &tuner->base, &tried, &tuning->error[k]);
    }
    if (outcome == LAB_DONE && tuning->error[k] < tuning->error[tuning->best])
        tuning->best = k;
    return outcome == LAB_DONE ? lab_tick(tuner->pace, tuner->of->name, tuner->why) : outcome;
}

// Tries all: the rates of the spec, or points of the search, or the values that the spec gives.
static lab_outcome tuning_search(const tuner *tuner)
{
    lab_tuning *tuning = tuner->tuning;
    const lab_spec *spec = lab_planned(tuner->variants->plan, tuner->rule, 0);
    const lab_numbers *rates = &tuner->variants->plan->spec->tune.rate_fractions;
    double shares[LAB_HALTON_MAX] = {0}, best[LAB_HALTON_MAX] = {0};
    lab_outcome outcome = LAB_DONE;
    for (int k = 0; outcome == LAB_DONE && k < tuning->evaluations; k++) {
        double *values = tuning->values + (ptrdiff_t)k * tuning->constants;
        tuning_choose(tuning, k, best, shares);
        if (tuner->of->tune.count == 0)
            values[0] = rates->values[k];
        for (int i = 0; i < tuner->of->tune.count; i++) {
            const lab_constant_spec *constant = &lab_constants(tuner->of)[i];
            values[i] = lab_searches(spec) ? lab_constant_value(spec, constant, shares[i])
                                           : lab_constant_given(spec, tuner->rule, constant);
        }
        outcome = try_one(tuner, k);
        if (tuning->best == k)
            memcpy(best, shares, sizeof best);
    }
    return outcome;
}

// ---- all rules -------------------------------------------------------------------------------

// The setups of a rule get what was found: a rate, or constants, which may need new setups.
static lab_outcome take_found(lab_variants *variants, int rule, const lab_tuning *tuning,
                              lab_why *why)
{
    const lab_rule_spec *rule_spec = &lab_rules(variants->plan->spec)[rule];
    const double *values = tuning->values + (size_t)tuning->best * (size_t)tuning->constants;
    const lab_tuned tuned = {.rule = rule, .values = values};
    lab_plan plan = *variants->plan;
    lab_setup *first = &variants->setups[plan.of[rule * plan.phases]];
    const double rate = *values * tuning_unit_of(first, rule_spec, rule);
    const bool fresh = rule_spec->tune.count > 0 && tuning_reach_of(&plan, rule) == LAB_REACHES_ALL;
    lab_outcome outcome = LAB_DONE;
    plan.tuned = &tuned;
    for (int p = 0; outcome == LAB_DONE && p < variants->phases; p++) {
        lab_setup *setup = &variants->setups[plan.of[rule * plan.phases + p]];
        if (rule_spec->tune.count == 0) {
            setup->rule[rule].rate = rate;
            setup->rule[rule].rule.rate = (cfpc_real)rate;
        } else if (fresh) {
            lab_setup_free(setup);
            outcome = lab_setup_make(setup, &plan, rule, p, why);
        } else
            outcome = lab_setup_take(setup, rule, values, why);
    }
    return outcome == LAB_DONE && fresh ? lab_setup_scale(first, variants->phases, why) : outcome;
}

static lab_outcome tune_rule(lab_tuning *tuning, lab_variants *variants, int rule, lab_pace *pace,
                             lab_why *why)
{
    tuner tuner = {.variants = variants,
                   .rule = rule,
                   .of = &lab_rules(variants->plan->spec)[rule],
                   .base = *lab_variant(variants, rule, 0),
                   .tuning = tuning,
                   .pace = pace,
                   .why = why};
    lab_arena arena = {0};
    lab_spectrum spectrum;
    lab_outcome outcome = LAB_DONE;
    // All evaluations may share HᵀH, of which each would need an inverse.
    if (tuner.of->tune.count > 0 && tuner.of->update == LAB_PRECONDITIONED &&
        tuning_reach_of(variants->plan, rule) < LAB_REACHES_ALL &&
        lab_can_lift(&tuner.base, &tuner.base.rule[rule])) {
        outcome = lab_spectrum_make(&spectrum, &tuner.base, &arena, why);
        tuner.base.spectrum = &spectrum;
    }
    if (outcome == LAB_DONE)
        outcome = tuning_search(&tuner);
    lab_arena_free(&arena);
    return outcome == LAB_DONE ? take_found(variants, rule, tuning, why) : outcome;
}

lab_outcome lab_tuning_begin(lab_record *record, const lab_spec *spec, lab_why *why)
{
    lab_arena *arena = &record->arena;
    record->tuning = lab_take(arena, (size_t)spec->rules.count, sizeof *record->tuning);
    for (int i = 0; !arena->failed && i < spec->rules.count; i++) {
        const lab_rule_spec *rule_spec = &lab_rules(spec)[i];
        const int constants = rule_spec->tune.count > 0 ? rule_spec->tune.count : 1;
        const size_t count = (size_t)evaluations_of(spec, i);
        lab_tuning *tuning = &record->tuning[i];
        if (count == 0)
            continue;
        *tuning = (lab_tuning){.constants = constants,
                               .evaluations = (int)count,
                               .keys = lab_take(arena, (size_t)constants, sizeof *tuning->keys),
                               .values = lab_take(arena, count * (size_t)constants, sizeof(double)),
                               .error = lab_take(arena, count, sizeof(double))};
        for (int k = 0; tuning->keys && k < constants; k++)
            snprintf(tuning->keys[k].text, sizeof tuning->keys[k].text, "%s",
                     rule_spec->tune.count > 0 ? lab_constants(rule_spec)[k].key : "rate_fraction");
    }
    return arena->failed ? lab_no_memory(why, NULL) : LAB_DONE;
}

lab_outcome lab_tune(lab_record *record, lab_variants *variants, lab_pace *pace, lab_why *why)
{
    lab_outcome outcome = lab_tuning_begin(record, variants->plan->spec, why);
    for (int i = 0; outcome == LAB_DONE && i < variants->rules; i++)
        if (record->tuning[i].constants > 0)
            outcome = tune_rule(&record->tuning[i], variants, i, pace, why);
    return outcome;
}

lab_outcome lab_tune_as(lab_variants *variants, const lab_record *found, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < variants->rules; i++)
        if (found->tuning[i].constants > 0)
            outcome = take_found(variants, i, &found->tuning[i], why);
    return outcome;
}
