// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/transfer.h"
#include "simulate.h"
#include "variants.h"

// How far the computed and the running loop may be apart, relative to the rRMSE.
#define AGREEMENT (CFPC_REAL_IS_FLOAT ? 1e-3 : 1e-9)

// Above this rRMSE the numbers of the running loop may overflow, and there is nothing to compare.
#define DIVERGED (CFPC_REAL_IS_FLOAT ? 1e15 : 1e140)

// So near to the guard's limit a curve is not computed but run on the loop.
#define NEARLY 1e-6

// One run, and what its parts share.
typedef struct runner {
    lab_record *record;
    const lab_spec *spec;
    lab_variants variants; // the setups
    int phases;
    const lab_progress *progress;
    int done, total; // pieces of work, for the progress
    lab_why *why;
} runner;

static lab_outcome tick(runner *it, const char *what)
{
    const lab_progress *progress = it->progress;
    it->done++;
    if (progress && !progress->tick(progress->context, what, it->done, it->total))
        return lab_fail(it->why, "stopped");
    return LAB_DONE;
}

static lab_outcome from_status(runner *it, cfpc_status status)
{
    return status == CFPC_OK ? LAB_DONE
                             : lab_fail(it->why, "%s: %s", it->spec->name, cfpc_sentence(status));
}

// ---- on the loop -----------------------------------------------------------------------------

// A phase of a rule: begins with these weights (or NULL), leaves those it ends with.
typedef struct phase_run {
    const lab_setup *setup;
    const lab_rule *rule;
    const char *name;               // for the progress
    int first;                      // trial at which the phase begins, from 0
    int trials;                     // how many
    double *weights;                // in and out                                     (G)
    double *rrmse;                  // out                                            (trials)
    lab_trial *last;                // keeps the last trial, NULL: none is kept
    const lab_responses *responses; // of all trials of the run; NULL: not measured
    bool to_next;                   // another phase follows: the last trial's lesson is drawn
    bool guarded;                   // as the spec says
    bool frozen;                    // out: the output was not finite
    lab_guarded guard;              // out: whether the guard acted
    long saturated;                 // out: steps with a command that was cut off
} phase_run;

static void set_weights(lab_cell *cell, const double *weights, int count)
{
    for (int j = 0; j < count; j++)
        cfpc_weights(cell->data)[j] = (cfpc_real)weights[j];
}

static bool all_zero(const lab_cell *cell)
{
    for (int32_t j = 0; j < cfpc_model_synapses(cell->model); j++)
        if (cfpc_weights(cell->data)[j] != 0)
            return false;
    return true;
}

// Notes that the guard acted: in this trial, or, if the mean of a batch was at fault, after the one
// before.
static void note_guard(phase_run *phase, const lab_cell *cell, int k)
{
    const int acts = cfpc_guard_acts(cell->data);
    if (acts > 0 && phase->guard.acts == 0) {
        const bool batch = cfpc_model_rule(cell->model).update == CFPC_BATCH;
        phase->guard.reason = cfpc_guard_acted(cell->data);
        phase->guard.trial =
            phase->first + k + (batch && phase->guard.reason == CFPC_GUARD_MEAN ? 0 : 1);
    }
    if (acts > phase->guard.acts)
        phase->guard.to_zero = all_zero(cell);
    phase->guard.acts = acts;
}

// What the cell changed in the output is what it took off the error, y - y0 = e0 - e.
static void measure_response(const phase_run *phase, const lab_trial *trial, int k, double *change)
{
    const lab_setup *setup = phase->setup;
    const bool of_cell = setup->spec->response.signal == LAB_CELL_RESPONSE;
    for (int n = 0; n < setup->steps; n++)
        change[n] = of_cell ? trial->o[n] : setup->e0[n] - trial->e[n];
    lab_measure_response(phase->responses, phase->first + k, setup->spec, setup->steps, change);
}

