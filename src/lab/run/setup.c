// SPDX-License-Identifier: Apache-2.0
#include "run/setup.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/basis.h"
#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"
#include "plant/paths.h"
#include "run/learned.h"
#include "run/q_filter.h"
#include "run/simulate.h"
#include "spec/constants.h"

// Errors whose fourth power, summed over a trial, neither underflows nor overflows.
#define SMALLEST_ERROR (CFPC_REAL_IS_FLOAT ? 1e-20 : 1e-70)
#define LARGEST_ERROR (CFPC_REAL_IS_FLOAT ? 1e20 : 1e70)

#define NO_BOUND 1e30 // bound on the other side of a weight that is bounded on one side only

// ---- the reactive loop -----------------------------------------------------------------------

// Whether every trial of its reactive loop is the same.
static bool setup_is_repeated(const lab_spec *spec)
{
    const lab_noise_spec *noise = &spec->loop.noise;
    return spec->task.reset && spec->task.repeats && noise->process == 0 && noise->measurement == 0;
}

// Root mean square of the signal that o is added to, in the first trial.
static double drive_rms(const lab_setup *setup, const lab_trial *first)
{
    const lab_entry enters = setup->rig.spec->enters;
    double sum = 0;
    for (int n = 0; n < setup->rig.steps; n++) {
        const double drive = enters == LAB_CONTROLLER_INPUT ? setup->e0[n]
                             : enters == LAB_PLANT_INPUT    ? first->total[n] + first->push[n]
                                                            : setup->r[n];
        sum += cfpci_pow(drive, 2);
    }
    return sqrt(sum / setup->rig.steps);
}

// The first reactive trial, and the baseline: over all trials of the phase where they differ.
static lab_outcome setup_run_reactive(lab_setup *setup, lab_simulation *simulation, lab_why *why)
{
    const lab_spec *spec = setup->rig.spec;
    const int trials = setup->window_trials;
    const size_t steps = (size_t)setup->rig.steps;
    double *total = lab_take(&setup->arena, 3 * steps, sizeof *total);
    if (!total)
        return lab_no_memory(why, NULL);
    lab_trial first = {.x = setup->x,
                       .e = setup->e0,
                       .total = total,
                       .push = total + steps,
                       .watched = setup->watched};
    double sum = 0, watched = 0, squares = 0, peak = 0;
    for (int trial = 0; trial < trials; trial++) {
        lab_trial other = {.e = total + 2 * steps};
        lab_trial *kept = trial == 0 ? &first : &other;
        lab_simulate_trial(&setup->rig, simulation, NULL, setup->rig.first + trial, kept);
        lab_window_norms(setup->windows, setup->rig.steps, kept->e,
                         setup->window_norms + (size_t)trial * (size_t)setup->windows);
        sum += kept->norm * kept->norm;
        watched += cfpci_pow(kept->watched_norm, 2);
        squares += cfpci_pow(kept->watched_norm, 4);
        peak = cfpci_max(peak, kept->peak);
        if (kept->longest_saturation > setup->longest_saturation)
            setup->longest_saturation = kept->longest_saturation;
    }
    setup->reactive = setup->baseline = sqrt(sum / trials);
    setup->drive_rms = drive_rms(setup, &first);
    setup->watched_norm = sqrt(watched / trials);
    setup->watched_spread = sqrt(cfpci_max(0, squares / trials - cfpci_pow(watched / trials, 2)));
    if (peak != 0 && !(peak >= SMALLEST_ERROR && peak <= LARGEST_ERROR))
        return lab_spec_refuse(
            spec, spec->task.place, why,
            "the loop alone makes an error of %.3g; it must lie between %g and %g: "
            "give the task and its disturbances in another unit",
            peak, SMALLEST_ERROR, LARGEST_ERROR);
    return isfinite(setup->baseline)
               ? LAB_DONE
               : lab_fail(why, "%s: the reactive loop's error is not finite", spec->file);
}

