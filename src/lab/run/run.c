// SPDX-License-Identifier: Apache-2.0
#include "run/run.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interval.h"
#include "cfpc/compile.h"
#include "run/gain.h"
#include "run/recording.h"
#include "run/scale.h"
#include "run/tuning.h"

// One run, and what its parts share.
typedef struct runner {
    lab_record *record;
    const lab_spec *spec;
    lab_variants variants; // the setups
    lab_pace pace;
    lab_why *why;
} runner;

// ---- the rules -------------------------------------------------------------------------------

// A rule through all phases; the last trial of each is kept.
static lab_outcome run_rule(runner *runner, int index)
{
    lab_rule_record *rule = &runner->record->rule[index];
    const int phases = runner->variants.phases;
    int first = 0;
    lab_outcome outcome = LAB_DONE;
    const size_t predictors = (size_t)lab_variant(&runner->variants, index, 0)->predictors;
    lab_carried carried = {.prediction = calloc(predictors + 1, sizeof *carried.prediction)};
    if (!carried.prediction)
        return lab_no_memory(runner->why, NULL);
    for (int p = 0; outcome == LAB_DONE && p < phases; p++) {
        const lab_setup *setup = lab_variant(&runner->variants, index, p);
        const lab_phase_signals *kept = &rule->last[p];
        lab_trial last = {.y = kept->y, .e = kept->e, .o = kept->o, .u = kept->u, .m = kept->m};
        last.push = lab_uses_angle(setup->rig.spec) ? kept->d : NULL;
        lab_phase_run phase = {.setup = setup,
                               .rule = &setup->rule[index],
                               .name = rule->name,
                               .first = first,
                               .trials = setup->rig.spec->learning.trials,
                               .weights = rule->weights,
                               .rrmse = rule->rrmse + first,
                               .last = &last,
                               .record = rule,
                               .carried = &carried,
                               .guarded = true,
                               .may_compute = phases == 1,
                               .to_next = p < phases - 1};
        outcome = rule->diverged_at > 0 ? lab_skip_phase(&phase, &runner->pace, runner->why)
                                        : lab_run_phase(&phase, &runner->pace, runner->why);
        if (rule->diverged_at == 0)
            rule->diverged_at = phase.diverged_at;
        rule->guard[p] = phase.guard;
        rule->prediction_error[p] = last.prediction;
        rule->spike_steps += phase.fibre.steps;
        rule->spikes_clipped += phase.fibre.clipped;
        if (index == runner->record->main_rule)
            runner->record->saturated_steps += phase.saturated;
        first += phase.trials;
    }
    cfpc_data_free(carried.guarding);
    free(carried.learned);
    free(carried.prediction);
    return outcome;
}

// What the loop of every rule does by itself in the first trial, the trace that a pulse leaves, and
// the main rule's traces.
static lab_outcome run_before(runner *runner)
{
    lab_record *record = runner->record;
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < record->rules; i++) {
        const lab_signals *kept = &record->rule[i].signals;
        const lab_setup *setup = lab_variant(&runner->variants, i, 0);
        lab_trial first = {.y = kept->y_first, .e = kept->e_first, .m = kept->m_first};
        outcome = lab_simulate_alone(&setup->rig, 0, 1, &first, runner->why);
        if (outcome == LAB_DONE && !setup->nonlinear)
            outcome = lab_check_agreement("none", setup->problem.e0_norm / setup->baseline,
                                          first.norm / setup->baseline, runner->why);
    }
    double *pulse = calloc((size_t)record->steps, sizeof *pulse);
    if (outcome != LAB_DONE || !pulse) {
        free(pulse);
        return outcome == LAB_DONE ? lab_no_memory(runner->why, NULL) : outcome;
    }
    pulse[0] = 1;
    cfpc_status status = CFPC_OK;
    for (int i = 0; status == CFPC_OK && i < record->rules; i++) {
        const lab_setup *setup = lab_variant(&runner->variants, i, 0);
        const lab_rule *rule = &setup->rule[i]; // one that has yet to learn its model leaves none
        if (!rule->is_learned && !setup->rig.spec->learning.frozen)
            status = lab_traces(rule, record->steps, 1, pulse, record->rule[i].kernel);
    }
    free(pulse);
    const lab_setup *setup = lab_variant(&runner->variants, record->main_rule, 0);
    if (status == CFPC_OK)
        status = lab_traces(&setup->rule[record->main_rule], record->steps, setup->bases, setup->x,
                            record->traces);
    return lab_from_status(runner->why, status, runner->spec->name);
}

// ---- the scan --------------------------------------------------------------------------------

