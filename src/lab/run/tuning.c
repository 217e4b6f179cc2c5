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

int lab_evaluations_of(const lab_spec *spec, int rule)
{
    if (!lab_tunes(spec))
        return 0;
    return lab_rules(spec)[rule].tune.count > 0 ? spec->tune.evaluations
           : lab_scans_rates(spec, rule)        ? spec->tune.rates.columns
                                                : 0;
}

int lab_tuning_work(const lab_spec *spec)
{
    int work = 0;
    for (int i = 0; i < spec->rules.count; i++)
        work += lab_evaluations_of(spec, i);
    return work;
}

// ---- one evaluation --------------------------------------------------------------------------

// A curve as one figure. Infinite if it has a trial whose error has no finite energy.
static double judge(const lab_setup *setup, const double *rrmse)
{
    const int trials = setup->rig.trials;
    double sum = 0;
    for (int k = 0; k < trials; k++) {
        if (!isfinite(cfpci_pow(rrmse[k] * setup->baseline, 2)))
            return INFINITY;
        sum += rrmse[k];
    }
    return setup->rig.spec->tune.by == LAB_TUNE_BY_MEAN ? sum / trials : rrmse[trials - 1];
}

// The first phase, computed or on the loop.
static lab_outcome learn(const lab_setup *setup, const lab_rule *rule, const char *name,
                         double *rrmse, double *weights, lab_why *why)
{
    lab_pace silent = {0}; // one tick per evaluation, not per trial
    lab_phase_run phase = {.setup = setup,
                           .rule = rule,
                           .name = name,
                           .trials = setup->rig.trials,
                           .weights = weights,
                           .rrmse = rrmse};
    return lab_can_lift(setup, rule) ? lab_lift(setup, rule, setup->rig.trials, rrmse, weights, why)
                                     : lab_run_phase(&phase, &silent, why);
}

// The error of a rule of a setup in its first phase.
static lab_outcome evaluate(const tuner *it, const lab_setup *setup, const lab_rule *rule,
                            double *error)
{
    double *weights = calloc((size_t)setup->bases, sizeof *weights);
    double *rrmse = calloc((size_t)setup->rig.trials, sizeof *rrmse);
    lab_outcome outcome = weights && rrmse ? LAB_DONE : lab_no_memory(it->why, NULL);
    if (outcome == LAB_DONE)
        outcome = learn(setup, rule, it->of->name, rrmse, weights, it->why);
    if (outcome == LAB_DONE)
        *error = judge(setup, rrmse);
    free(weights);
    free(rrmse);
    return outcome;
}

// ---- rates -----------------------------------------------------------------------------------

// What rates are multiples of: 1/λmax(HᵀH) or the like, or 1 where the update is scaled already.
static double unit_of(const lab_setup *setup, const lab_rule_spec *of, int rule)
{
    return of->update == LAB_PLAIN ? 1 / setup->rule[rule].scale : 1;
}

static void take_rate(lab_variants *variants, int rule, double multiple)
{
    const lab_rule_spec *of = &lab_rules(variants->plan->spec)[rule];
    const double rate = multiple * unit_of(lab_variant(variants, rule, 0), of, rule);
    for (int p = 0; p < variants->phases; p++) {
        lab_rule *learns =
            &variants->setups[variants->plan->of[rule * variants->phases + p]].rule[rule];
        learns->rate = rate;
        learns->rule.rate = (cfpc_real)rate;
    }
}

static lab_outcome try_rate(const tuner *it, const double *multiple, double *error)
{
    const lab_setup *setup = &it->base;
    lab_rule tried = setup->rule[it->rule]; // borrows all that it has
    tried.rate = *multiple * unit_of(setup, it->of, it->rule);
    tried.rule.rate = (cfpc_real)tried.rate;
    return evaluate(it, setup, &tried, error);
}

// ---- constants -------------------------------------------------------------------------------

// All that is made of the rule's spec is made again.
static lab_outcome try_anew(const tuner *it, const double *values, double *error)
{
    const lab_tuned tuned = {.rule = it->rule, .values = values};
    lab_plan plan = *it->variants->plan;
    lab_setup setup;
    plan.tuned = &tuned;
    lab_outcome outcome = lab_setup_make(&setup, &plan, it->rule, 0, it->why);
    if (outcome == LAB_DONE)
        outcome = lab_setup_scale(&setup, 1, it->why);
    if (outcome == LAB_DONE)
        outcome = evaluate(it, &setup, &setup.rule[it->rule], error);
    lab_setup_free(&setup);
    return outcome;
}

