// SPDX-License-Identifier: Apache-2.0
#include "setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cfpc/basis.h"
#include "cfpc/controller.h"
#include "cfpc/transfer.h"
#include "task.h"

enum {
    MOST_ENTRIES = 50000000 // of X: steps times bases
};

// "file:line:column: what", for messages.
typedef struct lab_where {
    char text[512];
} lab_where;

static lab_where where(const lab_spec *spec, lab_place place, const char *what)
{
    lab_where it;
    snprintf(it.text, sizeof it.text, "%s:%d:%d: %s", spec->file, place.line, place.column, what);
    return it;
}

// ---- systems ---------------------------------------------------------------------------------

static cfpc_status make_stage(cfpc_system *sys, const lab_stage_spec *stage)
{
    const double tau_s = stage->time_constant_ms / 1e3;
    return stage->kind == LAB_LAG ? cfpc_lag(sys, tau_s, stage->gain)
                                  : cfpc_leaky_integrator(sys, tau_s, stage->gain);
}

static cfpc_status make_chain(cfpc_system *sys, const lab_system_spec *spec)
{
    const int count = spec->stages.count;
    const lab_stage_spec *stages = spec->stages.items;
    cfpc_system *parts = calloc((size_t)count, sizeof *parts);
    if (!parts)
        return CFPC_NO_MEMORY;
    cfpc_status status = CFPC_OK;
    for (int i = 0; status == CFPC_OK && i < count; i++)
        status = make_stage(&parts[i], &stages[i]);
    if (status == CFPC_OK)
        status = cfpc_series(sys, count, parts);
    for (int i = 0; i < count; i++)
        cfpc_system_free(&parts[i]);
    free(parts);
    return status;
}

static cfpc_status make_pid(cfpc_system *sys, const lab_system_spec *spec)
{
    const bool integrates = spec->kind == LAB_PI || spec->kind == LAB_PID;
    const bool derives = spec->kind == LAB_PID;
    const cfpc_pid pid = {.kp = spec->kp,
                          .ki = integrates ? spec->ki_per_s : 0,
                          .kd = derives ? spec->kd_s : 0,
                          .filter_s = derives ? spec->filter_ms / 1e3 : 0};
    return cfpc_pid_controller(sys, &pid);
}

static cfpc_status make_continuous(cfpc_system *sys, const lab_system_spec *spec)
{
    switch ((lab_system_kind)spec->kind) {
    case LAB_CHAIN:
        return make_chain(sys, spec);
    case LAB_TRANSFER_FUNCTION:
        return cfpc_transfer_function(sys, spec->num.columns, spec->num.values, spec->den.columns,
                                      spec->den.values);
    case LAB_STATE_SPACE:
        return cfpc_state_space(sys, 0, spec->a.rows, spec->a.values, spec->b.values,
                                spec->c.values, spec->d);
    case LAB_P:
    case LAB_PI:
    case LAB_PID:
        return make_pid(sys, spec);
    }
    return CFPC_BAD_VALUE;
}

static cfpc_status make_system(cfpc_system *sys, const lab_system_spec *spec, double step_s)
{
    cfpc_system continuous;
    *sys = (cfpc_system){0};
    cfpc_status status = make_continuous(&continuous, spec);
    if (status == CFPC_OK)
        status =
            cfpc_discretise(sys, &continuous, step_s, (cfpc_discretise_method)spec->discretise);
    cfpc_system_free(&continuous);
    return status;
}

// ---- the loop --------------------------------------------------------------------------------

static lab_outcome explain_loop(const lab_setup *setup, const lab_spec *spec, cfpc_status status,
                                lab_why *why)
{
    const lab_where at = where(spec, spec->loop.place, "loop");
    double radius = NAN;
    if (status == CFPC_UNSTABLE && cfpc_spectral_radius(&setup->loop, &radius) == CFPC_OK)
        return lab_refuse(why,
                          "%s: %s: its largest pole has magnitude %.4f; lower the gains or "
                          "shorten the delays",
                          at.text, cfpc_sentence(status), radius);
    return lab_from_status(why, status, at.text);
}

static cfpc_status close_loop(lab_setup *setup, const lab_loop_spec *loop,
                              const cfpc_system *controller, const cfpc_system *plant)
{
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = controller;
    def.plant = plant;
    cfpc_status status = cfpc_steps_of(loop->delay_ms / 1e3, setup->step_s, &def.error_delay_steps);
    if (status == CFPC_OK)
        status =
            cfpc_steps_of(loop->command_delay_ms / 1e3, setup->step_s, &def.command_delay_steps);
    if (status == CFPC_OK)
        status = cfpc_steps_of(loop->measurement_delay_ms / 1e3, setup->step_s,
                               &def.measurement_delay_steps);
    if (status == CFPC_OK)
        status = cfpc_close_loop(&setup->loop, &def);
    if (status == CFPC_OK)
        status = cfpc_transfer(&setup->transfer, &setup->loop);
    if (status == CFPC_OK)
        status = cfpc_lti_of_system(&setup->running, &setup->loop);
    return status;
}