static lab_outcome scan_delay(runner *runner, int index, double *rrmse, double *weights)
{
    const lab_setup *setup = lab_variant(&runner->variants, 0, 0);
    const int trial = runner->spec->delay_scan.trial;
    // The rate of the first rule; of a filtered one the same fraction in the unit of all others.
    const double lambda_max = lab_believed_problem(setup)->lambda_max;
    lab_rule rule = {
        .rate = setup->rule[0].rate, .rule = setup->rule[0].rule, .q = setup->rule[0].q};
    if (lambda_max > 0)
        rule.rate *= setup->rule[0].scale / lambda_max;
    lab_rule_spec rule_spec = lab_rules(runner->spec)[0];
    int32_t steps = 0;
    rule.rule.rate = (cfpc_real)rule.rate;
    rule_spec.trace = LAB_TRACE_DELAY;
    cfpc_status status =
        cfpc_steps_of(runner->record->scan_delay_ms[index] / 1e3, setup->rig.step_s, &steps);
    if (status == CFPC_OK)
        status = cfpc_delay(&rule.trace, setup->rig.step_s, steps);
    lab_outcome outcome = lab_from_status(runner->why, status, runner->spec->name);
    if (outcome == LAB_DONE)
        outcome = lab_filter_make(&rule.filter, setup->rig.spec, setup->rig.steps, &rule_spec,
                                  &rule.trace, runner->why);
    memset(weights, 0, (size_t)setup->bases * sizeof *weights);
    lab_phase_run phase = {.setup = setup,
                           .rule = &rule,
                           .name = "delays",
                           .trials = trial,
                           .weights = weights,
                           .rrmse = rrmse,
                           .may_compute = true};
    if (outcome == LAB_DONE)
        outcome = lab_run_phase(&phase, &runner->pace, runner->why);
    if (outcome == LAB_DONE)
        runner->record->scan_rrmse[index] = rrmse[trial - 1];
    lab_rule_free(&rule);
    return outcome;
}

// The delta trace of every delay, up to the trial at which they are compared.
static lab_outcome run_scan(runner *runner)
{
    double *rrmse = calloc((size_t)runner->spec->delay_scan.trial + 1, sizeof *rrmse);
    double *weights =
        calloc((size_t)lab_variant(&runner->variants, 0, 0)->bases, sizeof *weights); // of rule 0
    lab_outcome outcome = rrmse && weights ? LAB_DONE : lab_no_memory(runner->why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < runner->record->scan_count; i++)
        outcome = scan_delay(runner, i, rrmse, weights);
    free(rrmse);
    free(weights);
    return outcome;
}

// ---- one run ---------------------------------------------------------------------------------

// The phase of each trial and the optimum of each rule in it; reference, disturbances and reactive
// error of the phase's last trial.
static void label_trials(lab_record *record, const lab_variants *variants)
{
    for (int i = 0; i < record->rules; i++) {
        int k = 0;
        for (int p = 0; p < variants->phases; p++) {
            const lab_setup *setup = lab_variant(variants, i, p);
            const lab_rig *rig = &setup->rig;
            lab_phase_signals *last = &record->rule[i].last[p];
            for (int trial = 0; trial < rig->spec->learning.trials; trial++, k++) {
                record->phase[k] = p;
                record->rule[i].optimum[k] = setup->nonlinear ? NAN : setup->problem.rrmse_optimum;
            }
            memcpy(last->e0, setup->e0, (size_t)rig->steps * sizeof *last->e0);
            for (int n = 0; n < rig->steps; n++) {
                last->r[n] = lab_world_reference(&rig->world, rig->first + rig->trials - 1, n);
                last->d[n] = lab_world_push(&rig->world, rig->first + rig->trials - 1, n);
            }
        }
    }
}

static int count_work(const runner *runner)
{
    const lab_setup *first = lab_variant(&runner->variants, 0, 0);
    const bool simulated = runner->variants.phases > 1 || lab_asks_responses(runner->spec) ||
                           lab_asks_gain(runner->spec) || !lab_is_computed(first, &first->rule[0]);
    const int scanned = simulated ? runner->spec->delay_scan.trial : 1;
    return runner->variants.rules * (simulated ? lab_spec_trials(runner->spec) : 1) +
           lab_scan_count(&runner->spec->delay_scan) * scanned + lab_tuning_work(runner->spec) +
           lab_scale_work(runner->spec);
}

lab_outcome lab_run_blank(lab_record *record, const lab_variants *variants, lab_why *why)
{
    const lab_spec *spec = variants->plan->spec;
    *record = (lab_record){0};
    lab_outcome outcome = lab_tunes(spec) ? lab_tuning_begin(record, spec, why) : LAB_DONE;
    if (outcome == LAB_DONE)
        outcome = lab_record_make(record, variants, why);
    if (outcome == LAB_DONE && spec->population.place.line > 0)
        outcome = lab_population_begin(&record->population, &record->arena, &spec->population, why);
    if (outcome == LAB_DONE && spec->zone.place.line > 0)
        outcome = lab_zone_begin(&record->zone, &record->arena, spec, why);
    if (outcome == LAB_DONE)
        label_trials(record, variants);
    return outcome;
}