static lab_outcome setup_take_arrays(lab_setup *setup, lab_why *why)
{
    const lab_spec *spec = setup->rig.spec;
    const size_t n = (size_t)setup->rig.steps, g = (size_t)setup->bases;
    setup->r = lab_take(&setup->arena, n, sizeof(double));
    setup->x = lab_take(&setup->arena, n, g * sizeof(double));
    setup->e0 = lab_take(&setup->arena, n, sizeof(double));
    setup->watched = lab_take(&setup->arena, n, sizeof(double));
    setup->response = lab_take(&setup->arena, n, sizeof(double));
    setup->windows =
        lab_asks_windows(spec) ? (int)lround(spec->task.trial_s / spec->windows.length_s) : 0;
    setup->window_trials = setup_is_repeated(spec) ? 1 : spec->learning.trials;
    setup->window_norms = lab_take(&setup->arena, (size_t)setup->window_trials,
                                   (size_t)setup->windows * sizeof(double));
    return setup->arena.failed ? lab_no_memory(why, NULL) : LAB_DONE;
}

// Measures the loop without the cell: its pulse response and its reactive trials.
static lab_outcome setup_measure(lab_setup *setup, lab_why *why)
{
    const lab_rig *rig = &setup->rig;
    lab_simulation simulation;
    lab_outcome outcome = lab_simulation_make(&simulation, rig, why);
    setup->bases = simulation.basis.bases;
    setup->hears_loop = simulation.basis.hears_loop;
    setup->predictors = simulation.prediction.basis.bases;
    if (outcome == LAB_DONE)
        outcome = setup_take_arrays(setup, why);
    for (int n = 0; outcome == LAB_DONE && n < rig->steps; n++)
        setup->r[n] = lab_world_reference(&rig->world, rig->first, n);
    if (outcome == LAB_DONE) {
        // the response to a pulse, of the same loop without the limits; then back to rest
        lab_running_loop unbounded = simulation.running;
        unbounded.low = -INFINITY;
        unbounded.high = INFINITY;
        unbounded.limits_output = false;
        outcome = lab_from_status(why,
                                  cfpc_measure_response(lab_running_loop_answer, &unbounded,
                                                        rig->steps, 1, setup->response),
                                  rig->spec->file);
        lab_running_loop_reset(&simulation.running);
    }
    if (outcome == LAB_DONE)
        outcome = setup_run_reactive(setup, &simulation, why);
    lab_simulation_free(&simulation);
    return outcome;
}

// ---- the problem -----------------------------------------------------------------------------

// Why the error is not e0 - H w with one H for all trials; NULL: it is.
static const char *why_nonlinear(const lab_spec *spec)
{
    if (lab_saturates(spec))
        return "the command may saturate";
    if (lab_limits_output(spec))
        return "the output has limits";
    if (lab_uses_angle(spec))
        return "what depends on the angle depends on the loop";
    const bool noise = spec->loop.noise.process > 0 || spec->loop.noise.measurement > 0;
    const bool rounded = spec->loop.measurement_step > 0;
    if (noise)
        return rounded ? "there is noise, and the measurement is rounded to steps"
                       : "there is noise";
    if (rounded)
        return "the measurement is rounded to steps";
    if (!spec->task.reset || !spec->task.repeats)
        return "the trials are not repetitions";
    if (!isnan(spec->teach.delay_end_ms))
        return "the delay of the teaching signal changes";
    for (int i = 0; i < spec->basis.count; i++)
        if (lab_hears_loop(&lab_banks(spec)[i]))
            return "a basis is driven by the loop";
    if (lab_hears_prediction(spec))
        return "a basis is driven by a prediction, which is learned";
    return NULL;
}

// The problem that is, or the one that the cell believes in.
static lab_outcome setup_pose(lab_setup *setup, bool believed, lab_why *why)
{
    const lab_spec *spec = setup->rig.spec;
    cfpc_system path = {0};
    lab_outcome outcome = believed ? lab_teaching_path(&path, spec, &setup->rig.believed, why)
                                   : lab_output_path(&path, spec, &setup->rig.loop, why);
    if (outcome == LAB_DONE)
        outcome =
            lab_from_status(why,
                            cfpc_problem_pose(believed ? &setup->believes : &setup->problem, &path,
                                              setup->rig.steps, setup->bases, setup->x, setup->e0),
                            spec->file);
    cfpc_system_free(&path);
    return outcome;
}