static lab_outcome run_trials(runner *it, phase_run *phase, lab_scene *scene, lab_cell *cell)
{
    const size_t steps = (size_t)phase->setup->steps;
    double *room = phase->responses ? calloc(3 * steps, sizeof *room) : NULL;
    lab_outcome outcome =
        phase->responses && !room ? lab_fail(it->why, "memory ran out") : LAB_DONE;
    for (int k = 0; outcome == LAB_DONE && k < phase->trials; k++) {
        lab_trial passing = {.e = room, .o = room ? room + steps : NULL};
        lab_trial *kept = phase->last && k == phase->trials - 1 ? phase->last : &passing;
        lab_simulate_trial(phase->setup, scene, cell, phase->first + k, kept);
        phase->rrmse[k] = kept->norm / phase->setup->baseline;
        if (phase->responses)
            measure_response(phase, kept, k, room + 2 * steps);
        note_guard(phase, cell, k);
        outcome = tick(it, phase->name);
    }
    free(room);
    return outcome;
}

// Runs all trials of a phase on the loop.
static lab_outcome simulate_phase(runner *it, phase_run *phase)
{
    const lab_setup *setup = phase->setup;
    lab_scene scene;
    lab_cell cell = {0};
    lab_outcome outcome = lab_scene_make(&scene, setup, it->why);
    if (outcome == LAB_DONE)
        outcome = from_status(it, lab_cell_make(&cell, setup, phase->rule, phase->guarded));
    if (outcome == LAB_DONE) {
        set_weights(&cell, phase->weights, setup->bases);
        if (setup->spec->learning.frozen)
            cfpc_freeze(cell.data);
        outcome = run_trials(it, phase, &scene, &cell);
    }
    if (outcome == LAB_DONE) {
        if (phase->to_next && setup->spec->learning.mode == LAB_BATCH)
            cfpc_next_trial(cell.model, cell.data);
        else if (setup->spec->learning.mode == LAB_BATCH)
            cfpc_end_trial(cell.model, cell.data);
        note_guard(phase, &cell, phase->trials);
        for (int j = 0; j < setup->bases; j++)
            phase->weights[j] = cfpc_weights(cell.data)[j];
        phase->frozen = (cfpc_flags(cell.data) & CFPC_FLAG_NOT_FINITE) != 0;
        phase->saturated = scene.machine.saturated_steps;
    }
    lab_cell_free(&cell);
    lab_scene_free(&scene);
    return outcome;
}

// A trial with weights that stand still: no trace and no rate are needed.
static lab_outcome run_frozen(runner *it, const lab_setup *setup, const double *weights,
                              lab_trial *kept, double *rrmse)
{
    lab_scene scene = {0};
    lab_cell cell = {0};
    lab_rule still = {0};
    lab_outcome outcome = from_status(it, cfpc_gain(&still.trace, 1));
    if (outcome == LAB_DONE)
        outcome = lab_scene_make(&scene, setup, it->why);
    if (outcome == LAB_DONE)
        outcome = from_status(it, lab_cell_make(&cell, setup, &still, false));
    if (outcome == LAB_DONE) {
        set_weights(&cell, weights, setup->bases);
        cfpc_freeze(cell.data);
        lab_simulate_trial(setup, &scene, &cell, setup->first, kept);
        *rrmse = kept->norm / setup->baseline;
    }
    lab_cell_free(&cell);
    lab_scene_free(&scene);
    cfpc_system_free(&still.trace);
    return outcome;
}

// ---- computed --------------------------------------------------------------------------------

// Whether the rule is the plain batch rule on a linear problem.
static bool is_plain(const lab_setup *setup, const lab_rule *rule)
{
    const cfpc_rule *r = &rule->rule;
    const lab_spec *spec = setup->spec;
    return !setup->nonlinear && r->update == CFPC_BATCH && !r->rectified && r->normaliser == 0 &&
           r->leak == 0 && r->momentum == 0 && r->output_penalty == 0 && r->inhibition == 0 &&
           r->weight_low == r->weight_high && !rule->preconditioner && !spec->learning.frozen &&
           spec->teach.signal == LAB_TEACH_ERROR && spec->teach.delay_ms == 0;
}

