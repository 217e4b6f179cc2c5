// SPDX-License-Identifier: Apache-2.0
#include "run/run_needs.h"

#include <math.h>
#include <stdlib.h>

#include "math/order.h"
#include "microzone/zone_needs.h"
#include "population/population_needs.h"
#include "run/gain.h"
#include "run/learning_needs.h"
#include "run/recording.h"
#include "run/tuning.h"
#include "spec/constants.h"

#define MAX_FOR_NORM 20000. // granule cells that λmax is computed from, to twice as many: scale.c
#define NORM_ROUNDS 30.     // of it

// A plan, and the sizes of each of its specs.
typedef struct planned {
    const lab_plan *plan;
    const lab_spec *spec;   // the whole experiment
    const lab_sizes *sizes; // (plan->count)
    lab_needs needs;        // of one run
    lab_needs once;         // of what repeats do not do again
} planned;

static const lab_sizes *sizes_of(const planned *it, int rule, int phase)
{
    return &it->sizes[it->plan->of[rule * it->plan->phases + phase]];
}

static double bytes_of(double numbers)
{
    return (double)sizeof(double) * numbers;
}

static bool measures_trials(const lab_spec *spec)
{
    return lab_asks_responses(spec) || lab_asks_gain(spec) || lab_asks_windows(spec);
}

// ---- the rules -------------------------------------------------------------------------------

static void add_setups(const planned *it, lab_needs *needs)
{
    const lab_plan *plan = it->plan;
    for (int i = 0; i < plan->rules; i++)
        for (int p = 0; p < plan->phases; p++) {
            const lab_spec *spec = lab_planned(plan, i, p);
            bool is_new = true;
            for (int k = 0; k < i; k++)
                is_new &= lab_planned(plan, k, p) != spec;
            if (is_new)
                lab_setup_needs(needs, sizes_of(it, i, p), spec, p == 0);
            lab_rule_needs(needs, sizes_of(it, i, p), spec, &lab_rules(spec)[i]);
        }
}

static void add_rules(planned *it)
{
    const lab_plan *plan = it->plan;
    for (int i = 0; i < plan->rules; i++) {
        lab_reactive_needs(&it->needs, sizes_of(it, i, 0));
        for (int p = 0; p < plan->phases; p++) {
            const lab_spec *spec = lab_planned(plan, i, p);
            const lab_rule_spec *rule = &lab_rules(spec)[i];
            const bool may_compute = plan->phases == 1 && !measures_trials(spec);
            lab_phase_needs(&it->needs, sizes_of(it, i, p), spec, rule,
                            lab_way_of(spec, rule, may_compute, true), spec->learning.trials, true);
        }
    }
}

// What is recorded: signals of every rule, and the tables of the main one.
static void add_record(planned *it)
{
    const lab_plan *plan = it->plan;
    const lab_sizes *main = sizes_of(it, it->spec->main_rule, 0);
    for (int i = 0; i < plan->rules; i++)
        it->needs.kept += bytes_of(sizes_of(it, i, 0)->steps * (6 + 8 * plan->phases) +
                                   6. * lab_spec_trials(it->spec));
    it->needs.kept += bytes_of(2 * main->steps * main->bases);
    it->needs.times[LAB_NEEDS_WIDE] += main->steps * main->bases * main->path;
}

// ---- what is tried ---------------------------------------------------------------------------

static void add_scan(planned *it)
{
    const double delays = lab_scan_count(&it->spec->delay_scan);
    const lab_spec *spec = lab_planned(it->plan, 0, 0);
    lab_rule_spec rule = lab_rules(spec)[0];
    lab_needs one = {0};
    rule.trace = LAB_TRACE_DELAY;
    lab_phase_needs(&one, sizes_of(it, 0, 0), spec, &rule, lab_way_of(spec, &rule, true, false),
                    it->spec->delay_scan.trial, false);
    lab_needs_add(&it->needs, &one, delays);
}

// What an evaluation of a rule's constants makes anew. Where all share HᵀH, so does its spectrum.
static void add_making(lab_needs *one, const lab_sizes *sizes, const lab_spec *spec,
                       const lab_rule_spec *of)
{
    const bool all = lab_constants_reach(spec, of) == LAB_REACHES_ALL;
    const bool shares = of->update == LAB_PRECONDITIONED && !all && lab_way_lifts(spec, of);
    if (of->tune.count > 0 && !shares)
        lab_rule_needs(one, sizes, spec, of);
    if (of->tune.count > 0 && all)
        lab_setup_needs(one, sizes, spec, true);
}