static lab_outcome pose_problems(lab_setup *setup, lab_why *why)
{
    const lab_spec *spec = setup->rig.spec;
    setup->nonlinear = why_nonlinear(spec);
    if (spec->learning.frozen && setup->rig.first > 0) { // the first phase's problem is enough
        setup->nonlinear = "nothing is learned";
        return LAB_DONE;
    }
    setup->believes_right =
        !setup->nonlinear && spec->teach.signal == LAB_TEACH_ERROR &&
        (spec->believed.place.line == 0 || spec->believed.model == LAB_BELIEVED_LEARNED);
    lab_outcome outcome = setup->nonlinear ? LAB_DONE : setup_pose(setup, false, why);
    if (outcome == LAB_DONE && !setup->believes_right)
        outcome = setup_pose(setup, true, why);
    if (outcome == LAB_DONE && lab_believed_problem(setup)->lambda_max == 0)
        outcome = lab_spec_refuse(spec, lab_banks(spec)[0].place, why,
                                  "no basis signal reaches the output within a trial");
    return outcome;
}

// ---- the rules -------------------------------------------------------------------------------

// A rate of 1/‖ZᵀH‖ learns the strongest direction at once. For a forward model that is
// 1/λmax(HᵀH), which other traces share, so that rules are compared at one rate; but filtered
// traces have another unit.
cfpc_status lab_find_scale(lab_rule *rule, const lab_setup *setup, const lab_rule_spec *rule_spec)
{
    const cfpc_problem *believed = lab_believed_problem(setup);
    rule->scale = believed->lambda_max;
    if (believed->bases == 0 || !lab_is_filtered(rule_spec->trace) || !lab_has_filter(rule))
        return CFPC_OK;
    return cfpc_teaching_filter_norm(&rule->filter, &rule->trace, setup->rig.steps, setup->bases,
                                     setup->x, &rule->scale);
}

// η, before it is rounded.
static double rate_of(const lab_setup *setup, const lab_rule_spec *rule_spec, double scale)
{
    const lab_learning_spec *learning = &setup->rig.spec->learning;
    if (lab_believed_problem(setup)->bases == 0) // nothing is learned
        return 0;
    if (!isnan(rule_spec->rate))
        return rule_spec->rate;
    if (!isnan(rule_spec->rate_fraction))
        return rule_spec->rate_fraction / scale;
    if (rule_spec->update != LAB_PLAIN)
        return 1;
    return isnan(learning->rate) ? learning->rate_fraction / scale : learning->rate;
}

static cfpc_rule setup_rule_of(const lab_spec *spec, const lab_rule_spec *rule_spec, double rate)
{
    const double low = rule_spec->weight_low, high = rule_spec->weight_high;
    const bool bounded = !isnan(low) || !isnan(high);
    const bool normalised = rule_spec->update == LAB_NORMALISED;
    return (cfpc_rule){.rate = (cfpc_real)rate,
                       .mode = spec->learning.mode == LAB_ONLINE ? CFPC_ONLINE : CFPC_BATCH,
                       .rectified = spec->teach.sign == LAB_RECTIFIED,
                       .normaliser = normalised ? (cfpc_real)rule_spec->normaliser : 0,
                       .leak = (cfpc_real)rule_spec->leak,
                       .momentum = (cfpc_real)rule_spec->momentum,
                       .output_penalty = (cfpc_real)rule_spec->output_penalty,
                       .inhibition = (cfpc_real)spec->olive.gain,
                       .inhibition_delay_steps =
                           (int32_t)lround(spec->olive.delay_ms / spec->step_ms),
                       .weight_low = (cfpc_real)(bounded ? lab_or_else(low, -NO_BOUND) : 0),
                       .weight_high = (cfpc_real)(bounded ? lab_or_else(high, NO_BOUND) : 0)};
}

// HᵀH = RᵀR, H as believed.
static void make_gram(const cfpc_problem *p, double *gram)
{
    const size_t g = (size_t)p->bases;
    for (size_t k = 0; k < (size_t)p->range; k++)
        for (size_t i = k; i < g; i++) // R is upper triangular
            for (size_t j = i; j < g; j++)
                gram[i * g + j] += p->r[k * g + i] * p->r[k * g + j];
    for (size_t i = 0; i < g; i++)
        for (size_t j = 0; j < i; j++)
            gram[i * g + j] = gram[j * g + i];
}

