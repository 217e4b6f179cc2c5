// SPDX-License-Identifier: Apache-2.0
#include "run/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Whether a rule is tuned: not if it has a rate of its own.
static bool tunes_rule(const lab_spec *spec, int rule)
{
    const lab_rule_spec *of = &lab_rules(spec)[rule];
    return lab_tunes(spec) && isnan(of->rate) && isnan(of->rate_fraction);
}

int lab_tuning_work(const lab_spec *spec)
{
    int work = 0;
    for (int i = 0; i < spec->rules.count; i++)
        work += tunes_rule(spec, i) ? spec->tune.rates.columns : 0;
    return work;
}

// What rates are multiples of: 1/λmax(HᵀH) or the like, or 1 where the update is scaled already.
static double unit_of(const lab_setup *setup, const lab_rule_spec *of, int rule)
{
    return of->update == LAB_PLAIN ? 1 / setup->rule[rule].scale : 1;
}

// Error at the last trial of the first phase, at this rate. Infinite if it
// diverged.
static lab_outcome try_rate(double *rrmse, const lab_setup *setup, const lab_rule *rule,
                            const char *name, double rate, lab_pace *pace, lab_why *why)
{
    lab_rule tried = *rule; // borrows trace and preconditioner
    tried.rate = rate;
    tried.rule.rate = (cfpc_real)rate;
    double *weights = calloc((size_t)setup->bases, sizeof *weights);
    double *curve = calloc((size_t)setup->rig.trials, sizeof *curve);
    lab_phase_run phase = {.setup = setup,
                           .rule = &tried,
                           .name = name,
                           .trials = setup->rig.trials,
                           .weights = weights,
                           .rrmse = curve,
                           .may_compute = true};
    lab_pace silent = {0}; // one tick per rate, not per trial
    lab_outcome outcome = weights && curve ? LAB_DONE : lab_no_memory(why, NULL);
    if (outcome == LAB_DONE)
        outcome = lab_run_phase(&phase, &silent, why);
    if (outcome == LAB_DONE)
        *rrmse = phase.diverged_at > 0 ? INFINITY : curve[setup->rig.trials - 1];
    free(weights);
    free(curve);
    return outcome == LAB_DONE ? lab_tick(pace, name, why) : outcome;
}

static void take_rate(lab_variants *variants, int rule, double rate)
{
    for (int p = 0; p < variants->phases; p++) {
        lab_rule *of =
            &variants->setups[variants->plan->of[rule * variants->phases + p]].rule[rule];
        of->rate = rate;
        of->rule.rate = (cfpc_real)rate;
    }
}

static lab_outcome tune_rule(lab_record *whole, lab_variants *variants, const lab_spec *spec,
                             int rule, lab_pace *pace, lab_why *why)
{
    lab_rule_record *record = &whole->rule[rule];
    const lab_setup *setup = lab_variant(variants, rule, 0);
    const lab_numbers *rates = &spec->tune.rates;
    const double unit = unit_of(setup, &lab_rules(spec)[rule], rule);
    int best = 0;
    record->tuning = lab_take(&whole->arena, (size_t)rates->columns, sizeof *record->tuning);
    lab_outcome outcome = record->tuning ? LAB_DONE : lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < rates->columns; i++) {
        outcome = try_rate(&record->tuning[i], setup, &setup->rule[rule], record->name,
                           rates->values[i] * unit, pace, why);
        if (record->tuning[i] < record->tuning[best])
            best = i;
    }
    if (outcome != LAB_DONE)
        return outcome;
    record->tuned = best;
    record->rate = rates->values[best] * unit;
    take_rate(variants, rule, record->rate);
    return LAB_DONE;
}

lab_outcome lab_tune(lab_record *record, lab_variants *variants, const lab_spec *spec,
                     lab_pace *pace, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < record->rules; i++)
        if (tunes_rule(spec, i))
            outcome = tune_rule(record, variants, spec, i, pace, why);
    return outcome;
}
