// SPDX-License-Identifier: Apache-2.0
#include "run/learning_needs.h"

#include <math.h>

#include "math/order.h"
#include "plant/banks.h"
#include "run/setup.h"

// A teaching filter ends where the response of the loop does. How long that is, only the loop can
// tell: this is about the longest of our experiments.
#define HORIZON_MS 2000.

// ---- which way -------------------------------------------------------------------------------

static bool is_bounded(const lab_rule_spec *rule)
{
    return !isnan(rule->weight_low) || !isnan(rule->weight_high);
}

// phase.c: is_plain.
static bool learning_needs_is_plain(const lab_spec *spec, const lab_rule_spec *rule)
{
    return !lab_why_nonlinear(spec) && !lab_is_adjoint(spec, rule) &&
           spec->learning.mode == LAB_BATCH && spec->teach.sign != LAB_RECTIFIED &&
           rule->update == LAB_PLAIN && rule->leak == 0 && rule->momentum == 0 &&
           rule->output_penalty == 0 && spec->olive.gain == 0 && !is_bounded(rule) &&
           isnan(rule->q_hz) && !spec->learning.frozen && spec->teach.signal == LAB_TEACH_ERROR &&
           spec->teach.delay_ms == 0 && !lab_has_noisy_teacher(spec);
}

bool lab_way_lifts(const lab_spec *spec, const lab_rule_spec *rule)
{
    return !lab_why_nonlinear(spec) && !lab_learns_model(spec, rule) &&
           spec->learning.mode == LAB_BATCH && spec->teach.sign != LAB_RECTIFIED &&
           rule->update != LAB_NORMALISED && !is_bounded(rule) && !spec->learning.frozen &&
           !lab_has_noisy_teacher(spec);
}

static bool learning_needs_hears_loop(const lab_spec *spec)
{
    bool hears = lab_hears_prediction(spec) || lab_uses_angle(spec);
    for (int i = 0; i < spec->basis.count; i++)
        hears |= lab_hears_loop(&lab_banks(spec)[i]);
    return hears;
}

// cell.c: learns_after.
static bool learning_needs_learns_after(const lab_spec *spec, const lab_rule_spec *rule,
                                        bool guarded)
{
    return spec->learning.mode == LAB_BATCH && rule->update != LAB_NORMALISED &&
           rule->output_penalty == 0 && !(guarded && spec->guard.on) &&
           !learning_needs_hears_loop(spec) && spec->task.reset;
}

lab_way lab_way_of(const lab_spec *spec, const lab_rule_spec *rule, bool may_compute, bool guarded)
{
    if (may_compute &&
        (learning_needs_is_plain(spec, rule) || (!isnan(rule->q_hz) && lab_way_lifts(spec, rule))))
        return LAB_WAY_COMPUTED;
    if (spec->learning.frozen)
        return LAB_WAY_FROZEN;
    if (learning_needs_learns_after(spec, rule, guarded))
        return LAB_WAY_AFTER;
    return lab_is_adjoint(spec, rule) ? LAB_WAY_ADJOINT : LAB_WAY_TRACES;
}

// ---- parts -----------------------------------------------------------------------------------

static void dense(lab_needs *needs, double multiply_adds)
{
    needs->times[LAB_NEEDS_DENSE] += multiply_adds;
}

static void wide(lab_needs *needs, double multiply_adds)
{
    needs->times[LAB_NEEDS_WIDE] += multiply_adds;
}

static double learning_needs_bytes_of(double numbers)
{
    return (double)sizeof(double) * numbers;
}

// Multiply-adds of a step of a rule's trace.
static double trace_size(const lab_sizes *sizes, const lab_rule_spec *rule)
{
    switch (rule->trace) {
    case LAB_TRACE_FORWARD_MODEL:
    case LAB_TRACE_WHITENED:
    case LAB_TRACE_PHASE_MATCHED:
        return sizes->path;
    case LAB_TRACE_RESPONSE:
        return rule->positive ? sizes->steps : (1 + rule->max_states) * (1 + rule->max_states);
    case LAB_TRACE_NONE:
    case LAB_TRACE_DELAY:
    case LAB_TRACE_EXPONENTIAL:
    case LAB_TRACE_ALPHA:
        break;
    }
    return 4;
}