static void add_evaluations(planned *it, int rule, double count)
{
    const lab_spec *spec = lab_planned(it->plan, rule, 0);
    const lab_rule_spec *of = &lab_rules(spec)[rule];
    const lab_sizes *sizes = sizes_of(it, rule, 0);
    const double trials = spec->learning.trials;
    lab_needs one = {0};
    add_making(&one, sizes, spec, of);
    if (lab_way_lifts(spec, of))
        lab_lift_needs(&one, sizes, spec, of, trials);
    else
        lab_phase_needs(&one, sizes, spec, of, lab_way_of(spec, of, false, false), trials, false);
    one.passing += one.kept; // each is freed before the next
    one.kept = 0;
    lab_needs_add(&it->once, &one, count);
}

static void add_tuning(planned *it)
{
    for (int i = 0; i < it->plan->rules; i++) {
        const int count = lab_evaluations_of(it->spec, i);
        if (count > 0)
            add_evaluations(it, i, count);
    }
}

// ---- more synapses ---------------------------------------------------------------------------

static void add_size(planned *it, double synapses)
{
    const lab_sizes *sizes = sizes_of(it, it->spec->main_rule, 0);
    const lab_basis_spec *bank = lab_banks(it->spec);
    const double burst = cfpci_min(sizes->steps, 5 * bank->last_ms / it->spec->step_ms);
    const double for_norm = cfpci_min(synapses, 2 * MAX_FOR_NORM);
    lab_needs *needs = &it->needs;
    needs->times[LAB_NEEDS_FIRING] += it->spec->scale.trials * sizes->steps * synapses;
    needs->times[LAB_NEEDS_SINGLE] += NORM_ROUNDS * 2 * sizes->steps * sizes->path;
    needs->times[LAB_NEEDS_WIDE] += NORM_ROUNDS * 2 * for_norm * burst;
    lab_needs_add(needs, &sizes->step, 2 * it->spec->scale.trials * sizes->steps);
    lab_needs_pass(needs, bytes_of(synapses * (4 + sizes->late)));
}

static void add_scale(planned *it)
{
    const lab_scale_spec *scale = &it->spec->scale;
    for (int i = 0; scale->place.line > 0 && i < scale->sizes.columns; i++)
        add_size(it, scale->sizes.values[i]);
}

// ---- all of it -------------------------------------------------------------------------------

static void add_all(planned *it)
{
    const lab_spec *spec = it->spec;
    add_setups(it, &it->needs);
    add_rules(it);
    add_record(it);
    if (spec->delay_scan.place.line > 0)
        add_scan(it);
    add_scale(it);
    add_tuning(it);
    if (spec->population.place.line > 0)
        lab_population_needs(&it->once, &spec->population, spec->step_ms);
    if (spec->zone.place.line > 0)
        lab_zone_needs(&it->once, sizes_of(it, spec->main_rule, 0), spec);
}

// A repeat has a record of its own beside the first; setups are freed after each run.
static void repeat(lab_needs *needs, const planned *it)
{
    const double runs = it->spec->runs;
    *needs = it->once;
    lab_needs_add(needs, &it->needs, runs);
}

lab_outcome lab_run_needs(lab_needs *needs, lab_needs *before, const lab_plan *plan, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    lab_sizes *sizes = calloc((size_t)plan->count, sizeof *sizes);
    if (!sizes)
        return lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < plan->count; i++)
        outcome = lab_sizes_make(&sizes[i], &plan->specs[i], why);
    if (outcome == LAB_DONE) {
        planned it = {.plan = plan, .spec = plan->spec, .sizes = sizes};
        *before = (lab_needs){0};
        add_setups(&it, before);
        if (plan->spec->zone.place.line > 0)
            lab_zone_before_needs(before, sizes_of(&it, plan->spec->main_rule, 0), plan->spec);
        add_all(&it);
        repeat(needs, &it);
    }
    free(sizes);
    return outcome;
}