static lab_outcome try_varied(const tuner *it, const double *values, double *error)
{
    lab_setup varied;
    lab_outcome outcome = lab_setup_vary(&varied, &it->base, it->rule, values, it->why);
    if (outcome == LAB_DONE)
        outcome = evaluate(it, &varied, &varied.rule[it->rule], error);
    lab_setup_vary_free(&varied);
    return outcome;
}

static lab_reach reach_of(const lab_plan *plan, int rule)
{
    return lab_constants_reach(lab_planned(plan, rule, 0), &lab_rules(plan->spec)[rule]);
}

// Values with which the rule cannot be made are as bad as can be.
static lab_outcome try_constants(const tuner *it, const double *values, double *error)
{
    *error = INFINITY;
    const lab_outcome outcome = reach_of(it->variants->plan, it->rule) == LAB_REACHES_ALL
                                    ? try_anew(it, values, error)
                                    : try_varied(it, values, error);
    return outcome == LAB_REFUSED ? LAB_DONE : outcome;
}

static lab_outcome take_anew(lab_variants *variants, int rule, const double *values, lab_why *why)
{
    const lab_tuned tuned = {.rule = rule, .values = values};
    lab_plan plan = *variants->plan;
    lab_setup *setups = &variants->setups[plan.of[rule * variants->phases]];
    lab_outcome outcome = LAB_DONE;
    plan.tuned = &tuned;
    for (int p = 0; outcome == LAB_DONE && p < variants->phases; p++) {
        lab_setup_free(&setups[p]);
        outcome = lab_setup_make(&setups[p], &plan, rule, p, why);
    }
    return outcome == LAB_DONE ? lab_setup_scale(setups, variants->phases, why) : outcome;
}

static lab_outcome take_constants(lab_variants *variants, int rule, const double *values,
                                  lab_why *why)
{
    const lab_plan *plan = variants->plan;
    if (reach_of(plan, rule) == LAB_REACHES_ALL)
        return take_anew(variants, rule, values, why);
    lab_outcome outcome = LAB_DONE;
    for (int p = 0; outcome == LAB_DONE && p < variants->phases; p++)
        outcome = lab_setup_take(&variants->setups[plan->of[rule * variants->phases + p]], rule,
                                 values, why);
    return outcome;
}

// ---- the search ------------------------------------------------------------------------------

// Where, as shares of the ranges, to try next, given the best so far.
static void choose(const lab_tuning *tuning, int k, const double *best, double *shares)
{
    const int half = tuning->evaluations / 2;
    const double progress = k < half ? 0 : (double)(k - half) / (tuning->evaluations - half);
    const double box = FIRST_BOX * cfpci_pow(LAST_BOX / FIRST_BOX, progress);
    for (int i = 0; i < tuning->constants; i++) {
        const double share = lab_halton(k + 1, i);
        shares[i] = k < half ? share : cfpci_min(1, cfpci_max(0, best[i] + box * (2 * share - 1)));
    }
}

// An earlier evaluation at the same values, which times may be rounded to; -1 if there is none.
static int same_as(const lab_tuning *tuning, int k)
{
    const size_t row = (size_t)tuning->constants;
    for (int i = 0; i < k; i++)
        if (memcmp(tuning->values + (size_t)i * row, tuning->values + (size_t)k * row,
                   row * sizeof(double)) == 0)
            return i;
    return -1;
}

// The k-th evaluation, at values that are known.
static lab_outcome try_one(const tuner *it, int k)
{
    lab_tuning *tuning = it->tuning;
    const double *values = tuning->values + (size_t)k * (size_t)tuning->constants;
    const int same = same_as(tuning, k);
    lab_outcome outcome = LAB_DONE;
    if (same >= 0)
        tuning->error[k] = tuning->error[same];
    else
        outcome = it->of->tune.count > 0 ? try_constants(it, values, &tuning->error[k])
                                         : try_rate(it, values, &tuning->error[k]);
    if (outcome == LAB_DONE && tuning->error[k] < tuning->error[tuning->best])
        tuning->best = k;
    return outcome == LAB_DONE ? lab_tick(it->pace, it->of->name, it->why) : outcome;
}

static double value_to_try(const tuner *it, int i, double share)
{
    const lab_spec *spec = lab_planned(it->variants->plan, it->rule, 0);
    const lab_constant_spec *constant = &lab_constants(it->of)[i];
    return lab_searches(spec) ? lab_constant_value(spec, constant, share)
                              : lab_constant_given(spec, it->rule, constant);
}

