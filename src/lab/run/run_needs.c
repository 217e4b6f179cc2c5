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

static const lab_sizes *run_needs_sizes_of(const planned *planned, int rule, int phase)
{
    return &planned->sizes[planned->plan->of[rule * planned->plan->phases + phase]];
}

static double run_needs_bytes_of(double numbers)
{
    return (double)sizeof(double) * numbers;
}

static bool measures_trials(const lab_spec *spec)
{
    return lab_asks_responses(spec) || lab_asks_gain(spec) || lab_asks_windows(spec);
}

// ---- the rules -------------------------------------------------------------------------------

static void add_setups(const planned *planned, lab_needs *needs)
{
    const lab_plan *plan = planned->plan;
    for (int i = 0; i < plan->rules; i++)
        for (int p = 0; p < plan->phases; p++) {
            const lab_spec *spec = lab_planned(plan, i, p);
            bool is_new = true;
            for (int k = 0; k < i; k++)
                is_new &= lab_planned(plan, k, p) != spec;
            if (is_new)
                lab_setup_needs(needs, run_needs_sizes_of(planned, i, p), spec, p == 0);
            lab_rule_needs(needs, run_needs_sizes_of(planned, i, p), spec, &lab_rules(spec)[i]);
        }
}

static void run_needs_add_rules(planned *planned)
{
    const lab_plan *plan = planned->plan;
    for (int i = 0; i < plan->rules; i++) {
        lab_reactive_needs(&planned->needs, run_needs_sizes_of(planned, i, 0));
        for (int p = 0; p < plan->phases; p++) {
            const lab_spec *spec = lab_planned(plan, i, p);
            const lab_rule_spec *rule = &lab_rules(spec)[i];
            const bool may_compute = plan->phases == 1 && !measures_trials(spec);
            lab_phase_needs(&planned->needs, run_needs_sizes_of(planned, i, p), spec, rule,
                            lab_way_of(spec, rule, may_compute, true), spec->learning.trials, true);
        }
    }
}

// What is recorded: signals of every rule, and the tables of the main one.
static void add_record(planned *planned)
{
    const lab_plan *plan = planned->plan;
    const lab_sizes *main = run_needs_sizes_of(planned, planned->spec->main_rule, 0);
    for (int i = 0; i < plan->rules; i++)
        planned->needs.kept +=
            run_needs_bytes_of(run_needs_sizes_of(planned, i, 0)->steps * (6 + 8 * plan->phases) +
                               6. * lab_spec_trials(planned->spec));
    planned->needs.kept += run_needs_bytes_of(2 * main->steps * main->bases);
    planned->needs.times[LAB_NEEDS_WIDE] += main->steps * main->bases * main->path;
}

// ---- what is tried ---------------------------------------------------------------------------

static void add_scan(planned *planned)
{
    const double delays = lab_scan_count(&planned->spec->delay_scan);
    const lab_spec *spec = lab_planned(planned->plan, 0, 0);
    lab_rule_spec rule = lab_rules(spec)[0];
    lab_needs one = {0};
    rule.trace = LAB_TRACE_DELAY;
    lab_phase_needs(&one, run_needs_sizes_of(planned, 0, 0), spec, &rule,
                    lab_way_of(spec, &rule, true, false), planned->spec->delay_scan.trial, false);
    lab_needs_add(&planned->needs, &one, delays);
}

// What an evaluation of a rule's constants computes again. Where all share HᵀH, so does its
// spectrum.
static void add_making(lab_needs *one, const lab_sizes *sizes, const lab_spec *spec,
                       const lab_rule_spec *rule_spec)
{
    const bool all = lab_constants_reach(spec, rule_spec) == LAB_REACHES_ALL;
    const bool shares =
        rule_spec->update == LAB_PRECONDITIONED && !all && lab_way_lifts(spec, rule_spec);
    if (rule_spec->tune.count > 0 && !shares)
        lab_rule_needs(one, sizes, spec, rule_spec);
    if (rule_spec->tune.count > 0 && all)
        lab_setup_needs(one, sizes, spec, true);
}

