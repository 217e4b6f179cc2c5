// SPDX-License-Identifier: Apache-2.0
#include "export/make_target.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/identifier.h"
#include "export/lab_only.h"
#include "export/target_basis.h"
#include "export/target_needs.h"
#include "export/weights.h"
#include "run/cell.h"

// ---- names -----------------------------------------------------------------------------------

static lab_outcome choose_name(lab_target *target, const char *name, lab_why *why)
{
    if (name && !lab_is_identifier(name))
        return lab_refuse(why,
                          "--name '%.80s' is not a C identifier: use letters, digits and '_', and "
                          "begin with a letter",
                          name);
    if (name && strncmp(name, "cfpc", 4) == 0)
        return lab_refuse(why, "--name '%.80s': names that begin with 'cfpc' are the library's own",
                          name);
    if (name && strlen(name) >= LAB_IDENTIFIER_BYTES)
        return lab_refuse(why, "--name '%.80s' is longer than %d letters", name,
                          LAB_IDENTIFIER_BYTES - 1);
    if (name)
        snprintf(target->name, sizeof target->name, "%s", name);
    else
        lab_identifier(target->name, target->of->name);
    for (size_t k = 0; k < sizeof target->upper; k++)
        target->upper[k] = (char)toupper((unsigned char)target->name[k]);
    return LAB_DONE;
}

// ---- the cell --------------------------------------------------------------------------------

// Refuses a number of the spec that in float is 0, subnormal (with fewer digits) or infinite, and
// was not.
static lab_outcome check_number(const lab_target *target, const char *name, double value,
                                lab_why *why)
{
    const double size = fabs(value);
    if (value == 0 || !isfinite(value) || (size >= (double)FLT_MIN && size <= (double)FLT_MAX))
        return LAB_DONE;
    return lab_refuse(why, "rule '%s': its %s, %g, is too %s for float; use --real double",
                      target->of->name, name, value, size < 1 ? "small" : "large");
}

static lab_outcome check_numbers(const lab_target *target, lab_why *why)
{
    const lab_cell_numbers cell = lab_target_cell(target, false);
    const lab_rule_numbers rule = cell.rule;
    const lab_guard_numbers guard = cell.guard;
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"rate", rule.rate},
                   {"normaliser", rule.normaliser},
                   {"leak", rule.leak},
                   {"momentum", rule.momentum},
                   {"output penalty", rule.output_penalty},
                   {"inhibition", rule.inhibition},
                   {"lowest weight", rule.weight_low},
                   {"highest weight", rule.weight_high},
                   {"guard's factor", guard.factor},
                   {"guard's spread", guard.spread},
                   {"guard's resume", guard.resume}};
    lab_outcome outcome = LAB_DONE;
    if (target->real->real_bytes != sizeof(float))
        return LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof numbers / sizeof numbers[0]; i++)
        outcome = check_number(target, numbers[i].name, numbers[i].value, why);
    for (int j = 0; outcome == LAB_DONE && target->weights && j < target->synapses; j++)
        if (fabs(target->weights[j]) > (double)FLT_MAX)
            outcome = check_number(target, "weight", target->weights[j], why);
    return outcome;
}

// What teaches is the error that the guard watches, or another signal.
static bool has_two_lessons(const lab_spec *spec)
{
    return spec->teach.delay_ms > 0 || spec->teach.signal == LAB_TEACH_COMMAND ||
           spec->teach.signal == LAB_TEACH_DISTURBANCE;
}

static lab_outcome make_target_make_cell(lab_target *target, lab_why *why)
{
    cfpc_status status = cfpc_gain(&target->no_trace, 1);
    target->past = lab_target_in_time(target) ? CFPC_PAST_GIVEN : CFPC_PAST_KEPT;
    target->horizon =
        lab_has_filter(target->rule) && !target->frozen ? target->rule->filter.horizon : -1;
    target->two_lessons = has_two_lessons(target->spec);
    const lab_cell_numbers cell = lab_target_cell(target, false);
    if (status == CFPC_OK)
        status = target->real->make(&target->images, &cell);
    return lab_spec_from_status(target->spec, target->of->place, "the cell", status, why);
}

static lab_outcome take_weights(lab_target *target, const lab_target_options *options, lab_why *why)
{
    if (options->frozen && !options->weights)
        return lab_refuse(
            why, "--frozen needs --weights RUN: the output of a cell that never learned is 0");
    if (!options->weights)
        return LAB_DONE;
    target->weights = lab_take(&target->arena, (size_t)target->synapses, sizeof *target->weights);
    return target->weights ? lab_weights_read(target->weights, target->synapses, options->weights,
                                              target->spec, target->of->name, why)
                           : lab_no_memory(why, NULL);
}

// ---- all of it -------------------------------------------------------------------------------

lab_outcome lab_target_make(lab_target *target, const lab_plan *plan,
                            const lab_target_options *options, lab_why *why)
{
    const int rule = plan->spec->main_rule;
    *target = (lab_target){.spec = lab_planned(plan, rule, 0),
                           .real = lab_precision_of(options->real_bytes),
                           .frozen = options->frozen};
    target->of = &lab_rules(target->spec)[rule];
    target->resets = target->spec->task.reset;
    lab_outcome outcome = lab_check_exportable(plan, rule, why);
    if (outcome == LAB_DONE)
        outcome = choose_name(target, options->name, why);
    if (outcome == LAB_DONE && options->weights)
        outcome = lab_weights_check(options->weights, plan->spec, target->of->name, why);
    if (outcome == LAB_DONE)
        outcome = lab_setup_make(&target->setup, plan, rule, 0, why);
    if (outcome != LAB_DONE)
        return outcome;
    target->rule = &target->setup.rule[rule];
    target->synapses = target->setup.bases;
    target->trial_steps = target->setup.rig.steps;
    outcome = lab_target_take_basis(target, why);
    if (outcome == LAB_DONE)
        outcome = take_weights(target, options, why);
    if (outcome == LAB_DONE)
        outcome = check_numbers(target, why);
    if (outcome == LAB_DONE)
        outcome = make_target_make_cell(target, why);
    return outcome == LAB_DONE ? lab_target_fit(target, options, why) : outcome;
}