// P = (HᵀH + ρI)⁻¹, or what it is made of.
static cfpc_status make_preconditioner(lab_rule *rule, lab_setup *setup, double given)
{
    const cfpc_problem *p = lab_believed_problem(setup);
    const double rho = isnan(given) ? 1e-8 * p->lambda_max : given;
    const size_t g = (size_t)p->bases;
    rule->spectrum = setup->spectrum;
    rule->rho = rho;
    if (rule->spectrum)
        return CFPC_OK;
    double *gram = calloc(g * g, sizeof *gram);
    rule->preconditioner = lab_take(&setup->arena, g, g * sizeof *rule->preconditioner);
    cfpc_status status = gram && rule->preconditioner ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        make_gram(p, gram);
        status = cfpc_preconditioner(p->bases, gram, rho, rule->preconditioner);
    }
    free(gram);
    return status;
}

lab_outcome lab_spectrum_make(lab_spectrum *spectrum, const lab_setup *setup, lab_arena *arena,
                              lab_why *why)
{
    const cfpc_problem *p = lab_believed_problem(setup);
    const size_t g = (size_t)p->bases;
    *spectrum = (lab_spectrum){.values = lab_take(arena, g, sizeof(double)),
                               .rows = lab_take(arena, g, g * sizeof(double)),
                               .columns = lab_take(arena, g, g * sizeof(double))};
    if (arena->failed)
        return lab_no_memory(why, NULL);
    make_gram(p, spectrum->columns);
    const cfpc_status status =
        cfpc_gram_spectrum(p->bases, spectrum->columns, spectrum->values, spectrum->rows);
    for (size_t i = 0; status == CFPC_OK && i < g; i++)
        for (size_t j = 0; j < g; j++)
            spectrum->columns[j * g + i] = spectrum->rows[i * g + j];
    return lab_from_status(why, status, setup->rig.spec->file);
}

// T̂ of the error that the guard watches, as the cell believes. A model that is yet to be learned
// says nothing.
static lab_outcome make_response(lab_rule *rule, const lab_setup *setup, lab_why *why)
{
    const lab_spec *spec = setup->rig.spec;
    if (rule->is_learned && spec->guard.on && !spec->task.repeats)
        return lab_spec_refuse(
            spec, spec->task.place, why,
            "a rule that learns its model, on a task that does not repeat, cannot "
            "be guarded: the guard cannot know the loop without the cell "
            "(guard: off)");
    if (rule->is_learned || !spec->guard.on)
        return LAB_DONE;
    return spec->teach.signal == LAB_TEACH_MEASURED_ERROR
               ? lab_teaching_path(&rule->response, spec, &setup->rig.believed, why)
               : lab_output_path(&rule->response, spec, &setup->rig.believed, why);
}

// Makes one of the rules, with its Q-filter.
static lab_outcome setup_make_rule(lab_setup *setup, int index, lab_why *why)
{
    const lab_spec *spec = setup->rig.spec;
    const lab_rule_spec *rule_spec = &lab_rules(spec)[index];
    lab_rule *rule = &setup->rule[index];
    lab_outcome outcome = lab_trace_make(&rule->trace, spec, rule_spec, &setup->rig.believed,
                                         setup->rig.steps, setup->response, why);
    rule->is_learned = lab_learns_model(spec, rule_spec) && !spec->learning.frozen;
    rule->probe = spec->believed.probe;
    if (outcome == LAB_DONE)
        outcome = rule->is_learned ? lab_learned_settings(&rule->learned, &rule->filter,
                                                          &setup->rig, setup->drive_rms, why)
                                   : lab_filter_make(&rule->filter, spec, setup->rig.steps,
                                                     rule_spec, &rule->trace, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, lab_find_scale(rule, setup, rule_spec), spec->file);
    if (outcome == LAB_DONE)
        outcome = make_response(rule, setup, why);
    rule->rate = rate_of(setup, rule_spec, rule->scale);
    rule->rule = setup_rule_of(spec, rule_spec, rule->rate);
    if (outcome == LAB_DONE && rule_spec->update == LAB_PRECONDITIONED && !spec->learning.frozen)
        outcome =
            lab_from_status(why, make_preconditioner(rule, setup, rule_spec->rho), spec->file);
    if (outcome != LAB_DONE || isnan(rule_spec->q_hz))
        return outcome;
    rule->q = &setup->q[index];
    return lab_from_status(
        why, lab_q_filter_make(&setup->q[index], rule_spec->q_hz, setup->rig.step_s), spec->file);
}