lab_outcome lab_run_once(lab_record *record, const lab_plan *plan, const lab_record *found,
                         const lab_progress *progress, lab_why *why)
{
    const lab_spec *spec = plan->spec;
    runner runner = {.record = record, .spec = spec, .pace = {.progress = progress}, .why = why};
    *record = (lab_record){0};
    lab_outcome outcome = lab_variants_make(&runner.variants, plan, why);
    if (outcome == LAB_DONE)
        runner.pace.total =
            count_work(&runner) +
            (found ? 0 : lab_population_work(&spec->population) + lab_zone_work(spec));
    if (outcome == LAB_DONE && lab_tunes(spec) && found) { // the record borrows what it found
        record->tuning = found->tuning;
        outcome = lab_tune_as(&runner.variants, found, why);
    } else if (outcome == LAB_DONE && lab_tunes(spec))
        outcome = lab_tune(record, &runner.variants, &runner.pace, why);
    if (outcome == LAB_DONE)
        outcome = lab_record_make(record, &runner.variants, why);
    if (outcome == LAB_DONE) {
        label_trials(record, &runner.variants);
        outcome = run_before(&runner);
    }
    if (outcome == LAB_DONE)
        outcome = lab_keep_shown(record, &runner.variants, spec, why);
    for (int i = 0; outcome == LAB_DONE && i < record->rules; i++)
        outcome = run_rule(&runner, i);
    if (outcome == LAB_DONE && record->scan_count > 0)
        outcome = run_scan(&runner);
    if (outcome == LAB_DONE && spec->scale.place.line > 0)
        outcome = lab_run_scale(record, lab_variant(&runner.variants, record->main_rule, 0),
                                record->main_rule, &runner.pace, why);
    if (outcome == LAB_DONE && !found &&
        spec->population.place.line > 0) // repeats take no mean of it
        outcome = lab_population_run(&record->population, &record->arena, &spec->population,
                                     spec->step_ms, spec->learning.neglect, spec->seed,
                                     &runner.pace, why);
    if (outcome == LAB_DONE && !found && spec->zone.place.line > 0) // likewise
        outcome = lab_zone_run(&record->zone, &record->arena, spec, &runner.pace, why);
    lab_variants_free(&runner.variants);
    return outcome;
}

// ---- repeats ---------------------------------------------------------------------------------

// Takes in one more run. A rule that diverged in one of the runs has no mean.
static void run_take_in(lab_record *record, const lab_record *more, int runs)
{
    for (int i = 0; i < record->rules; i++) {
        lab_rule_record *rule = &record->rule[i];
        const int diverged_at = more->rule[i].diverged_at;
        if (diverged_at > 0 && (rule->diverged_at == 0 || diverged_at < rule->diverged_at))
            rule->diverged_at = diverged_at;
        rule->spike_steps += more->rule[i].spike_steps;
        rule->spikes_clipped += more->rule[i].spikes_clipped;
        for (int k = 0; k < record->trials; k++)
            lab_mean_add(&rule->rrmse[k], &rule->half_width[k], more->rule[i].rrmse[k], runs);
    }
}

typedef struct repeat {
    const lab_progress *progress;
    int run, runs; // from 1
} repeat;

// Pieces are counted over all runs, as far as an int goes.
static bool run_tell(void *context, const char *what, int done, int total)
{
    const repeat *it = context;
    const int runs = total < INT_MAX / it->runs ? it->runs : 1;
    const int before = runs > 1 ? (it->run - 1) * total : 0;
    return it->progress->tick(it->progress->context, what, before + done, runs * total);
}

lab_outcome lab_run(lab_record *record, const lab_plan *plan, int repeats,
                    const lab_progress *progress, lab_why *why)
{
    repeat repeat = {.progress = progress, .run = 1, .runs = repeats > 1 ? repeats : 1};
    const lab_progress all = {.tick = run_tell, .context = &repeat}, *told = progress ? &all : NULL;
    lab_outcome outcome = lab_run_once(record, plan, NULL, told, why);
    lab_spec other = *plan->spec; // borrows all but the seed
    lab_plan again = *plan;
    again.spec = &other;
    for (int run = 2; outcome == LAB_DONE && run <= repeats; run++) {
        lab_record more;
        other.seed = plan->spec->seed + run - 1;
        repeat.run = run;
        outcome = lab_run_once(&more, &again, record, told, why);
        if (outcome == LAB_DONE)
            run_take_in(record, &more, run);
        lab_record_free(&more);
    }
    if (outcome != LAB_DONE || repeats <= 1)
        return outcome;
    record->repeats = repeats;
    for (int i = 0; i < record->rules; i++)
        for (int k = 0; k < record->trials; k++) {
            double *width = &record->rule[i].half_width[k];
            *width = lab_half_width(*width, repeats);
        }
    return LAB_DONE;
}