static double horizon_of(const lab_sizes *sizes, const lab_spec *spec)
{
    const double steps = HORIZON_MS / spec->step_ms;
    return spec->task.reset ? cfpci_min(steps, sizes->steps) : steps;
}

static bool is_filtered(const lab_spec *spec, const lab_rule_spec *rule)
{
    return lab_is_adjoint(spec, rule) && !spec->learning.frozen;
}

// The traces of all basis signals over a trial.
static void learning_needs_make_traces(lab_needs *needs, const lab_sizes *sizes,
                                       const lab_spec *spec, const lab_rule_spec *rule)
{
    const double entries = sizes->steps * sizes->bases;
    if (is_filtered(spec, rule))
        needs->times[LAB_NEEDS_TAP] += entries * horizon_of(sizes, spec);
    else
        wide(needs, entries * trace_size(sizes, rule));
}

static void make_scene(lab_needs *needs, const lab_sizes *sizes)
{
    needs->times[LAB_NEEDS_TABLE] += sizes->table;
    wide(needs, sizes->steps * sizes->bases);
    lab_needs_pass(needs, learning_needs_bytes_of(sizes->steps * (sizes->bases + sizes->first)));
}

void lab_reactive_needs(lab_needs *needs, const lab_sizes *sizes)
{
    make_scene(needs, sizes);
    lab_needs_add(needs, &sizes->step, sizes->steps);
}

// ---- a setup ---------------------------------------------------------------------------------

// [H e0] = Q [R c], and the singular values of R.
static void learning_needs_pose(lab_needs *needs, const lab_sizes *sizes)
{
    const double n = sizes->steps, g = sizes->bases, k = cfpci_min(n, g);
    wide(needs, n * g * sizes->path);
    dense(needs, 2 * n * g * k + 12 * k * k * k);
    needs->kept += learning_needs_bytes_of(2 * n * g + k * g);
    lab_needs_pass(needs, learning_needs_bytes_of(n * g + 4 * k * k));
}

static int problems_of(const lab_spec *spec, bool is_first)
{
    if (spec->learning.frozen && !is_first)
        return 0;
    const bool nonlinear = lab_why_nonlinear(spec) != NULL;
    const bool right =
        !nonlinear &&
        (spec->believed.place.line == 0 || spec->believed.model == LAB_BELIEVED_LEARNED) &&
        spec->teach.signal == LAB_TEACH_ERROR;
    return !nonlinear + !right;
}

void lab_setup_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec, bool is_first)
{
    const double trials = lab_is_repeated(spec) ? 1 : spec->learning.trials;
    make_scene(needs, sizes);
    lab_needs_add(needs, &sizes->step, (1 + trials) * sizes->steps);
    needs->kept += learning_needs_bytes_of(sizes->steps * (sizes->bases + 8));
    for (int i = 0; i < problems_of(spec, is_first); i++)
        learning_needs_pose(needs, sizes);
}

void lab_rule_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec,
                    const lab_rule_spec *rule)
{
    const double n = sizes->steps, g = sizes->bases;
    if (is_filtered(spec, rule) && lab_is_filtered(rule->trace)) { // its scale, ‖ZᵀH‖
        learning_needs_make_traces(needs, sizes, spec, rule);
        wide(needs, n * g * sizes->path);
        dense(needs, n * g * g + 12 * g * g * g);
        lab_needs_pass(needs, learning_needs_bytes_of(2 * n * g + g * g));
    }
    if (rule->trace == LAB_TRACE_RESPONSE) // realised: singular values of a Hankel matrix
        dense(needs, 4 * n * n * rule->max_states);
    if (rule->trace == LAB_TRACE_RESPONSE && rule->positive) { // a line per step, and their matrix
        needs->kept += learning_needs_bytes_of(n * n);
        lab_needs_pass(needs, learning_needs_bytes_of(1.5 * n * n));
    }
    if (rule->update == LAB_PRECONDITIONED && !spec->learning.frozen) {
        dense(needs, 12 * g * g * g);
        needs->kept += learning_needs_bytes_of(g * g);
        lab_needs_pass(needs, learning_needs_bytes_of(3 * g * g));
    }
}

// ---- a phase ---------------------------------------------------------------------------------