static void free_rules(lab_setup *setup)
{
    for (int i = 0; setup->rule && i < setup->rules; i++)
        lab_rule_free(&setup->rule[i]);
    for (int i = 0; setup->q && i < setup->rules; i++)
        cfpc_system_free(&setup->q[i]);
}

// ---- a rule that is tuned --------------------------------------------------------------------

// The spec with other values of a rule's constants, and the rule made by it.
static lab_outcome setup_put_constants(lab_setup *setup, int rule, const double *values,
                                       lab_why *why)
{
    lab_spec *spec = lab_take(&setup->arena, 1, sizeof *spec);
    if (!spec)
        return lab_no_memory(why, NULL);
    *spec = *setup->rig.spec;
    lab_constants_put(spec, rule, values, &setup->arena);
    setup->rig.spec = spec;
    return setup->arena.failed ? lab_no_memory(why, NULL) : setup_make_rule(setup, rule, why);
}

lab_outcome lab_setup_vary(lab_setup *varied, const lab_setup *setup, int rule,
                           const double *values, lab_why *why)
{
    *varied = *setup;
    varied->arena = (lab_arena){0};
    varied->rule = lab_take(&varied->arena, (size_t)setup->rules, sizeof *varied->rule);
    varied->q = lab_take(&varied->arena, (size_t)setup->rules, sizeof *varied->q);
    return varied->rule && varied->q ? setup_put_constants(varied, rule, values, why)
                                     : lab_no_memory(why, NULL);
}

void lab_setup_vary_free(lab_setup *varied)
{
    free_rules(varied);
    lab_arena_free(&varied->arena);
    *varied = (lab_setup){0};
}

lab_outcome lab_setup_take(lab_setup *setup, int rule, const double *values, lab_why *why)
{
    lab_rule_free(&setup->rule[rule]);
    cfpc_system_free(&setup->q[rule]);
    setup->rule[rule] = (lab_rule){0};
    return setup_put_constants(setup, rule, values, why);
}

// ---- all of it -------------------------------------------------------------------------------

lab_outcome lab_setup_make(lab_setup *setup, const lab_plan *plan, int rule, int phase,
                           lab_why *why)
{
    *setup = (lab_setup){0};
    lab_outcome outcome = lab_rig_make(&setup->rig, &setup->arena, plan, rule, phase, why);
    if (outcome == LAB_DONE)
        outcome = setup_measure(setup, why);
    if (outcome == LAB_DONE)
        outcome = pose_problems(setup, why);
    if (outcome != LAB_DONE)
        return outcome;
    setup->rules = setup->rig.spec->rules.count;
    setup->rule = lab_take(&setup->arena, (size_t)setup->rules, sizeof *setup->rule);
    setup->q = lab_take(&setup->arena, (size_t)setup->rules, sizeof *setup->q);
    if (!setup->rule || !setup->q)
        return lab_no_memory(why, NULL);
    // The rules that share the settings of this one.
    for (int i = 0; outcome == LAB_DONE && i < setup->rules; i++)
        if (plan->of[i * plan->phases] == plan->of[rule * plan->phases])
            outcome = setup_make_rule(setup, i, why);
    return outcome;
}

lab_outcome lab_setup_scale(lab_setup *setups, int phases, lab_why *why)
{
    int known = 0;
    while (known < phases && setups[known].reactive == 0)
        known++;
    if (known == phases)
        return lab_spec_refuse(setups[0].rig.spec, setups[0].rig.spec->task.place, why,
                               "the loop makes no error on the task, so there is nothing to learn");
    for (int p = 0; p < phases; p++)
        if (setups[p].reactive == 0)
            setups[p].baseline = setups[known].baseline;
    return LAB_DONE;
}

void lab_setup_free(lab_setup *setup)
{
    free_rules(setup);
    cfpc_problem_free(&setup->believes);
    cfpc_problem_free(&setup->problem);
    lab_rig_free(&setup->rig);
    lab_arena_free(&setup->arena);
    *setup = (lab_setup){0};
}