static void add_evaluations(planned *planned, int rule, double count)
{
    const lab_spec *spec = lab_planned(planned->plan, rule, 0);
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    const lab_sizes *sizes = run_needs_sizes_of(planned, rule, 0);
    const double trials = spec->learning.trials;
    lab_needs one = {0};
    add_making(&one, sizes, spec, rule_spec);
    if (lab_way_lifts(spec, rule_spec))
        lab_lift_needs(&one, sizes, spec, rule_spec, trials);
    else
        lab_phase_needs(&one, sizes, spec, rule_spec, lab_way_of(spec, rule_spec, false, false),
                        trials, false);
    one.passing += one.kept; // each is freed before the next
    one.kept = 0;
    lab_needs_add(&planned->once, &one, count);
}

static void add_tuning(planned *planned)
{
    for (int i = 0; i < planned->plan->rules; i++) {
        const int count = lab_evaluations_of(planned->spec, i);
        if (count > 0)
            add_evaluations(planned, i, count);
    }
}

// ---- more synapses ---------------------------------------------------------------------------

static void add_size(planned *planned, double synapses)
{
    const lab_sizes *sizes = run_needs_sizes_of(planned, planned->spec->main_rule, 0);
    const lab_basis_spec *bank = lab_banks(planned->spec);
    const double burst = cfpci_min(sizes->steps, 5 * bank->last_ms / planned->spec->step_ms);
    const double for_norm = cfpci_min(synapses, 2 * MAX_FOR_NORM);
    lab_needs *needs = &planned->needs;
    needs->times[LAB_NEEDS_FIRING] += planned->spec->scale.trials * sizes->steps * synapses;
    needs->times[LAB_NEEDS_SINGLE] += NORM_ROUNDS * 2 * sizes->steps * sizes->path;
    needs->times[LAB_NEEDS_WIDE] += NORM_ROUNDS * 2 * for_norm * burst;
    lab_needs_add(needs, &sizes->step, 2 * planned->spec->scale.trials * sizes->steps);
    lab_needs_pass(needs, run_needs_bytes_of(synapses * (4 + sizes->late)));
}

static void add_scale(planned *planned)
{
    const lab_scale_spec *scale = &planned->spec->scale;
    for (int i = 0; scale->place.line > 0 && i < scale->sizes.columns; i++)
        add_size(planned, scale->sizes.values[i]);
}

// ---- all of it -------------------------------------------------------------------------------

static void run_needs_add_all(planned *planned)
{
    const lab_spec *spec = planned->spec;
    add_setups(planned, &planned->needs);
    run_needs_add_rules(planned);
    add_record(planned);
    if (spec->delay_scan.place.line > 0)
        add_scan(planned);
    add_scale(planned);
    add_tuning(planned);
    if (spec->population.place.line > 0)
        lab_population_needs(&planned->once, &spec->population, spec->step_ms);
    if (spec->zone.place.line > 0)
        lab_zone_needs(&planned->once, run_needs_sizes_of(planned, spec->main_rule, 0), spec);
}

// A repeat has a record of its own beside the first; setups are freed after each run.
static void run_needs_repeat(lab_needs *needs, const planned *planned)
{
    const double runs = planned->spec->runs;
    *needs = planned->once;
    lab_needs_add(needs, &planned->needs, runs);
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
        planned planned = {.plan = plan, .spec = plan->spec, .sizes = sizes};
        *before = (lab_needs){0};
        add_setups(&planned, before);
        if (plan->spec->zone.place.line > 0)
            lab_zone_before_needs(before, run_needs_sizes_of(&planned, plan->spec->main_rule, 0),
                                  plan->spec);
        run_needs_add_all(&planned);
        run_needs_repeat(needs, &planned);
    }
    free(sizes);
    return outcome;
}