// Whether the running loop's trial is what the computed curve says of it.
static lab_outcome check_agreement(runner *it, const char *rule, double computed, double simulated)
{
    const bool diverged = !(computed < DIVERGED) || !isfinite(simulated);
    if (diverged || fabs(computed - simulated) <= AGREEMENT * fmax(1, computed))
        return LAB_DONE;
    return lab_fail(it->why,
                    "rule %s: the computed rRMSE %.12g and the simulated %.12g differ; this is a "
                    "fault of cfpc, please report it with the spec",
                    rule, computed, simulated);
}

static lab_outcome compute_phase(runner *it, phase_run *phase)
{
    const lab_setup *setup = phase->setup;
    double simulated = NAN;
    lab_outcome outcome =
        from_status(it, cfpc_batch_learn(&setup->problem, &phase->rule->trace, phase->rule->rate,
                                         phase->trials, phase->rrmse, phase->weights));
    if (outcome == LAB_DONE && phase->last) {
        outcome = run_frozen(it, setup, phase->weights, phase->last, &simulated);
        if (outcome == LAB_DONE)
            outcome = check_agreement(it, phase->name, phase->rrmse[phase->trials - 1], simulated);
    }
    return outcome == LAB_DONE ? tick(it, phase->name) : outcome;
}

// ---- the rules -------------------------------------------------------------------------------

// Whether the guard would act on such a curve.
static bool guard_acts(const phase_run *phase)
{
    const lab_guard_spec *guard = &phase->setup->spec->guard;
    double sum = 0;
    for (int k = 0; guard->on && phase->guarded && k < phase->trials; k++) {
        sum += pow(phase->rrmse[k], 2);
        sum -= k >= guard->trials ? pow(phase->rrmse[k - guard->trials], 2) : 0;
        if (!(phase->rrmse[k] < guard->factor) ||
            (k + 1 >= guard->trials && sum > guard->trials * (1 - NEARLY)))
            return true;
    }
    return false;
}

// A phase that is the only one and learns plainly is computed, unless the guard steps in.
static lab_outcome run_phase(runner *it, phase_run *phase, bool only)
{
    if (!only || phase->responses || !is_plain(phase->setup, phase->rule))
        return simulate_phase(it, phase);
    const lab_outcome outcome = compute_phase(it, phase);
    if (outcome != LAB_DONE || !guard_acts(phase))
        return outcome;
    memset(phase->weights, 0, (size_t)phase->setup->bases * sizeof *phase->weights);
    return simulate_phase(it, phase);
}

// A rule through all phases; the last trial of each is kept.
static lab_outcome run_rule(runner *it, int index)
{
    lab_rule_record *rule = &it->record->rule[index];
    int first = 0;
    lab_outcome outcome = LAB_DONE;
    for (int p = 0; outcome == LAB_DONE && p < it->phases; p++) {
        const bool is_last = p == it->phases - 1;
        const lab_setup *setup = lab_variant(&it->variants, index, p);
        const lab_phase_signals *kept = &rule->last[p];
        lab_trial last = {.y = kept->y, .e = kept->e, .o = kept->o, .u = kept->u};
        phase_run phase = {.setup = setup,
                           .rule = &setup->rule[index],
                           .name = rule->name,
                           .first = first,
                           .trials = setup->spec->learning.trials,
                           .weights = rule->weights,
                           .rrmse = rule->rrmse + first,
                           .last = &last,
                           .responses = rule->responses.peak_ms ? &rule->responses : NULL,
                           .guarded = true,
                           .to_next = !is_last};
        outcome = run_phase(it, &phase, it->phases == 1);
        rule->frozen |= phase.frozen;
        rule->guard[p] = phase.guard;
        if (index == it->record->main_rule)
            it->record->saturated_steps += phase.saturated;
        first += phase.trials;
    }
    return outcome;
}