static lab_outcome search(const tuner *it)
{
    lab_tuning *tuning = it->tuning;
    double shares[LAB_HALTON_MAX], best[LAB_HALTON_MAX] = {0};
    lab_outcome outcome = LAB_DONE;
    for (int k = 0; outcome == LAB_DONE && k < tuning->evaluations; k++) {
        choose(tuning, k, best, shares);
        for (int i = 0; i < tuning->constants; i++)
            tuning->values[k * tuning->constants + i] = value_to_try(it, i, shares[i]);
        outcome = try_one(it, k);
        if (tuning->best == k)
            memcpy(best, shares, sizeof best);
    }
    return outcome;
}

static lab_outcome scan(const tuner *it, const lab_numbers *rates)
{
    lab_outcome outcome = LAB_DONE;
    for (int k = 0; outcome == LAB_DONE && k < it->tuning->evaluations; k++) {
        it->tuning->values[k] = rates->values[k];
        outcome = try_one(it, k);
    }
    return outcome;
}

// ---- all rules -------------------------------------------------------------------------------

static const double *found_values(const lab_tuning *tuning)
{
    return tuning->values + (size_t)tuning->best * (size_t)tuning->constants;
}

static lab_outcome take_found(lab_variants *variants, int rule, const lab_tuning *tuning,
                              lab_why *why)
{
    if (lab_rules(variants->plan->spec)[rule].tune.count > 0)
        return take_constants(variants, rule, found_values(tuning), why);
    take_rate(variants, rule, *found_values(tuning));
    return LAB_DONE;
}

// Memory for what is tried, and the keys.
static lab_outcome begin(lab_tuning *tuning, lab_arena *arena, const lab_spec *spec, int rule,
                         lab_why *why)
{
    const lab_rule_spec *of = &lab_rules(spec)[rule];
    const int constants = of->tune.count > 0 ? of->tune.count : 1;
    const size_t count = (size_t)lab_evaluations_of(spec, rule);
    *tuning = (lab_tuning){.constants = constants,
                           .evaluations = (int)count,
                           .keys = lab_take(arena, (size_t)constants, sizeof *tuning->keys),
                           .values = lab_take(arena, count * (size_t)constants, sizeof(double)),
                           .error = lab_take(arena, count, sizeof(double))};
    if (arena->failed)
        return lab_no_memory(why, NULL);
    for (int i = 0; i < constants; i++)
        snprintf(tuning->keys[i].text, sizeof tuning->keys[i].text, "%s",
                 of->tune.count > 0 ? lab_constants(of)[i].key : "rates");
    return LAB_DONE;
}

// Whether all evaluations share HᵀH, of which each would need an inverse.
static bool shares_gram(const tuner *it)
{
    return it->of->tune.count > 0 && it->of->update == LAB_PRECONDITIONED &&
           reach_of(it->variants->plan, it->rule) < LAB_REACHES_ALL &&
           lab_can_lift(&it->base, &it->base.rule[it->rule]);
}

static lab_outcome try_all(tuner *it, const lab_spec *spec)
{
    lab_arena arena = {0};
    lab_spectrum spectrum;
    lab_outcome outcome = LAB_DONE;
    if (shares_gram(it)) {
        outcome = lab_spectrum_make(&spectrum, &it->base, &arena, it->why);
        it->base.spectrum = &spectrum;
    }
    if (outcome == LAB_DONE)
        outcome = it->of->tune.count > 0 ? search(it) : scan(it, &spec->tune.rates);
    it->base.spectrum = NULL;
    lab_arena_free(&arena);
    return outcome;
}

static lab_outcome tune_rule(lab_tuning *tuning, lab_variants *variants, int rule, lab_pace *pace,
                             lab_why *why)
{
    const lab_spec *spec = variants->plan->spec;
    tuner it = {.variants = variants,
                .rule = rule,
                .of = &lab_rules(spec)[rule],
                .base = *lab_variant(variants, rule, 0),
                .tuning = tuning,
                .pace = pace,
                .why = why};
    const lab_outcome outcome = try_all(&it, spec);
    return outcome == LAB_DONE ? take_found(variants, rule, tuning, why) : outcome;
}

lab_outcome lab_tuning_begin(lab_record *record, const lab_spec *spec, lab_why *why)
{
    record->tuning = lab_take(&record->arena, (size_t)spec->rules.count, sizeof *record->tuning);
    lab_outcome outcome = record->tuning ? LAB_DONE : lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < spec->rules.count; i++)
        if (lab_evaluations_of(spec, i) > 0)
            outcome = begin(&record->tuning[i], &record->arena, spec, i, why);
    return outcome;
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