// What the cell adds to a step.
static void add_cell(lab_needs *step, const lab_sizes *sizes, const lab_spec *spec,
                     const lab_rule_spec *rule, lab_way way)
{
    const double g = sizes->bases;
    step->times[LAB_NEEDS_STEP] += 1;
    wide(step, 2 * g); // it acts
    if (way == LAB_WAY_TRACES)
        step->times[LAB_NEEDS_TRACE] += g * (2 + trace_size(sizes, rule));
    if (way == LAB_WAY_ADJOINT) {
        step->times[LAB_NEEDS_TAP] += horizon_of(sizes, spec);
        wide(step, 3 * g);
    }
    if (way == LAB_WAY_AFTER) { // the error, filtered backward, and one more pass over the basis
        step->times[LAB_NEEDS_STEP] += 0.5;
        if (is_filtered(spec, rule))
            step->times[LAB_NEEDS_TAP] += horizon_of(sizes, spec);
        else
            step->times[LAB_NEEDS_SINGLE] += trace_size(sizes, rule);
        wide(step, 2 * g);
    }
    if (lab_learns_model(spec, rule))
        step->times[LAB_NEEDS_SINGLE] +=
            50. * (spec->believed.functions + spec->believed.whitening);
    wide(step, rule->momentum != 0 || rule->leak != 0 ? 4 * g : 0);
}

static void run_on_loop(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec,
                        const lab_rule_spec *rule, lab_way way, double trials)
{
    const double g = sizes->bases;
    lab_needs step = sizes->step;
    add_cell(&step, sizes, spec, rule, way);
    make_scene(needs, sizes);
    lab_needs_add(needs, &step, trials * sizes->steps);
    if (rule->update == LAB_PRECONDITIONED)
        wide(needs, trials * g * g);
    const double numbers = way == LAB_WAY_TRACES    ? g * (8 + sizes->late)
                           : way == LAB_WAY_ADJOINT ? g * (4 + horizon_of(sizes, spec))
                                                    : 4 * g;
    lab_needs_pass(needs, learning_needs_bytes_of(sizes->steps * (sizes->bases + 8) + numbers));
}

// cfpc_batch_learn takes the cheaper of two forms: in the coordinates of the bases, or trial by
// trial (cfpc/batch.h).
static void learning_needs_compute(lab_needs *needs, const lab_sizes *sizes,
                                   const lab_rule_spec *rule, double trials)
{
    const double n = sizes->steps, g = sizes->bases;
    const double factored = n * g * (g + trace_size(sizes, rule)) + trials * 2 * g * g;
    const double primal = trials * 2 * n * (g + sizes->path + trace_size(sizes, rule));
    wide(needs, cfpci_min(factored, primal));
    lab_needs_pass(needs, factored < primal ? learning_needs_bytes_of(2 * n * g + 2 * g * g) : 0);
}

static bool is_identity(const lab_spec *spec)
{
    return spec->basis.count == 1 && lab_banks(spec)[0].kind == LAB_IDENTITY;
}

// lifted.c: the cheaper of a map of the weights and of filters.
void lab_lift_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec,
                    const lab_rule_spec *rule, double trials)
{
    const double n = sizes->steps, g = sizes->bases, filter = trace_size(sizes, rule) + 20;
    const double precondition = rule->update == LAB_PRECONDITIONED ? 2 * g * g : 0;
    const double by_map = n * g * (2 * filter + g) + trials * (2 * g * g + precondition);
    const double by_filters =
        trials * (n * (3 * filter + (is_identity(spec) ? 0 : 2 * g)) + precondition);
    wide(needs, cfpci_min(by_map, by_filters));
    lab_needs_pass(needs,
                   learning_needs_bytes_of(by_map < by_filters ? 2 * n * g + 2 * g * g : 8 * n));
}

void lab_phase_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec,
                     const lab_rule_spec *rule, lab_way way, double trials, bool keeps_last)
{
    if (way != LAB_WAY_COMPUTED) {
        run_on_loop(needs, sizes, spec, rule, way, trials);
        return;
    }
    learning_needs_compute(needs, sizes, rule, trials);
    if (keeps_last)
        run_on_loop(needs, sizes, spec, rule, LAB_WAY_FROZEN, 1);
    // The guard would act on a curve that diverges: such is run on the loop. A trace that is chosen
    // may diverge.
    if (keeps_last && spec->guard.on && lab_family_of_trace(rule->trace) == LAB_CHOSEN)
        run_on_loop(needs, sizes, spec, rule, LAB_WAY_TRACES, trials);
}