static lab_outcome run_rules(runner *it)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < it->record->rules; i++)
        outcome = run_rule(it, i);
    return outcome;
}

// What the loop of a rule does by itself in the first trial.
static lab_outcome run_reactive(runner *it, int index)
{
    const lab_signals *kept = &it->record->rule[index].signals;
    const lab_setup *setup = lab_variant(&it->variants, index, 0);
    lab_scene scene;
    lab_trial first = {.y = kept->y_first, .e = kept->e_first};
    lab_outcome outcome = lab_scene_make(&scene, setup, it->why);
    if (outcome == LAB_DONE)
        lab_simulate_trial(setup, &scene, NULL, 0, &first);
    lab_scene_free(&scene);
    if (outcome == LAB_DONE && !setup->nonlinear)
        outcome = check_agreement(it, "none", setup->problem.e0_norm / setup->baseline,
                                  first.norm / setup->baseline);
    return outcome;
}

// The reactive trials, and the main rule's traces.
static lab_outcome run_before(runner *it)
{
    lab_record *record = it->record;
    const lab_setup *setup = lab_variant(&it->variants, record->main_rule, 0);
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < record->rules; i++)
        outcome = run_reactive(it, i);
    if (outcome == LAB_DONE)
        outcome = from_status(it, cfpc_apply(&setup->rule[record->main_rule].trace, setup->steps,
                                             setup->bases, setup->x, record->traces));
    return outcome;
}

// ---- the scan --------------------------------------------------------------------------------

static lab_outcome scan_delay(runner *it, int index, double *rrmse, double *weights)
{
    const lab_setup *setup = lab_variant(&it->variants, 0, 0);
    const int trial = it->spec->delay_scan.trial;
    lab_rule rule = {.rate = setup->rule[0].rate, .rule = setup->rule[0].rule};
    int32_t steps = 0;
    cfpc_status status =
        cfpc_steps_of(it->record->scan_delay_ms[index] / 1e3, setup->step_s, &steps);
    if (status == CFPC_OK)
        status = cfpc_delay(&rule.trace, setup->step_s, steps);
    lab_outcome outcome = from_status(it, status);
    memset(weights, 0, (size_t)setup->bases * sizeof *weights);
    phase_run phase = {.setup = setup,
                       .rule = &rule,
                       .name = "delays",
                       .trials = trial,
                       .weights = weights,
                       .rrmse = rrmse};
    if (outcome == LAB_DONE)
        outcome = run_phase(it, &phase, true);
    if (outcome == LAB_DONE)
        it->record->scan_rrmse[index] = rrmse[trial - 1];
    cfpc_system_free(&rule.trace);
    return outcome;
}

// The delta trace of every delay, up to the trial at which they are compared.
static lab_outcome run_scan(runner *it)
{
    double *rrmse = calloc((size_t)it->spec->delay_scan.trial + 1, sizeof *rrmse);
    double *weights = calloc((size_t)it->record->bases, sizeof *weights);
    lab_outcome outcome = rrmse && weights ? LAB_DONE : lab_fail(it->why, "memory ran out");
    for (int i = 0; outcome == LAB_DONE && i < it->record->scan_count; i++)
        outcome = scan_delay(it, i, rrmse, weights);
    free(rrmse);
    free(weights);
    return outcome;
}

// ---- one run ---------------------------------------------------------------------------------

// What stands around the last trial of a rule's phase.
static void keep_world(lab_phase_signals *last, const lab_setup *setup)
{
    const int trial = setup->first + setup->trials - 1;
    memcpy(last->e0, setup->e0, (size_t)setup->steps * sizeof *last->e0);
    for (int n = 0; n < setup->steps; n++) {
        last->r[n] = lab_world_reference(&setup->world, trial, n);
        last->d[n] = lab_world_push(&setup->world, trial, n);
    }
}