static lab_outcome make_loop(lab_setup *setup, const lab_spec *spec, lab_why *why)
{
    cfpc_system plant = {0}, controller = {0};
    const lab_loop_spec *loop = &spec->loop;
    lab_outcome outcome = lab_from_status(why, make_system(&plant, &loop->plant, setup->step_s),
                                          where(spec, loop->plant.place, "the plant").text);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, make_system(&controller, &loop->controller, setup->step_s),
                                  where(spec, loop->controller.place, "the controller").text);
    if (outcome == LAB_DONE)
        outcome = explain_loop(setup, spec, close_loop(setup, loop, &controller, &plant), why);
    cfpc_system_free(&plant);
    cfpc_system_free(&controller);
    return outcome;
}

// ---- task, basis, rules ----------------------------------------------------------------------

static lab_outcome make_signals(lab_setup *setup, const lab_spec *spec, lab_why *why)
{
    const lab_basis_spec *basis = &spec->basis;
    if ((double)setup->steps * basis->count > MOST_ENTRIES)
        return lab_refuse(why, "%s: %d steps times %d bases are more than %d values",
                          where(spec, basis->place, "the basis").text, setup->steps, basis->count,
                          MOST_ENTRIES);
    setup->bases = basis->count;
    setup->r = calloc((size_t)setup->steps, sizeof *setup->r);
    setup->basis = calloc((size_t)setup->steps * (size_t)setup->bases, sizeof *setup->basis);
    if (!setup->r || !setup->basis)
        return lab_fail(why, "%s: memory ran out", spec->file);
    lab_reference(&spec->task, setup->step_s, setup->steps, setup->r);
    cfpc_gaussian_bank bank = {.count = basis->count,
                               .spacing_s = basis->spacing_ms / 1e3,
                               .width_s = basis->width_ms / 1e3};
    bank.first_s = isnan(basis->first_ms) ? cfpc_centred_first_s(&bank, setup->step_s, setup->steps)
                                          : basis->first_ms / 1e3;
    return lab_from_status(why,
                           cfpc_gaussian_basis(&bank, setup->step_s, setup->steps, setup->basis),
                           where(spec, basis->place, "the basis").text);
}

static cfpc_status make_trace(cfpc_system *sys, const lab_setup *setup, const lab_rule_spec *rule)
{
    int32_t steps = 0;
    switch ((lab_trace_kind)rule->trace) {
    case LAB_TRACE_FORWARD_MODEL:
        return cfpc_transfer(sys, &setup->loop);
    case LAB_TRACE_DELAY:
        if (cfpc_steps_of(rule->delay_ms / 1e3, setup->step_s, &steps) != CFPC_OK)
            return CFPC_BAD_DELAY;
        return cfpc_delay(sys, setup->step_s, steps);
    case LAB_TRACE_NONE:
        return cfpc_gain(sys, 1);
    }
    return CFPC_BAD_VALUE;
}

static lab_outcome make_traces(lab_setup *setup, const lab_spec *spec, lab_why *why)
{
    const lab_rule_spec *rules = lab_rules(spec);
    setup->rules = spec->rules.count;
    setup->traces = calloc((size_t)setup->rules, sizeof *setup->traces);
    if (!setup->traces)
        return lab_fail(why, "%s: memory ran out", spec->file);
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < setup->rules; i++)
        outcome = lab_from_status(why, make_trace(&setup->traces[i], setup, &rules[i]),
                                  where(spec, rules[i].place, "the rule").text);
    return outcome;
}

static lab_outcome pose_problem(lab_setup *setup, const lab_spec *spec, lab_why *why)
{
    cfpc_status status = cfpc_problem_make(&setup->problem, &setup->transfer, setup->steps,
                                           setup->bases, setup->basis, setup->r);
    if (status != CFPC_OK)
        return lab_from_status(why, status, spec->file);
    if (setup->problem.e0_norm == 0)
        return lab_refuse(why, "%s: the loop makes no error on it, so there is nothing to learn",
                          where(spec, spec->task.place, "the task").text);
    if (setup->problem.lambda_max == 0)
        return lab_refuse(why, "%s: no basis signal reaches the output within a trial",
                          where(spec, spec->basis.place, "the basis").text);
    const lab_learning_spec *learning = &spec->learning;
    setup->rate = isnan(learning->rate) ? cfpc_rate(&setup->problem, learning->rate_fraction)
                                        : learning->rate;
    return LAB_DONE;
}

lab_outcome lab_setup_make(lab_setup *setup, const lab_spec *spec, lab_why *why)
{
    *setup = (lab_setup){.step_s = spec->step_ms / 1e3};
    int32_t steps = 0;
    cfpc_status status = cfpc_steps_of(spec->task.trial_s, setup->step_s, &steps);
    if (status != CFPC_OK || steps < 1)
        return lab_refuse(why, "%s: 'trial_s' must be at least one step",
                          where(spec, spec->task.place, "the task").text);
    setup->steps = steps;
    lab_outcome outcome = make_loop(setup, spec, why);
    if (outcome == LAB_DONE)
        outcome = make_signals(setup, spec, why);
    if (outcome == LAB_DONE)
        outcome = make_traces(setup, spec, why);
    if (outcome == LAB_DONE)
        outcome = pose_problem(setup, spec, why);
    return outcome;
}

void lab_setup_free(lab_setup *setup)
{
    free(setup->r);
    free(setup->basis);
    cfpc_system_free(&setup->loop);
    cfpc_system_free(&setup->transfer);
    cfpc_lti_free(setup->running);
    cfpc_problem_free(&setup->problem);
    for (int i = 0; setup->traces && i < setup->rules; i++)
        cfpc_system_free(&setup->traces[i]);
    free(setup->traces);
    *setup = (lab_setup){0};
}