// Which phase each trial is in, and what each rule could reach in it at best.
static void label_trials(runner *it)
{
    lab_record *record = it->record;
    for (int i = 0; i < record->rules; i++) {
        int k = 0;
        for (int p = 0; p < it->phases; p++) {
            const lab_setup *setup = lab_variant(&it->variants, i, p);
            for (int trial = 0; trial < setup->spec->learning.trials; trial++, k++) {
                record->phase[k] = p;
                record->rule[i].optimum[k] = setup->nonlinear ? NAN : setup->problem.rrmse_optimum;
            }
            keep_world(&record->rule[i].last[p], setup);
        }
    }
}

static int count_work(const runner *it)
{
    const lab_setup *first = lab_variant(&it->variants, 0, 0);
    const bool simulated =
        it->phases > 1 || lab_asks_responses(it->spec) || !is_plain(first, &first->rule[0]);
    const int scanned = simulated ? it->spec->delay_scan.trial : 1;
    return it->record->rules * (simulated ? it->record->trials : 1) +
           it->record->scan_count * scanned;
}

static lab_outcome run_once(lab_record *record, const lab_spec *spec, const lab_progress *progress,
                            lab_why *why)
{
    runner it = {.record = record, .spec = spec, .progress = progress, .why = why};
    *record = (lab_record){0};
    lab_outcome outcome = lab_variants_make(&it.variants, spec, why);
    it.phases = it.variants.phases;
    if (outcome == LAB_DONE)
        outcome = from_status(&it, lab_record_make(record, &it.variants, spec));
    if (outcome == LAB_DONE) {
        label_trials(&it);
        it.total = count_work(&it);
        outcome = run_before(&it);
    }
    if (outcome == LAB_DONE)
        outcome = run_rules(&it);
    if (outcome == LAB_DONE && record->scan_count > 0)
        outcome = run_scan(&it);
    lab_variants_free(&it.variants);
    return outcome;
}

// ---- repeats ---------------------------------------------------------------------------------

// Student's t at 97.5 %, by degrees of freedom.
static double student(int freedom)
{
    static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                               2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                               2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                               2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
    const int count = sizeof t / sizeof t[0];
    return freedom <= count ? t[freedom - 1] : 1.96 + 2.4 / freedom;
}

// Mean and sum of squared deviations, updated by the value of one more run (Welford).
static void take_in(lab_record *record, const lab_record *more, int runs)
{
    for (int i = 0; i < record->rules; i++)
        for (int k = 0; k < record->trials; k++) {
            double *mean = &record->rule[i].rrmse[k];
            const double value = more->rule[i].rrmse[k], away = value - *mean;
            *mean += away / runs;
            record->rule[i].half_width[k] += away * (value - *mean);
        }
}

static void make_intervals(lab_record *record, int runs)
{
    for (int i = 0; i < record->rules; i++)
        for (int k = 0; k < record->trials; k++) {
            double *width = &record->rule[i].half_width[k];
            *width = student(runs - 1) * sqrt(*width / (runs - 1) / runs);
        }
}

lab_outcome lab_run(lab_record *record, const lab_spec *spec, int repeats,
                    const lab_progress *progress, lab_why *why)
{
    lab_outcome outcome = run_once(record, spec, progress, why);
    lab_spec other = *spec; // borrows all but the seed
    for (int run = 2; outcome == LAB_DONE && run <= repeats; run++) {
        lab_record more;
        other.seed_offset = spec->seed_offset + run - 1;
        outcome = run_once(&more, &other, progress, why);
        if (outcome == LAB_DONE)
            take_in(record, &more, run);
        lab_record_free(&more);
    }
    if (outcome == LAB_DONE && repeats > 1) {
        make_intervals(record, repeats);
        record->repeats = repeats;
    }
    return outcome;
}
